// The words of a text, folded as `sitegen.site.search.search_words` folds those of the index, and without endings.
{
  const search = (self.glossarySearch ||= {});

  const fold = (text) =>
    text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toUpperCase().toLowerCase().normalize("NFC").replace(/\s+/g, " ").trim();
  const spaced = (text) => text.replace(/['’]/g, "").replace(/[^\p{L}\p{M}\p{N}]+/gu, " ");

  // Chinese and Japanese have no spaces: a run of their characters counts as its pairs of neighbors.
  const UNSPACED = /([\u3005\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]+)/u;
  const pairs = (run, i) => {
    const letters = [...run];
    return i % 2 && letters.length > 1 ? letters.slice(1).map((letter, at) => letters[at] + letter) : run || [];
  };
  const wordsOf = (text) => spaced(fold(text)).split(" ").flatMap((word) => word.split(UNSPACED).flatMap(pairs));

  // Signs of code are searched too: `//`, `__`, `->`.
  const SIGNS = "[!#$%&*+/:<=>?@\\\\^_|~-]{2,}";
  const signsOf = (text) => text.match(RegExp(SIGNS, "g")) || [];

  // Words are compared without their endings, which the data bring with them.
  const stem = (word) => search.endings.reduce((word, [ending, put]) => word.replace(RegExp(ending, "g"), put), word);

  // Returns a function that cuts a text into pieces: [text, the word of the query that it is, if it is one]. Words of one
  // or two letters are found only for a query without others.
  const cutter = (asked) => {
    // Signs of code are no words, and may be short.
    const unspaced = asked.filter((word) => UNSPACED.test(word)), long = asked.filter((word) => word[2] || !wordsOf(word)[0]);
    const sought = [unspaced, long].find(({ length }) => length) || asked, last = sought.at(-1), stems = sought.map(stem);
    // The last word may not be finished.
    const isLast = (word) => last?.length > 3 && word.startsWith(last);
    const found = (word) => stems.find((one) => one === stem(isLast(word) ? last : word));
    // Words without spaces between them are looked for as they are. Every second piece is a word.
    const words = RegExp(`(${unspaced.join("|") || `[\\p{L}\\p{M}\\p{N}'’]+|${SIGNS}`})`, "u");
    return (text) => text.split(words).map((piece, i) => [piece, i % 2 ? found(wordsOf(piece).join("") || piece) : undefined]);
  };

  Object.assign(search, { spaced, fold, wordsOf, signsOf, stem, cutter, UNSPACED });
}
