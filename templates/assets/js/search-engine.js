// Loads the data of a query on demand: the list of names first, the index of words if names are not enough.
{
  const search = (self.glossarySearch ||= {});
  const LONGEST = 200, FEW = 10, LIST = "search/names.js";
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

    // The definitions by row. A file has those from its first row on.
    const texts = [];
    const learn = (rows) => {
      const files = new Set(rows.map((row) => search.names.texts.findLast(([first]) => first <= row)));
      return Promise.all([...files].map(async ([first, name]) => {
        await load(`search/${name}.js`);
        search[name].forEach((text, at) => { texts[first + at] = text; });
      }));
    };

    // Yields results by name, then with results by word below them when those are fewer than enough, then with the
    // definitions of the first results by word, which also have the words they were found by.
    const answers = async function* (text, enough) {
      const { terms, suggestions, find, plain } = await names();
      const query = plain(tidy(text));
      if (!query) return yield { results: suggestions.map((term) => ({ term })), final: true };
      let results = find(query);
      if (!results.length && !search.nearness) {
        await load("assets/js/search-near.js").catch(() => {});
        results = find(query);
      }
      const asked = [...search.signsOf(query), ...search.wordsOf(query)];
      const final = results.length >= enough || !asked.length;
      yield { results, final };
      if (final) return;
      const { rows, known } = await (await words())(asked);
      const listed = new Set(results.map(({ term }) => term));
      const more = rows.filter(([, , isComplete], at) => isComplete || at < FEW)
        .map(([row]) => ({ term: terms[row], row, asked: known })).filter(({ term }) => !listed.has(term));
      if (!results.length && !more.length) results = find(query, search.abbreviation);
      const gone = ({ term }) => term.status === "removed";
      results = [...results, ...more.sort((one, two) => gone(one) - gone(two))];
      yield { results, final: true };
      if (!more.length) return;
      await learn(more.slice(0, FEW).map(({ row }) => row)).catch(() => {});
      yield { results: results.map((result) => ({ ...result, text: texts[result.row] })), final: true };
    };
    return { names, answers };
  };
}
