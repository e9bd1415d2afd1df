// Shows citations of a definition in plain text and as BibTeX, from the page's content, each with a button that copies
// it: `glossaryCitation.show(button)`.
{
  const { root, part } = glossaryPage;
  const oneLine = (text) => text.replace(/\s+/g, " ").trim();
  const textOf = (selector) => oneLine(document.querySelector(selector).innerText);

  // Numbered senses keep their numbers.
  const definition = () => {
    const copy = document.querySelector(".definition-main").cloneNode(true);
    for (const list of copy.querySelectorAll("ol")) [...list.children].forEach((item, place) => item.prepend(`${list.start + place}. `));
    for (const block of copy.querySelectorAll("p, li, dt, dd, tr, td, th, pre, br, div, blockquote, h3, h4, h5, h6")) block.after(" ");
    return oneLine(copy.textContent);
  };

  const show = async (button) => {
    const dialog = await part("citation");
    const address = new URL(button.dataset.cite, root).href, name = textOf("h1 dfn");
    const site = document.querySelector('[property="og:site_name"]').content, source = textOf(".term-place").split(" · ")[0];
    const place = source.startsWith(site) ? source : `${site}, ${source}`;
    const today = new Date().toISOString().slice(0, 10), year = (button.dataset.date || "").slice(0, 4);
    const key = `${address.slice(address.lastIndexOf("term/"))}${year}`.replace(/[^A-Za-z0-9]+/g, "-").replace(/-$/, "");
    const escaped = (text) => text.replace(/[\\{}$&#_%~^]/g, (sign) => `\\${sign}`);
    const fields = { title: `{${escaped(name)}}`, howpublished: escaped(place), year, url: address, urldate: today };
    const lines = Object.entries(fields).filter(([, text]) => text).map(([field, text]) => `  ${field} = {${text}}`);
    const texts = [`${name}: ${definition()}\n${place}${year && ` (${year})`}\n${address}`, `@misc{${key},\n${lines.join(",\n")}\n}`];
    dialog.querySelectorAll("textarea").forEach((box, place) => { box.value = texts[place]; });
    dialog.querySelectorAll("[data-copy]").forEach((copy, place) => { copy.dataset.text = texts[place]; });
    dialog.querySelector("[data-close]").onclick = () => dialog.close();
    dialog.showModal();
  };

  self.glossaryCitation = { show };
}
