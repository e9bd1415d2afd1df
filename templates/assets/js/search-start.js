// For an empty box: the last searches that led to a term, as buttons that repeat them.
{
  const search = (self.glossarySearch ||= {});

  // Returns a function that shows them for an empty query, and hides them for any other.
  search.start = (place, { input, answer }) => {
    const { choice } = glossaryPage, { part } = search;
    const recent = () => choice("searches").split("\n").filter(Boolean);

    const button = (text) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
      made.addEventListener("click", () => { input.value = text; input.focus(); answer(); });
      return made;
    };

    return (query) => {
      const several = query ? [] : recent();
      part(place, "recent").hidden = !several.length;
      part(place, "recent-list").replaceChildren(...several.map(button));
    };
  };
}
