// Shows citations of the first definition of a page in plain text and as BibTeX, each with a button that copies it:
// `glossaryCitation.show(button)`. The first one is that of the release that the reader chose, or the page's own.
{
  const { root, part } = glossaryPage;
  const oneLine = (text) => text.replace(/\s+/g, " ").trim();

  // Each paragraph, heading and item is a line; a heading ends with a colon. Numbered senses keep their numbers.
  const textOfDefinition = (definition) => {
    const copy = definition.cloneNode(true);
    for (const list of copy.querySelectorAll("ol")) [...list.children].forEach((item, place) => {
      const first = item.firstChild; // the text of an item may be in a paragraph
      (first?.nodeName === "P" ? first : item).prepend(`${list.start + place}. `);
    });
    for (const heading of copy.querySelectorAll("h2, h3, h4, h5, h6")) if (/[\p{L}\p{N}]\s*$/u.test(heading.textContent)) heading.append(":");
    for (const gap of copy.querySelectorAll("td, th, br")) gap.after(" ");
    for (const block of copy.querySelectorAll("p, li, dt, dd, tr, pre, div, blockquote, h2, h3, h4, h5, h6")) {
      block.before("\u2029"); // the sign of a new paragraph
      block.after("\u2029");
    }
    return copy.textContent.split("\u2029").map(oneLine).filter(Boolean).join("\n");
  };

  const show = async (button) => {
    const dialog = await part("citation");
    const chosen = document.querySelector(".chosen .definition:not(:empty)");
    const { cite, term, source, release, year } = button.dataset;
    const definition = textOfDefinition(chosen ?? document.querySelector(".definition-main"));
    const { title, accessed } = dialog.firstElementChild.dataset;
    const address = new URL(cite, root).href, site = document.querySelector('[property="og:site_name"]').content;
    const origin = `${source} ${release}`.trim();
    const cited = origin ? title.replace("{name}", () => term).replace("{release}", () => origin) : term;
    const note = accessed.replace("{date}", new Date().toISOString().slice(0, 10));
    const plain = `${term}: ${definition}\n${[cited, site, year, note].filter(Boolean).join(". ")}.\n${address}`;
    // Who wrote the definition is not known, so styles sort by `key`; older ones print neither `url` nor `urldate`.
    const escaped = (text) => text.replace(/[\\{}$&#_%~^]/g, (sign) => `\\${sign}`);
    const howpublished = `${escaped(site)}, \\url{${address}}`;
    const fields = { key: escaped(term), title: `{${escaped(cited)}}`, howpublished, year, note };
    const lines = Object.entries(fields).filter(([, text]) => text).map(([field, text]) => `  ${field} = {${text}}`);
    // `term-tensor-1-8-2021`
    const key = `${address.slice(address.lastIndexOf("term/"))}${year}`.replace(/[^A-Za-z0-9]+/g, "-").replace(/-$/, "");
    const texts = [plain, `@misc{${key},\n${lines.join(",\n")}\n}`];
    dialog.querySelectorAll("textarea").forEach((box, place) => { box.value = texts[place]; });
    dialog.querySelectorAll("[data-copy]").forEach((copy, place) => { copy.dataset.text = texts[place]; });
    dialog.querySelector("[data-close]").onclick = () => dialog.close();
    dialog.showModal();
  };

  self.glossaryCitation = { show };
}
