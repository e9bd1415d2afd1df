// Finds terms by name in a list of rows `[name, slug, status, sentence, other names, former names]`.
// Exact names come first, then other and former names, prefixes, beginnings of words, and near misses.
{
  const search = (self.glossarySearch ||= {});
  const EXACT = 2, NEAR = 6, REMOVED = 10;

  const fold = (text) =>
    text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toUpperCase().toLowerCase().replace(/\s+/g, " ").trim();

  // The words `sitegen.search.words` finds in the same text.
  const wordsOf = (text) => fold(text).replace(/['’]/g, "").match(/[\p{L}\p{M}\p{N}]+/gu) || [];

  const named = (kind) => (text) => ({ kind, text, folded: fold(text), words: ` ${wordsOf(text).join(" ")} ` });

  const termOf = ([name, slug, status, sentence, others = [], former = []]) => ({
    name, slug, status, sentence,
    names: [named("")(name), ...others.map(named("also")), ...former.map(named("formerly"))],
  });

  // A single letter is no beginning: every name would match one.
  const begins = (words, word) => words.includes(" " + word + (word.length > 1 ? "" : " "));

  const rank = ({ kind, text, folded, words }, query) => {
    const place =
      text === query.text ? 0
      : folded === query.folded ? 1
      : folded.startsWith(query.folded) ? 3
      : query.words.length && query.words.every((word) => begins(words, word)) ? 5
      : Infinity;
    return kind ? Math.max(EXACT, place + 1) : place;
  };

  const nearRank = ({ folded }, { folded: typed }) => {
    const limit = typed.length < 4 || typed.length > 60 ? 0 : typed.length < 8 ? 1 : 2;
    return NEAR + (limit ? distance(folded, typed, limit) : Infinity);
  };

  // Letters to add, drop, replace or swap with their neighbour; Infinity when more than the limit.
  const distance = (one, two, limit) => {
    if (Math.abs(one.length - two.length) > limit) return Infinity;
    let before, last, row = Array.from({ length: two.length + 1 }, (_, column) => column);
    for (let i = 0; i < one.length; i++) {
      [before, last, row] = [last, row, [i + 1]];
      for (let j = 0; j < two.length; j++) {
        const swapped = i && j && one[i] === two[j - 1] && one[i - 1] === two[j];
        row.push(Math.min(
          last[j] + (one[i] !== two[j]), last[j + 1] + 1, row[j] + 1, swapped ? before[j - 1] + 1 : Infinity,
        ));
      }
      if (Math.min(...row) > limit) return Infinity;
    }
    return row.at(-1) > limit ? Infinity : row.at(-1);
  };

  const ranked = (terms, query, rank) => {
    const results = [];
    for (const term of terms) {
      let best = { rank: Infinity };
      for (const name of term.names) {
        const place = rank(name, query);
        if (place < best.rank) best = { term, name, rank: place, near: place > NEAR };
      }
      if (best.rank > EXACT && term.status === "removed") best.rank += REMOVED;
      if (best.rank < Infinity) results.push(best);
    }
    return results.sort((one, two) => one.rank - two.rank);
  };

  const find = (terms, text) => {
    const query = { text, folded: fold(text), words: wordsOf(text) };
    if (!query.folded) return [];
    const results = ranked(terms, query, rank);
    return results.length ? results : ranked(terms, query, nearRank);
  };

  Object.assign(search, { fold, wordsOf, distance });
  search.readNames = (rows) => {
    const terms = rows.map(termOf);
    return { terms, find: (text) => find(terms, text) };
  };
}
