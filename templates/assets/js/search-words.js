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

  Object.assign(search, { spaced, fold, wordsOf, signsOf, stem, SIGNS, UNSPACED });
}
