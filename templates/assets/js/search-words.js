// The words of a text, folded as `sitegen.site.search.search_words` folds those of the index, and their stems.
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

  // English stems by the rules of Porter (1980) as lunr.py applies them: the index was made with lunr.py's stemmer.
  const endings = (text) =>
    text.split(" ").map((pair) => pair.split(":")).sort(([one], [two]) => two.length - one.length);
  const DOUBLE = endings(
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize " +
    "ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log",
  );
  const SINGLE = endings("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:");
  const DROPPED = endings("al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ion: ou: ism: ate: iti: ous: ive: ize:");

  const shape = (word) => {
    let kinds = "";
    for (const letter of word)
      kinds += "aeiou".includes(letter) || (letter === "y" && kinds.endsWith("c")) ? "v" : "c";
    return kinds;
  };
  const measure = (word) => shape(word).split("vc").length - 1;
  const isShort = (word) => /^c+vc$/.test(shape(word)) && !/[wxy]$/.test(word);
  const cut = (word, letters) => word.slice(0, word.length - letters);

  const mend = (base) =>
    /(at|bl|iz)$/.test(base) ? base + "e"
    : /([^aeiouylsz])\1$/.test(base) ? cut(base, 1)
    : isShort(base) ? base + "e"
    : base;

  const change = (word, table, least) => {
    const [ending, put] = table.find(([ending]) => word.length > ending.length && word.endsWith(ending)) || [""];
    const base = cut(word, ending.length);
    if (!ending || measure(base) < least || (ending === "ion" && !/[st]$/.test(base))) return word;
    return base + put;
  };

  // The data of other languages bring their endings.
  const stem = (word) => {
    if (search.endings?.length) return search.endings.reduce((word, [ending, put]) => word.replace(RegExp(ending, "g"), put), word);
    if (word.length < 3) return word;
    if (/(ss|i)es$/.test(word)) word = cut(word, 2);
    else if (/[^s]s$/.test(word)) word = cut(word, 1);
    const [, past] = word.match(/(.+)(?:ed|ing)$/) || [];
    if (/eed$/.test(word)) word = cut(word, measure(cut(word, 3)) ? 1 : 0);
    else if (past && shape(past).includes("v")) word = mend(past);
    if (/y$/.test(word) && shape(cut(word, 1)).includes("v")) word = cut(word, 1) + "i";
    word = change(change(change(word, DOUBLE, 1), SINGLE, 1), DROPPED, 2);
    const base = cut(word, 1);
    if (/.e$/.test(word) && (measure(base) > 1 || (measure(base) === 1 && !isShort(base)))) word = base;
    return /ll$/.test(word) && measure(word) > 1 ? cut(word, 1) : word;
  };

  Object.assign(search, { spaced, fold, wordsOf, signsOf, stem, SIGNS, UNSPACED });
}
