// Loads the data of a query on demand: the list of names first, the index of words if names are not enough.
{
  const search = (self.glossarySearch ||= {});
  const LONGEST = 200, LIST = "search/names.js";
  const tidy = (text) => text.trim().slice(0, LONGEST);

  search.tidy = tidy;
  search.open = (root) => {
    const { once, load } = glossaryPage;
    const names = once(async () => {
      // A cached old list would name index files that no longer exist.
      if (root.protocol !== "file:") await fetch(new URL(LIST, root), { cache: "no-cache" }).then((list) => list.text());
      await load(LIST);
      return search.readNames(search.names);
    });
    const words = once(async () => {
      await Promise.all([names(), load("assets/js/search-index.js"), load("assets/js/search-passages.js")]);
      return search.openWords(search.names.index);
    });

    // Yields results by name and then, when those are fewer than enough, with results by word below them. A result by
    // word has the words it was found by.
    const answers = async function* (text, enough) {
      const { term, find, plain } = await names();
      const query = plain(tidy(text));
      let results = find(query);
      if (!results.length && !search.isNear) {
        await load("assets/js/search-near.js").catch(() => {});
        results = find(query);
      }
      const asked = [...search.signsOf(query), ...search.wordsOf(query)];
      const final = results.length >= enough || !asked.length;
      yield { results, final };
      if (final) return;
      const found = await (await words())(asked), rows = await search.inOrder(found, term);
      const listed = new Set(results.map(({ term }) => term));
      const more = rows.map((row) => ({ term: term(row), row, asked: found.known })).filter(({ term }) => !listed.has(term));
      const gone = ({ term }) => term.status === "removed";
      yield { results: [...results, ...more.sort((one, two) => gone(one) - gone(two))], final: true };
    };
    const suggestions = async () => (await names()).suggestions.map((term) => ({ term }));
    return { names, answers, suggestions };
  };
}
