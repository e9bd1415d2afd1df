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

  search.part = part;
  search.fill = fill;
  search.rows = (page, root) => {
    const template = part(page, "result"), states = template.dataset;
    const row = ({ term, name, text, asked }, marked) => {
      const item = template.content.firstElementChild.cloneNode(true);
      item.dataset.status = term.status;
      part(item, "link").href = new URL(`term/${term.slug}/index.html`, root).href;
      fill(item, "name", term.name);
      fill(item, "setting", term.setting);
      for (const kind of ["also", "formerly", "merged"]) fill(item, kind, name?.kind === kind ? name.text : "");
      for (const place of item.querySelectorAll("[data-ended]")) place.textContent = name?.ended;
      fill(item, "state", term.status === "current" ? "" : states[term.status]);
      fill(item, "sentence", term.sentence);
      if (text) search.showPassage(part(item, "sentence"), text, asked);
      part(item, "enter").hidden = !marked;
      item.querySelectorAll("[hidden]").forEach((empty) => empty.remove());
      return item;
    };
    return { states, row };
  };
}
