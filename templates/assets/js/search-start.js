// For an empty box: the last searches that led to a term, as buttons that repeat them.
{
  const search = (self.glossarySearch ||= {});
  const MOST = 5;

  // Returns a function that shows them for an empty query, and hides them for any other.
  search.start = (place, { input, answer }) => {
    const { choice, choose } = glossaryPage, { part, tidy } = search;
    const recent = () => choice("searches").split("\n").filter(Boolean);

    const button = (text) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
      made.addEventListener("click", () => { input.value = text; input.focus(); answer(); });
      return made;
    };

    part(place, "results").addEventListener("click", (event) => {
      const query = tidy(input.value);
      if (!query || !event.target.closest("a")) return;
      choose("searches", [query, ...recent().filter((text) => text !== query)].slice(0, MOST).join("\n"));
    });

    return (query) => {
      const several = query ? [] : recent();
      part(place, "recent").hidden = !several.length;
      part(place, "recent-list").replaceChildren(...several.map(button));
    };
  };
}
