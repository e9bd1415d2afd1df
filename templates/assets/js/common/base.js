// What the scripts of a page share: the site's root, what is loaded late, and what the reader has chosen.
{
  const root = new URL(document.documentElement.dataset.root, document.baseURI);

  // A server that shows this page for its folder finds index.html by itself; from disk links have to name it.
  if (/^http/.test(location.protocol) && location.pathname.endsWith("/")) {
    for (const link of document.querySelectorAll('a[href*="/index.html"]')) {
      link.setAttribute("href", link.getAttribute("href").replace(/index\.html(?=$|[?#])/, ""));
    }
  }

  // Made at the first call; a failure is forgotten, so that the next call tries again.
  const once = (make) => {
    let made;
    return () => (made ||= make().catch((error) => { made = undefined; throw error; }));
  };

  const insert = (path) =>
    new Promise((resolve, reject) => {
      const src = new URL(path, root);
      document.head.append(Object.assign(document.createElement("script"), { src, onload: resolve, onerror: reject }));
    });

  const scripts = new Map();
  const load = (path) => {
    if (!scripts.has(path)) scripts.set(path, once(() => insert(path)));
    return scripts.get(path)();
  };

  // A panel of `panels.html`, which stands in the page from the first time it is asked for.
  const part = async (name) => {
    await load("assets/panels.js");
    const place = `[data-part="${name}"]`;
    const there = document.querySelector(place);
    if (there) return there;
    const made = new DOMParser().parseFromString(glossaryPanels, "text/html").querySelector(place);
    for (const link of made.querySelectorAll("a[href]")) link.href = new URL(link.getAttribute("href"), root);
    for (const form of made.querySelectorAll("form[action]")) form.action = new URL(form.getAttribute("action"), root);
    document.querySelector("main").append(made);
    return made;
  };

  // What is chosen is kept in the browser, unless it is what everybody has. A browser that forbids that forgets it
  // with the page.
  const chosen = {};
  const choice = (name) => {
    try { return localStorage.getItem(`glossary-${name}`) || ""; } catch { return chosen[name] || ""; }
  };
  const choose = (name, value) => {
    chosen[name] = value;
    try {
      if (value) localStorage.setItem(`glossary-${name}`, value);
      else localStorage.removeItem(`glossary-${name}`);
    } catch {}
  };

  // The aids that a reader has turned off, `keys` and `previews`, are one choice.
  const off = () => choice("off").split(" ").filter(Boolean);
  const isOff = (aid) => off().includes(aid);
  const turn = (aid, isOn) => {
    choose("off", [...off().filter((one) => one !== aid), ...(isOn ? [] : [aid])].join(" "));
    document.documentElement.dataset.off = choice("off");
  };
  document.documentElement.dataset.off = choice("off");

  self.glossaryPage = { root, once, load, part, choice, choose, isOff, turn };
}
