// Shared by the scripts of a page: the site's root, loading of scripts, and the reader's settings.
{
  const root = new URL(document.documentElement.dataset.root, document.baseURI);

  // A server finds index.html in a folder; from disk links have to name it.
  if (/^http/.test(location.protocol) && location.pathname.endsWith("/")) {
    for (const link of document.querySelectorAll('a[href*="/index.html"]')) {
      link.setAttribute("href", link.getAttribute("href").replace(/index\.html(?=$|[?#])/, ""));
    }
  }

  // Created at the first call; after a failure, the next call tries again.
  const once = (make) => {
    let made;
    return () => (made ||= make().catch((error) => { made = undefined; throw error; }));
  };

  const insert = (path) =>
    new Promise((resolve, reject) => {
      const src = new URL(path, root);
      document.head.append(Object.assign(document.createElement("script"), { src, onload: resolve, onerror: reject }));
    });

  const scripts = {};
  const load = (path) => (scripts[path] ||= once(() => insert(path)))();

  // Returns a panel of `panels.html`, which is added to the page at the first call.
  const part = async (name) => {
    await load("assets/panels.js");
    const place = `[data-part="${name}"]`;
    const there = document.querySelector(place);
    if (there) return there;
    const made = new DOMParser().parseFromString(glossaryPanels, "text/html").querySelector(place);
    for (const name of ["href", "action"])
      for (const one of made.querySelectorAll(`[${name}]`)) one[name] = new URL(one.getAttribute(name), root);
    document.querySelector("main").append(made);
    return made;
  };

  // Settings other than the default are stored in the browser. If storage is forbidden, they apply to this page
  // only. A release and the last searches are of one glossary in one language; a server may have several.
  const chosen = {}, site = `${document.querySelector('[property="og:site_name"]').content} ${document.documentElement.lang}`;
  const keyOf = (name) => `glossary-${name}${name === "release" || name === "searches" ? ` ${site}` : ""}`;
  const choice = (name) => {
    try { return localStorage.getItem(keyOf(name)) || ""; } catch { return chosen[name] || ""; }
  };
  const choose = (name, value) => {
    chosen[name] = value;
    try {
      if (value) localStorage.setItem(keyOf(name), value);
      else localStorage.removeItem(keyOf(name));
    } catch {}
  };

  // `keys` and `previews`, if turned off, are one setting.
  const off = () => choice("off").split(" ").filter(Boolean);
  const isOff = (aid) => off().includes(aid);
  const turn = (aid, isOn) => {
    choose("off", [...off().filter((one) => one !== aid), ...(isOn ? [] : [aid])].join(" "));
    document.documentElement.dataset.off = choice("off");
  };
  document.documentElement.dataset.off = choice("off");

  // A finger never rests on a link, so touch alone does not need previews.
  const rest = ({ target, pointerType }) => {
    if (pointerType !== "touch" && target.closest?.("a")) load("assets/js/preview.js").catch(() => {});
  };
  document.addEventListener("pointerover", rest);
  document.addEventListener("focusin", rest);

  self.glossaryPage = { root, once, load, part, choice, choose, isOff, turn };
}
