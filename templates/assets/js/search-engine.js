// Loads the data of a query on demand: the list of names first, then the index of words with the definitions.
{
  const search = (self.glossarySearch ||= {});
  // The longest query in characters; the fewest letters of a word that is compared with names that are near.
  const LONGEST = 200, LONG = 5, LIST = "search/names.js";
  // Returns results without those of a term that has one before.
  const distinct = (results) => {
    const seen = new Set();
    return results.filter(({ term }) => !seen.has(term) && seen.add(term));
  };
  const tidy = (text) => text.trim().slice(0, LONGEST);
  // The object that a script of data assigns.
  const valueOf = (script) => JSON.parse(/ = (.*);/s.exec(script)[1]);

  search.tidy = tidy;
  search.open = (root) => {
    const { once, load } = glossaryPage;
    const names = once(async () => {
      // A cached old list would name index files that no longer exist. A page from disk can only run it.
      if (root.protocol === "file:") await load(LIST);
      else search.names = valueOf(await fetch(new URL(LIST, root), { cache: "no-cache" }).then((list) => list.text()));
      return search.readNames(search.names);
    });
    const words = once(async () => {
      const { terms } = await names();
      await Promise.all([load("assets/js/search-index.js"), load(`search/${search.names.file}.js`)]);
      return search.openWords(terms, search.words);
    });

    // Returns the names that are like a query, or else like one of its unknown words; a short word is like too many names.
    // Those that have its other words too, and so are among the results by word, come first.
    const likeNames = (query, find, unknown, byWord) => {
      const places = new Map(byWord.map(({ term }, place) => [term, place]));
      const place = ({ term }) => places.get(term) ?? byWord.length;
      for (const text of [query, ...unknown.filter((word) => word.length >= LONG)]) {
        const results = find(text, search.nearness);
        if (results.length) return results.sort((one, two) => place(one) - place(two));
      }
      return byWord.length ? [] : find(query, search.abbreviation);
    };

    // Yields results by name and the terms of the section that a query names, then the same with results by word below
    // them, each time with the words of the query and the section. Those by word come with their definitions, so that no
    // row changes its height.
    const answers = async function* (text) {
      const { suggestions, find, findSection, plain } = await names();
      const query = plain(tidy(text)), asked = [...search.signsOf(query), ...search.wordsOf(query)];
      const section = findSection(query), about = { words: asked, section };
      const ofSection = (section?.terms || []).map((term) => ({ term }));
      let byName = query ? find(query) : suggestions.map((term) => ({ term }));
      // The digits of a release are no words; letters may be, as in `stable`.
      const isFinal = !asked.length || (!!section && !section.terms && /\p{N}/u.test(query));
      yield { results: distinct([...byName, ...ofSection]), ...about, final: isFinal };
      if (isFinal) return;
      const findByWord = await words();
      const { found, unknown } = findByWord(asked);
      if (!byName.length && unknown.length) byName = likeNames(query, find, unknown, found);
      // The terms of a section are answer enough without those that have only some of its words.
      const byWord = ofSection.length ? found.filter(({ share }) => share === 1) : found;
      const results = distinct([...byName, ...ofSection, ...byWord]);
      yield { results: results.map((result) => ({ ...result, text: search.words.texts[result.term.row] })), ...about, final: true };
    };
    return { names, answers };
  };
}
