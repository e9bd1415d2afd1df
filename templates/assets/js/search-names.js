// Finds terms by name in the list that `sitegen.site.search` writes. Ranks, best first: exact names; names that
// differ in punctuation, separators or plurals; what a call or a path names; prefixes; beginnings of words. Only when
// there is none of these, and `search-near.js` is loaded: near misses.
{
  const search = (self.glossarySearch ||= {});
  const { folded, spaced, tidied, fold, wordsOf, stem, UNSPACED } = search;
  const SAME = 3, NAMED = 4, PREFIX = 5, BEGUN = 6, NEAR = 8, OTHER = 0.4, REMOVED = 10;
  // The character before a name is the status of its term, or the kind of name.
  const STATES = { "=": "current", "!": "deprecated", "~": "removed" }, KINDS = { "+": "also", "-": "formerly" };

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

  const singular = (joined) => joined.replace(/ies$/, "y").replace(/(?<=ch|sh|[sxz])es$|(?<=[^s])s$/, "");

  // Returns the rank of a name for a query: 0 to 3 for the same name, higher for worse matches.
  const same = (name, query) =>
    name.text === query.text ? 0
    : name.folded === query.folded ? 0.5
    : !query.joined ? Infinity
    : name.spaced === query.spaced ? 1
    : singular(name.joined) === singular(query.joined) ? 2
    : name.stems === query.stems || name.parts?.some((part) => same(part, query) < SAME) ? SAME - 0.5
    : Infinity;
  const rank = (name, query) => {
    const place = same(name, query), part = query.parts.findIndex((part) => same(name, part) < SAME);
    return place < Infinity ? place
      : part >= 0 ? NAMED + part / 100
      : [initials(name), short(name)].includes(query.joined) ? NAMED
      : name.folded.startsWith(query.folded) || (query.joined.length > 1 && name.joined.startsWith(query.joined)) ? PREFIX
      : isBegun(name.spaced, query.words) ? BEGUN
      : isBegun(name.spaced, bare(query.words)) ? BEGUN + 0.5
      : Infinity;
  };
  // `clf.fit(X, y)` asks for `clf.fit` and for `fit`, `head vs tip` for both, `node in a cluster` for `node`, `access control list` for `acl`.
  const parsed = (text, joining) => {
    const query = new Forms(text), called = text.replace(/[([{<].*$/s, "");
    query.parts = [called, called.split(/[.:/#]+/).filter(Boolean).at(-1), ...text.split(joining), initials(query)]
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

  const termOf = (line, low, slug, sentence, setting) => ({
    setting,
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

  search.readNames = ({ names, slugs, settings, suggestions = [], sentences = "", questions, joining, endings }) => {
    search.endings = endings;
    const question = RegExp(`^[\\s¿]*(?:${questions})[\\s?!.。？؟]*$`, "iu"), between = RegExp(` (?:${joining.replaceAll(".", "\\.")}) `, "i");
    const lines = (text) => (names ? text.split("\n") : []);
    const low = folded(names), apart = spaced(low), texts = lines(names), said = lines(sentences), rows = [...texts.keys()];
    // A tab before each name, instead of its status or kind.
    const tabbed = low.replace(/^.|\t./gm, "\t"), lows = lines(tabbed);
    // All names of a row between spaces, with separate and with joined words, and the first letters of the words.
    const words = lines(apart.replace(/^|\n|$/g, " $& "));
    const joined = lines(tabbed.replace(/[^\p{L}\p{M}\p{N}\n\t]+/gu, ""));
    const letters = lines(apart.replace(/(\S)\S* ?/g, "$1"));
    const known = [], term = (row) => (known[row] ||= termOf(texts[row], lows[row], slugs[row], said[row], settings[row]));

    const find = (text) => {
      const query = parsed(text, between);
      if (!query.folded) return [];
      const asked = [query, ...query.parts].map(({ joined, words }) => [joined, bare(words)]).filter(([run]) => run);
      // Tells most rows apart without a look at each name. The acronym of `Continuous Delivery (CD)` begins anywhere.
      const mayBe = (row) =>
        lows[row].includes("\t" + query.folded) || /^.\d+.$/.test(query.joined) ||
        asked.some(([run, begun]) => (run[2] && letters[row].includes(run)) || isBegun(words[row], begun) ||
          joined[row].includes(lows[row].includes("(") ? run : "\t" + run));
      const results = ranked(rows.filter(mayBe).map(term), query, rank);
      if (results.length || !query.joined || !search.isNear) return results;
      return ranked(rows.filter((row) => search.isNear(query, joined[row], words[row])).map(term), query, (name) => NEAR + search.nearness(name, query));
    };

    // `what is a cat?` asks for `cat`, unless that is a name.
    const plain = (text) => {
      const asked = text.replace(question, (_, ...found) => found.find(Boolean));
      return asked === text || find(text)[0]?.rank < SAME ? text : asked;
    };
    return { term, find, plain, get suggestions() { return suggestions.map(term); }, get terms() { return rows.map(term); } };
  };
}
