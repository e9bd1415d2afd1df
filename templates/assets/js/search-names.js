// Finds terms by name in the list that `sitegen.search.names` writes.
// Exact names come first, then other and former names, prefixes, beginnings of words, and near misses.
{
  const search = (self.glossarySearch ||= {});
  const EXACT = 2, NEAR = 6, REMOVED = 10;
  // What stands before a name in the list: how its term stands, or what kind of name it is.
  const STATES = { "=": "current", "!": "deprecated", "~": "removed" }, KINDS = { "+": "also", "-": "formerly" };
  const MARKS = [..."=!~+-"];

  // Both take a whole list at once, which is quicker by far than name by name: its lines stay.
  const folded = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toUpperCase().toLowerCase();
  const spaced = (text) => text.replace(/['’]/g, "").replace(/[^\p{L}\p{M}\p{N}\n ]+/gu, " ");

  const tidied = (text) => text.replace(/\s+/g, " ").trim();
  const fold = (text) => tidied(folded(text));

  // The words `sitegen.search.folding` finds in the same text.
  const wordsOf = (text) => spaced(fold(text)).split(" ").filter(Boolean);

  // A single letter is no beginning: every name would match one.
  const isBegun = (text, { words }) =>
    words.length > 0 && words.every((word) => text.includes(" " + word + (word.length > 1 ? "" : " ")));

  const rank = (name, query) => {
    const place =
      name.text === query.text ? 0
      : name.folded === query.folded ? 1
      : name.folded.startsWith(query.folded) ? 3
      : isBegun(name.words, query) ? 5
      : Infinity;
    return name.kind ? Math.max(EXACT, place + 1) : place;
  };

  const nearRank = ({ folded }, { folded: typed }) => {
    const limit = typed.length < 4 || typed.length > 60 ? -1 : typed.length < 8 ? 1 : 2;
    return NEAR + distance(folded, typed, limit);
  };

  // Letters to add, drop, replace or swap with their neighbour; Infinity when more than the limit.
  const distance = (one, two, limit) => {
    if (Math.abs(one.length - two.length) > limit) return Infinity;
    let before = [], last = [], row = [...Array(two.length + 1).keys()];
    for (let i = 0; i < one.length; i++) {
      [before, last, row] = [last, row, before];
      // Further from the diagonal than the limit, nothing is within it.
      const from = Math.max(0, i - limit), to = Math.min(two.length, i + limit + 1);
      let least = (row[from] = from ? Infinity : i + 1);
      for (let j = from; j < to; j++) {
        let steps = Math.min(last[j] + (one[i] !== two[j]), last[j + 1] + 1, row[j] + 1);
        if (i && j && one[i] === two[j - 1] && one[i - 1] === two[j]) steps = Math.min(steps, before[j - 1] + 1);
        least = Math.min(least, (row[j + 1] = steps));
      }
      row[to + 1] = Infinity;
      if (least > limit) return Infinity;
    }
    return row[two.length] > limit ? Infinity : row[two.length];
  };

  const named = (cell, fold) => ({
    kind: KINDS[cell[0]] || "",
    text: cell.slice(1),
    folded: tidied(fold.slice(1)),
    get words() { return ` ${wordsOf(this.text).join(" ")} `; },
  });

  const termOf = (line, fold, slug, sentence) => ({
    names: line.split("\t").map((cell, i) => named(cell, fold.split("\t")[i])),
    status: STATES[line[0]],
    sentence,
    get name() { return this.names[0].text; },
    get slug() { return slug || wordsOf(this.name).join("-"); },
  });

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

  search.readNames = ({ names, slugs, sentences = "" }) => {
    const lines = (text) => (names ? text.split("\n") : []);
    const texts = lines(names), folds = lines(folded(names));
    const words = lines(spaced(folded(names)).replace(/\n|$/g, " $&"));
    const rows = [...texts.keys()], said = lines(sentences), known = [];
    // Made of its line when it is first asked for; most never are.
    const term = (row) => (known[row] ||= termOf(texts[row], folds[row], slugs[row], said[row]));

    const find = (text) => {
      const query = { text, folded: fold(text), words: wordsOf(text) };
      if (!query.folded) return [];
      const starts = MARKS.map((mark) => mark + query.folded);
      const isLike = (row) => starts.some((start) => folds[row].includes(start)) || isBegun(words[row], query);
      const isNear = (row) =>
        folds[row].split("\t").some((cell) => nearRank({ folded: cell.slice(1) }, query) < Infinity);
      const results = ranked(rows.filter(isLike).map(term), query, rank);
      return results.length ? results : ranked(rows.filter(isNear).map(term), query, nearRank);
    };
    return { term, find, get terms() { return rows.map(term); } };
  };

  Object.assign(search, { fold, wordsOf, distance });
}
