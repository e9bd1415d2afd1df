// Finds terms by name in the list that `sitegen.site.search` writes. Ranks, best first: exact names; names that
// differ in punctuation, separators or plurals; what a call or a path names; prefixes; beginnings of words; letters
// inside of words. Or finds names by another comparison, as those of `search-near.js`.
{
  const search = (self.glossarySearch ||= {});
  const { spaced, fold, wordsOf, stem, UNSPACED } = search;
  // Ranks: those of the same name are below SAME, those of names that are only near at least NEAR. OTHER is added for a
  // name that is not the main one; REMOVED for a term that is gone, unless its name differs in signs or a plural alone.
  const SAME = 3, NAMED = 4, PREFIX = 5, BEGUN = 6, INSIDE = 7, NEAR = 8, OTHER = 0.4, REMOVED = 10;
  // The fewest letters that are looked for inside of words, and that begin the name of a section: fewer find too many.
  const LONG = 4;
  // The character before a name is the status of its term, or the kind of name.
  const STATES = { "=": "current", "!": "deprecated", "~": "removed" };
  const KINDS = { "+": "also", "-": "formerly", ">": "merged" };

  // The forms of a text in which names and queries are compared: of "Data-Loaders", folded `data-loaders`, spaced
  // ` data loaders `, joined `dataloaders`, words `data` and `loaders`, stems `data load`.
  class Forms {
    constructor(text) {
      this.text = text;
      this.folded = fold(text);
      this.spaced = ` ${spaced(this.folded).trim()} `;
      this.joined = this.spaced.replace(/ /g, "");
    }
    get words() { return (this.split ||= wordsOf(this.text)); }
    get stems() { return (this.stemmed ||= this.words.map(stem).join(" ")); }
  }

  // The first letters of words, `acl` for `access control list`, and `i18n` for a word by its length.
  const abbreviations = ({ folded, words }) =>
    [words[1] && words.map(([first]) => first).join(""), folded[0] + (folded.length - 2) + folded.at(-1)];

  const singular = (joined) => joined.replace(/ies$/, "y").replace(/(?<=ch|sh|[sxz])es$|(?<=[^s])s$/, "");

  // Returns the rank of a name for a query that is the same name, else Infinity.
  const same = (name, query) => {
    if (name.text === query.text) return 0;
    if (name.folded === query.folded) return 0.5;
    if (!query.joined) return Infinity; // a query of signs alone
    if (name.spaced === query.spaced) return 1;
    if (singular(name.joined) === singular(query.joined)) return 2;
    if (name.stems === query.stems) return 2.5;
    return name.parts?.some((part) => same(part, query) < SAME) ? 2.5 : Infinity;
  };
  // Returns the rank of a name for any query, Infinity if it is not found.
  const rank = (name, query) => {
    const place = same(name, query);
    if (place < SAME) return place;
    const part = query.parts.findIndex((part) => same(name, part) < SAME);
    if (part >= 0) return NAMED + part / 100; // in the order of the parts
    // Two small letters rather begin a name than abbreviate one: `VM` asks for `virtual machine`, `pr` for `process` too.
    const isAbbreviated = abbreviations(name).includes(query.joined);
    if (isAbbreviated && (query.joined[2] || query.text !== query.folded)) return NAMED;
    if (name.folded.startsWith(query.folded)) return PREFIX;
    if (query.joined.length > 1 && name.joined.startsWith(query.joined)) return PREFIX;
    if (query.called && name.spaced.startsWith(query.called)) return PREFIX;
    if (!query.joined) return Infinity;
    // Words may begin in any order; in Chinese and Japanese they begin at any character. A single letter is a whole word.
    const has = (text) => name.spaced.includes(text);
    const isBegun = (word) => has(UNSPACED.test(word) ? word : ` ${word}${word.length > 1 ? "" : " "}`);
    if (isAbbreviated || query.words.every(isBegun)) return BEGUN;
    // `bread crumbs` begins `breadcrumb trail`.
    if (query.joined.length >= LONG && name.joined.startsWith(singular(query.joined))) return BEGUN + 0.5;
    // `grad` is inside of `autograd`. A Korean syllable is several letters.
    const isInside = (word) => isBegun(word) || (has(word) && word.normalize("NFD").length >= LONG);
    return query.words.every(isInside) ? INSIDE : Infinity;
  };

  // `clf.fit(X, y)` asks for `clf.fit` and for `fit`, also within a sentence, `head vs tip` for both, and
  // `node in a cluster` for `node`.
  const parsed = (text, joining) => {
    const query = new Forms(text), [called] = /[^\s([{<]+(?=[([{<])/.exec(text) ?? [];
    const path = called ?? text.replace(/[([{<].*$/s, ""), last = path.split(/[.:/#]+/).findLast(Boolean) ?? "";
    const isPart = (part) => part !== text && /[\p{L}\p{N}]/u.test(part);
    query.parts = [path, last, ...text.split(joining)].filter(isPart).map((part) => new Forms(part));
    if (called && isPart(last)) query.called = new Forms(last).spaced;
    return query;
  };

  // Reads a name of the list: "-Feeder", and after "\v" the release in which it ended.
  const named = (cell) => {
    const [text, ended] = cell.slice(1).split("\v"), name = new Forms(text);
    name.kind = KINDS[cell[0]] || "";
    name.ended = ended;
    // `Continuous Delivery (CD)` is two names in one.
    name.parts = /^(.+?) \((.+)\)$/.exec(name.text)?.slice(1).map((part) => new Forms(part));
    return name;
  };

  // Returns the terms that have a rank, each with its best name, the best first; of those that a query only begins, the
  // one with the shortest name.
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

  search.readNames = ({ names, slugs, settings, suggestions, sections, sentences, questions, joining, endings }) => {
    search.endings = endings;
    const question = RegExp(`^[\\s¿]*(?:${questions})[\\s?!.。？؟]*$`, "iu"), between = RegExp(` (?:${joining.replaceAll(".", "\\.")}) `, "i");
    const lines = names ? names.split("\n") : [], said = sentences.split("\n");
    const terms = lines.map((line, row) => {
      const names = line.split("\t").map(named), [main] = names;
      const slug = slugs[row] ?? main.spaced.trim().replaceAll(" ", "-"); // most are the words of the name
      return { row, names, name: main.text, slug, status: STATES[line[0]], sentence: said[row], setting: settings[row] };
    });

    // `like` returns how far a name is from a query; without it, only names with the query's words or letters are found.
    const find = (text, like) => {
      const query = parsed(text, between);
      if (!query.folded || (like && !query.joined)) return [];
      return ranked(terms, query, like ? (name) => NEAR + like(name, query) : rank);
    };

    // Returns the section, the list of terms or the release that a text names or begins to name, with the terms of the
    // whole name; undefined if there is none. A release has no terms, and is found by its whole name alone. `label` is the
    // text of a link; `steps` lead from the row of a term to that of the next.
    const headed = sections.map(([heading, address, label, steps]) => {
      let row = 0;
      return { names: [new Forms(heading)], heading, address, label, terms: steps?.map((step) => terms[(row += step)]) };
    });
    const findSection = (text) => {
      const query = parsed(text, between), begins = query.joined.length >= LONG;
      const best = ranked(headed, query, rank).find(({ rank, term }) => rank < SAME || (rank === PREFIX && begins && term.terms));
      return best && (best.rank < SAME ? best.term : { ...best.term, terms: [] });
    };

    // `what is a cat?` asks for `cat`, unless that is a name.
    const plain = (text) => {
      const asked = text.replace(question, (_, ...found) => found.find(Boolean));
      return find(text)[0]?.rank < SAME ? text : asked;
    };
    return { terms, suggestions: suggestions.map((row) => terms[row]), releases: headed.filter(({ terms }) => !terms), find, findSection, plain };
  };
}
