// The search page: all results, with the query in the address.
{
  const search = (self.glossarySearch ||= {});
  const LIMIT = 100, PAUSE = 150;

  search.page = (page) => {
    const input = page.querySelector("input");
    let remembering;

    const remember = () => {
      const url = new URL(location), query = search.tidy(input.value);
      url.search = query && new URLSearchParams({ q: query });
      if (url.href !== location.href) history.replaceState(null, "", url);
    };

    const answered = () => {
      clearTimeout(remembering);
      remembering = setTimeout(remember, PAUSE);
    };
    search.part(page, "results").addEventListener("click", remember);
    search.box(page, { limit: LIMIT, answered });
  };
}
