// Shows the matching passage of a result that was found by words of its definition.
{
  const search = (self.glossarySearch ||= {});

  // The loaded definitions by address. A page from disk cannot load them.
  const definitions = new Map();
  const learn = async (address) => {
    const text = await fetch(new URL("index.json", address)).then((answer) => answer.json(), () => ({}));
    definitions.set(address, text.definition?.text || "");
  };

  // Returns the sentence with most of the query's words, in pieces: [text, whether it is one of the words].
  const passage = (text, asked) => {
    const stems = asked.map(search.stem);
    const isAsked = (piece) => {
      const [word, ...more] = [...search.signsOf(piece), ...search.wordsOf(piece)];
      return Boolean(word) && !more.length && (stems.includes(search.stem(word)) || (asked.at(-1).length > 1 && word.startsWith(asked.at(-1))));
    };
    const marked = (sentence) => sentence.split(/([\p{L}\p{M}\p{N}'’]+|[!#$%&*+/:<=>?@\\^_|~-]{2,})/u).map((piece, i) => [piece, i % 2 > 0 && isAsked(piece)]);
    const count = (pieces) => new Set(pieces.filter(([, is]) => is).map(([piece]) => search.stem(search.fold(piece)))).size;
    const sentences = text.split(/(?<=[.!?。])\s+|\n+/).map(marked);
    const best = sentences.reduce((one, two) => (count(two) > count(one) ? two : one));
    const from = Math.max(0, best.findIndex(([, is]) => is) - 24);
    return count(best) ? [...(from ? [["… ", false]] : []), ...best.slice(from, from + 80)] : [];
  };

  search.showPassage = (place, address, asked) => {
    const text = definitions.get(address), pieces = text ? passage(text, asked) : [];
    if (!pieces.length) return;
    const marked = (text) => Object.assign(document.createElement("mark"), { textContent: text });
    place.replaceChildren(...pieces.map(([text, is]) => (is ? marked(text) : text)));
    place.hidden = false;
  };

  // Loads the definitions of these addresses; returns false if all are loaded.
  search.learnPassages = async (addresses) => {
    const wanted = location.protocol === "file:" ? [] : addresses.filter((address) => !definitions.has(address));
    await Promise.all(wanted.map((address) => learn(address).catch(() => {})));
    return wanted.length > 0;
  };
}
