// Puts results by word in order, and shows the passage of each that has the words. Both look into the definitions.
{
  const search = (self.glossarySearch ||= {});
  const FEW = 10, LOOKED_AT = 40, FIRST = 0.7, TOGETHER = 0.5;

  // The definitions by row. A file has those from its first row on.
  const texts = [];
  const learn = async (rows) => {
    const files = search.names.texts, wanted = new Set(rows.map((row) => files.findLast(([first]) => first <= row)));
    await Promise.all([...wanted].map(async ([first, name]) => {
      if (first in texts) return;
      await glossaryPage.load(`search/${name}.js`);
      search[name].forEach((text, at) => { texts[first + at] = text; });
    }));
  };

  const share = (patterns, text) => patterns.filter((one) => one.test(text)).length / (patterns.length || 1);

  // Puts the rows that `search.openWords` found in order. Terms with all words come first, or with several in a name;
  // among them, those with the words in their first sentence, and one after the other, with short words between them
  // at most. Terms without all words only fill up a short list.
  search.inOrder = async ({ rows, known }, term) => {
    const order = (some) => some.sort(([, one, isMet], [, two, other]) => other - isMet || two - one);
    // What a word and its other forms begin with.
    const start = (word) => [...search.stem(word)].filter((letter, at) => letter === word[at]).join("");
    const words = known.filter((word) => !search.signsOf(word).length).map((word) => RegExp(`(?<![\\p{L}\\p{N}])${start(word)}`, "u"));
    const pairs = words.slice(1).map((word, at) => RegExp(`${words[at].source}\\S* (?:\\S{1,4} ){0,2}${word.source}`, "u"));
    if (search.names.texts.length < 2) await learn([0]).catch(() => {});
    const best = order(rows).slice(0, LOOKED_AT).map(([row, score, isMet]) => {
      const first = share(words, search.fold(term(row).sentence || "")), together = share(pairs, search.fold(texts[row] || ""));
      return [row, score * (1 + FIRST * first + TOGETHER * together), isMet];
    });
    return [...order(best), ...rows.slice(LOOKED_AT)].filter(([, , isMet], at) => isMet || at < FEW).map(([row]) => row);
  };

  // Returns the sentence with most of the query's words, in pieces: [text, whether it is one of the words].
  const passage = (text, asked) => {
    const long = asked.filter((word) => word.length > 2 || search.UNSPACED.test(word) || search.signsOf(word).length);
    const marked = long.length ? long : asked, stems = marked.map(search.stem), last = marked.at(-1);
    const isAsked = (piece) => {
      const [word, ...more] = [...search.signsOf(piece), ...search.wordsOf(piece)];
      return Boolean(word) && !more.length && (stems.includes(search.stem(word)) || (last === asked.at(-1) && last.length > 1 && word.startsWith(last)));
    };
    const inPieces = (sentence) => sentence.split(/([\p{L}\p{M}\p{N}'’]+|[!#$%&*+/:<=>?@\\^_|~-]{2,})/u).map((piece, i) => [piece, i % 2 > 0 && isAsked(piece)]);
    const count = (pieces) => new Set(pieces.filter(([, is]) => is).map(([piece]) => search.stem(search.fold(piece)))).size;
    const sentences = text.split(/(?<=[.!?。])\s+|\n+/).map(inPieces);
    const best = sentences.reduce((one, two) => (count(two) > count(one) ? two : one));
    const from = Math.max(0, best.findIndex(([, is]) => is) - 24);
    return count(best) ? [...(from ? [["… ", false]] : []), ...best.slice(from, from + 80)] : [];
  };

  search.showPassage = (place, row, asked) => {
    const text = texts[row], pieces = text && asked.length ? passage(text, asked) : [];
    if (!pieces.length) return;
    const marked = (text) => Object.assign(document.createElement("mark"), { textContent: text });
    place.replaceChildren(...pieces.map(([text, is]) => (is ? marked(text) : text)));
    place.hidden = false;
  };

  // Loads the definitions of these rows; returns false if all are loaded.
  search.learnPassages = async (rows) => {
    const wanted = rows.slice(0, FEW).filter((row) => !(row in texts));
    await learn(wanted).catch(() => {});
    return wanted.length > 0;
  };
}
