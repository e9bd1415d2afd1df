// The search over any page: the first results in a dialog, and the way to all of them.
{
  const search = (self.glossarySearch ||= {});
  const LIMIT = 8;

  // Returns what opens the dialog. A text that was typed before takes the place of what was searched last.
  search.dialog = (dialog) => {
    const input = dialog.querySelector("input"), all = search.part(dialog, "all");

    const answered = (query, results) => {
      const page = new URL("search/index.html", glossaryPage.root);
      page.searchParams.set("q", query);
      all.querySelector("a").href = page;
      search.fill(all, "query", query);
      all.hidden = !results.length;
    };
    const answer = search.box(dialog, { limit: LIMIT, answered });

    // A search field empties itself first.
    dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      dialog.close();
    });

    return (typed) => {
      dialog.showModal();
      if (!typed) return input.select();
      input.value = typed;
      answer();
    };
  };
}
