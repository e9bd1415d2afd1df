// Answers from a serialised lunr 2.3 index what lunr.js itself would: the same results, scores and order.
// Also runs as a worker: the first message is the address of the index, each later one the words of a query.
{
  const search = (self.glossarySearch ||= {});
  const PREFIX_WEIGHT = 0.1;

  // `sitegen.stem` is the same in Python and explains the rules.
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

  const stem = (word) => {
    if (word.length < 3) return word;
    if (/.(ss|i)es$/.test(word)) word = cut(word, 2);
    else if (/[^s]s$/.test(word)) word = cut(word, 1);
    const [, past] = word.match(/(.+)(?:ed|ing)$/) || [];
    if (/.eed$/.test(word)) word = cut(word, measure(cut(word, 3)) ? 1 : 0);
    else if (past && shape(past).includes("v")) word = mend(past);
    word = word.replace(/(.[^aeiou])y$/, "$1i");
    word = change(change(change(word, DOUBLE, 1), SINGLE, 1), DROPPED, 2);
    const base = cut(word, 1);
    if (/.e$/.test(word) && (measure(base) > 1 || (measure(base) === 1 && !isShort(base)))) word = base;
    return /ll$/.test(word) && measure(word) > 1 ? cut(word, 1) : word;
  };

  // lunr.js meets the words of a prefix in this order, and equal scores keep the order in which they are met.
  const asLunrMeets = (one, two) => (two.startsWith(one) ? -1 : one.startsWith(two) || one < two ? 1 : -1);

  const readWords = ({ fields, fieldVectors, invertedIndex, pipeline }) => {
    const postings = new Map(invertedIndex);
    const vectors = new Map(fieldVectors);
    const stemmed = pipeline.includes("stemmer") ? stem : (word) => word;

    // Every word, and the last one also as the beginning of a word: it may not be finished.
    const clauses = (words) => {
      const last = words.at(-1);
      const begun = last?.length > 1 ? [...postings.keys()].filter((word) => word.startsWith(last)) : [];
      return [
        ...words.map((word) => [stemmed(word), 1]),
        ...begun.sort(asLunrMeets).map((word) => [word, PREFIX_WEIGHT]),
      ];
    };

    const find = (words) => {
      const queries = new Map(fields.map((field) => [field, new Map()]));
      const matches = new Set();
      for (const [word, weight] of clauses(words)) {
        const posting = postings.get(word);
        if (!posting) continue;
        for (const [field, query] of queries) {
          query.set(posting._index, (query.get(posting._index) || 0) + weight);
          for (const ref of Object.keys(posting[field])) matches.add(field + "/" + ref);
        }
      }
      return scored(matches, queries);
    };

    const scored = (matches, queries) => {
      const lengths = new Map([...queries].map(([field, query]) => [field, magnitude(query)]));
      const scores = new Map();
      for (const match of matches) {
        const [field, ref] = match.split("/");
        const score = dot(queries.get(field), vectors.get(match)) / lengths.get(field);
        scores.set(ref, (scores.get(ref) || 0) + score);
      }
      return [...scores].sort(([, one], [, two]) => two - one);
    };
    return find;
  };

  // In the order of word numbers, so that sums round as lunr's do.
  const magnitude = (query) =>
    Math.sqrt([...query].sort(([one], [two]) => one - two).reduce((sum, [, weight]) => sum + weight * weight, 0));

  const dot = (query, vector) => {
    let sum = 0;
    for (let i = 0; i < vector.length; i += 2) sum += (query.get(vector[i]) || 0) * vector[i + 1];
    return sum;
  };

  search.stem = stem;
  search.readWords = readWords;

  if (self.importScripts) {
    let find;
    onmessage = ({ data }) => {
      if (find) return postMessage(find(data));
      importScripts(data);
      find = readWords(search.words);
      postMessage("ready");
    };
  }
}
