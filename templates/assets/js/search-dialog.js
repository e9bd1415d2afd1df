// The search dialog of every page: the first results, and a link to all of them if there are more.
{
  const search = (self.glossarySearch ||= {});
  const LIMIT = 8;

  // Returns a function that opens the dialog. Text typed before replaces the last query.
  search.dialog = (dialog) => {
    const input = dialog.querySelector("input"), all = search.part(dialog, "all");

    const answered = (query, results) => {
      const page = new URL("search/index.html", glossaryPage.root);
      page.search = new URLSearchParams({ q: query });
      all.querySelector("a").href = page;
      search.fill(all, "query", query);
      all.hidden = !query || results.length <= LIMIT;
    };
    const answer = search.box(dialog, { limit: LIMIT, answered });

    // A place on the page of the dialog, as in A–Z, would be behind it.
    dialog.addEventListener("click", ({ target }) => {
      if (target.closest("a")?.hash) dialog.close();
    });
    // Escape first empties a search field.
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
