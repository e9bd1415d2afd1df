// Makes rows of results from a page's own template: text, and ordinary links.
{
  const search = (self.glossarySearch ||= {});
  const part = (within, name) => within.querySelector(`[data-${name}]`);

  // Sets the text of a named part, and hides the part if there is no text.
  const fill = (within, name, text) => {
    const place = part(within, name);
    (place.querySelector("bdi") || place).textContent = text || "";
    place.hidden = !text;
  };

  // Shows pieces of a text, those that are words of a query marked.
  const mark = (place, pieces) => {
    const marked = (text) => Object.assign(document.createElement("mark"), { textContent: text });
    place.replaceChildren(...pieces.map(([text, word]) => (word ? marked(text) : text)));
  };

  Object.assign(search, { part, fill, mark });
  search.rows = (page, root) => {
    const template = part(page, "result"), states = template.dataset;
    // `words` are those of the query, which are marked in names; Enter leads to the first row.
    const row = ({ term, name, text, asked }, words = [], isFirst) => {
      const cut = search.cutter(words);
      const item = template.content.firstElementChild.cloneNode(true);
      part(item, "link").href = new URL(`term/${term.slug}/index.html`, root).href;
      mark(part(item, "name"), cut(term.name));
      fill(item, "setting", term.setting);
      for (const kind of ["also", "formerly", "merged"]) {
        const matched = name?.kind === kind ? name.text : "";
        fill(item, kind, matched);
        mark(part(item, kind).querySelector("bdi"), cut(matched));
      }
      for (const place of item.querySelectorAll("[data-ended]")) place.textContent = name?.ended;
      for (const chip of item.querySelectorAll("[data-state]")) chip.hidden = chip.dataset.state !== term.status;
      fill(item, "sentence", term.sentence);
      // Of a term that is not found by its name, the words of the query in its definition.
      if (!name) search.showPassage?.(part(item, "sentence"), text ?? term.sentence, asked ?? words);
      part(item, "enter").hidden = !isFirst;
      item.querySelectorAll("[hidden]").forEach((empty) => empty.remove());
      return item;
    };
    return { states, row };
  };
}
