// Finds terms by name in the list that `sitegen.site.search` writes. Ranks, best first: exact names; names that
// differ in punctuation, separators or plurals; what a call or a path names; prefixes; beginnings of words. Only when
// there is none of these: near misses.
{
  const search = (self.glossarySearch ||= {});
  const { folded, spaced, tidied, fold, wordsOf, stem, UNSPACED } = search;
  const SAME = 3, NAMED = 4, PREFIX = 5, BEGUN = 6, NEAR = 8, OTHER = 0.4, REMOVED = 10;
  // The character before a name is the status of its term, or the kind of name.
  const STATES = { "=": "current", "!": "deprecated", "~": "removed" }, KINDS = { "+": "also", "-": "formerly" };

  // Counts letters to add, drop, replace or swap with their neighbor; Infinity above the limit.
  const distance = (one, two, limit) => {
    if (Math.abs(one.length - two.length) > limit) return Infinity;
    let before = [], last = [], row = [...Array(two.length + 1).keys()];
    for (let i = 0; i < one.length; i++) {
      [before, last, row] = [last, row, before];
      // Cells farther from the diagonal than the limit exceed it.
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
  const near = (one, two) => distance(one, two, two.length < 4 || two.length > 60 ? -1 : two.length < 8 ? 1 : 2);

  // Returns the forms of a text in which names and queries are compared.
  class Forms {
    constructor(text, low = fold(text)) {
      this.text = text;
      this.folded = low;
      this.spaced = ` ${spaced(low).trim()} `;
      this.joined = this.spaced.replace(/ /g, "");
    }
    get words() { return (this.split ||= wordsOf(this.text)); }
    get stems() { return (this.stemmed ||= this.words.map(stem).join(" ")); }
  }

  // Prefixes of words in any order. A single letter is not enough; in Chinese and Japanese any position counts.
  const isBegun = (spacedText, words) =>
    words.length > 0 &&
    words.every((word) => spacedText.includes(UNSPACED.test(word) ? word : ` ${word}${word.length > 1 ? "" : " "}`));
  // The stem of `queries` is `queri`, which is a prefix of the plural only.
  const bare = (words) => words.map((word) => stem(word).replace(/(.{3})i$/, "$1"));

  // The first letters of words, `acl` for `access control list`, and `i18n` for a word by its length.
  const initials = ({ words }) => (words.length > 2 ? words.map((word) => word[0]).join("") : "");
  const short = ({ folded }) => folded[0] + (folded.length - 2) + folded.at(-1);

  // Returns the rank of a name for a query: 0 to 3 for the same name, higher for worse matches.
  const same = (name, query) =>
    name.text === query.text ? 0
    : name.folded === query.folded ? 0.5
    : !query.joined ? Infinity
    : name.spaced === query.spaced ? 1
    : name.joined === query.joined ? 2
    : name.stems === query.stems || name.parts?.some((part) => same(part, query) < SAME) ? SAME - 0.5
    : Infinity;
  const rank = (name, query) => {
    const place = same(name, query);
    return place < Infinity ? place
      : query.parts.some((part) => same(name, part) < SAME) ? NAMED
      : [initials(name), short(name)].includes(query.joined) ? NAMED
      : name.folded.startsWith(query.folded) || (query.joined.length > 1 && name.joined.startsWith(query.joined)) ? PREFIX
      : isBegun(name.spaced, query.words) ? BEGUN
      : isBegun(name.spaced, bare(query.words)) ? BEGUN + 0.5
      : Infinity;
  };
  const nearRank = (name, query) => {
    const whole = near(name.joined, query.joined);
    if (whole < Infinity || query.words.length > 6) return NEAR + whole;
    const misses = query.words.map((word) => Math.min(...name.words.map((one) => (one.startsWith(word) ? 0 : near(one, word)))));
    const inside = query.joined.length > 2 && name.joined.includes(query.joined);
    return NEAR + 1 + Math.min(inside ? 0 : Infinity, misses.reduce((sum, miss) => sum + miss, 0.5));
  };

  // `clf.fit(X, y)` asks for `clf.fit` and for `fit`, `access control list` for `acl`.
  const parsed = (text) => {
    const query = new Forms(text), called = text.replace(/[([{<].*$/s, "");
    query.parts = [called, called.split(/[.:/#]+/).filter(Boolean).at(-1), initials(query)]
      .filter((part) => part !== text && /[\p{L}\p{N}]/u.test(part || "")).map((part) => new Forms(part));
    return query;
  };

  // `Continuous Delivery (CD)` is two names in one.
  const named = (cell, low) => {
    const name = new Forms(cell.slice(1), tidied(low));
    name.kind = KINDS[cell[0]] || "";
    name.parts = /^(.+?) \((.+)\)$/.exec(name.text)?.slice(1).map((part) => new Forms(part));
    return name;
  };

  const termOf = (line, low, slug, sentence) => ({
    names: line.split("\t").map((cell, i) => named(cell, low.split("\t")[i + 1])),
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
        const place = rank(name, query) + (name.kind ? OTHER : 0);
        if (place < best.rank) best = { term, name, rank: place, near: place >= NEAR };
      }
      if (best.rank > 2 && term.status === "removed") best.rank += REMOVED;
      if (best.rank < Infinity) results.push(best);
    }
    const excess = ({ name }) => (name.joined || name.folded).length;
    return results.sort((one, two) => one.rank - two.rank || (one.rank >= PREFIX ? excess(one) - excess(two) : 0));
  };

  search.readNames = ({ names, slugs, suggestions = [], sentences = "" }) => {
    const lines = (text) => (names ? text.split("\n") : []);
    const low = folded(names), apart = spaced(low), texts = lines(names), said = lines(sentences), rows = [...texts.keys()];
    // A tab before each name, instead of its status or kind.
    const tabbed = low.replace(/^.|\t./gm, "\t"), lows = lines(tabbed);
    // All names of a row between spaces, with separate and with joined words, and the first letters of the words.
    const words = lines(apart.replace(/^|\n|$/g, " $& "));
    const joined = lines(tabbed.replace(/[^\p{L}\p{M}\p{N}\n\t]+/gu, ""));
    const letters = lines(apart.replace(/(\S)\S* ?/g, "$1"));
    const known = [], term = (row) => (known[row] ||= termOf(texts[row], lows[row], slugs[row], said[row]));

    const find = (text) => {
      const query = parsed(text);
      if (!query.folded) return [];
      const asked = [query, ...query.parts].map(({ joined, words }) => [joined, bare(words)]).filter(([run]) => run);
      // Tells most rows apart without a look at each name. The acronym of `Continuous Delivery (CD)` begins anywhere.
      const mayBe = (row) =>
        lows[row].includes("\t" + query.folded) || /^.\d+.$/.test(query.joined) ||
        asked.some(([run, begun]) => (run[2] && letters[row].includes(run)) || isBegun(words[row], begun) ||
          joined[row].includes(lows[row].includes("(") ? run : "\t" + run));
      const results = ranked(rows.filter(mayBe).map(term), query, rank);
      if (results.length || !query.joined) return results;
      const isNear = (row) =>
        joined[row].includes(query.joined) ||
        joined[row].split("\t").some((cell) => near(cell, query.joined) < Infinity) ||
        (query.words.length < 7 && query.words.every((word) =>
          words[row].split(" ").some((one) => (word && one.startsWith(word)) || near(one, word) < Infinity)));
      return ranked(rows.filter(isNear).map(term), query, nearRank);
    };
    return { term, find, get suggestions() { return suggestions.map(term); }, get terms() { return rows.map(term); } };
  };

  search.distance = distance;
}
