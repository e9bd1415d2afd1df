// Shows the passage of a definition that has the words of a query.
{
  const search = (self.glossarySearch ||= {});
  const WORD = `[\\p{L}\\p{M}\\p{N}'’]+|${search.SIGNS}`;

  // Returns the sentence with most of the query's words, in pieces: [text, the word that it is, if it is one]. The first
  // is the title of its source, if that is not the source of the term's own definition.
  const passage = (text, asked) => {
    const { UNSPACED, stem, wordsOf } = search;
    // Signs of code are no words, and may be short.
    const unspaced = asked.filter((word) => UNSPACED.test(word)), long = asked.filter((word) => word[2] || !wordsOf(word)[0]);
    const marked = [unspaced, long, asked].find(({ length }) => length), last = marked.at(-1), stems = marked.map(stem);
    // Returns the word of the query that a word of the text is, if any. The last one may not be finished.
    const found = (word) => {
      if (last.length > 3 && word.startsWith(last)) return stem(last);
      return stems.find((one) => one === stem(word));
    };
    // Words without spaces between them are looked for as they are. Every second piece is a word.
    const words = RegExp(`(${unspaced.join("|") || WORD})`, "u");
    const inPieces = (sentence) =>
      sentence.split(words).map((piece, i) => [piece, i % 2 ? found(wordsOf(piece).join("") || piece) : undefined]);
    const count = (pieces) => new Set(pieces.map(([, word]) => word)).size;
    // The definitions of other sources follow the term's own one, each after the title of its source and "\f".
    const sentences = text.split("\v").flatMap((definition) => {
      const [words, title = ""] = definition.split("\f").reverse();
      return words.split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/).map((sentence) => [[title], ...inPieces(sentence)]);
    });
    const [title, ...best] = sentences.reduce((one, two) => (count(two) > count(one) ? two : one));
    // A long sentence begins about seven words before the first that is found, and has about forty.
    const first = best.findIndex(([, word]) => word), from = first > 20 ? first - 14 : 0;
    return [title, [from ? "… " : ""], ...best.slice(from, from + 80)];
  };

  search.showPassage = (place, text, asked) => {
    const pieces = passage(text, asked);
    if (!pieces.some(([, word]) => word)) return;
    const mark = (text) => Object.assign(document.createElement("mark"), { textContent: text });
    place.replaceChildren(...pieces.map(([text, word]) => (word ? mark(text) : text)));
    place.hidden = false;
  };
}
