// Shows the passage of a definition that has the words of a query.
{
  const search = (self.glossarySearch ||= {});

  // Returns the sentence with most of the query's words, in pieces. The first is the title of its source, if that is not
  // the source of the term's own definition.
  const passage = (text, asked) => {
    const cut = search.cutter(asked);
    const count = (pieces) => new Set(pieces.map(([, word]) => word)).size;
    // A paragraph that begins with one word, such as "Deprecated.", is not split after it.
    // The definitions of other sources follow the term's own one, each after the title of its source and "\f".
    const sentences = text.split("\v").flatMap((definition) => {
      const [words, title = ""] = definition.split("\f").reverse();
      return words.split(/(?<= \S*[.!?])\s+|(?<=[。！？])|\n+/).map((sentence) => [[title], ...cut(sentence)]);
    });
    const [title, ...best] = sentences.reduce((one, two) => (count(two) > count(one) ? two : one));
    // A long sentence begins about seven words before the first that is found, and has about forty.
    const first = best.findIndex(([, word]) => word), from = first > 20 ? first - 14 : 0;
    return [title, [from ? "… " : ""], ...best.slice(from, from + 80)];
  };

  search.showPassage = (place, text, asked) => {
    const pieces = passage(text, asked);
    if (!pieces.some(([, word]) => word)) return;
    search.mark(place, pieces);
    place.hidden = false;
  };
}
