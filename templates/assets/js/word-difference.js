// Which words differ between two wordings, much as `sitegen.words` tells: `glossaryWords.difference(before, after)`.
{
  const words = (self.glossaryWords ||= {});
  const ISLAND = 2, REWRITTEN = 0.6, MOST = 4_000_000;

  const key = (text) => text.normalize("NFC").toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{S}%#]/gu, "");

  // What stands between white space; a lone dash or bullet belongs to the word before it.
  const tokens = (text) => {
    const found = [];
    for (const piece of text.match(/\S+\s*/g) || []) {
      if (key(piece) || !found.length) found.push({ key: key(piece), text: piece });
      else found.at(-1).text += piece;
    }
    return found;
  };

  // For each pair of places, how many words the rests of both have in common, in order.
  const commons = (one, two) => {
    const width = two.length + 1, table = new Uint16Array((one.length + 1) * width);
    for (let i = one.length - 1; i >= 0; i--)
      for (let j = two.length - 1; j >= 0; j--)
        table[i * width + j] = one[i].key === two[j].key
          ? table[(i + 1) * width + j + 1] + 1
          : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
    return (i, j) => table[i * width + j];
  };

  // Runs of equal words, as `[place in one, place in two, length]`.
  const equalRuns = (one, two) => {
    const common = commons(one, two), runs = [];
    for (let i = 0, j = 0; i < one.length && j < two.length;) {
      if (one[i].key === two[j].key) {
        const run = runs.at(-1);
        if (run && run[0] + run[2] === i && run[1] + run[2] === j) run[2]++;
        else runs.push([i, j, 1]);
        i++, j++;
      } else if (common(i + 1, j) >= common(i, j + 1)) i++;
      else j++;
    }
    return runs.filter(([, , length], place) => length > ISLAND || place === 0 || place === runs.length - 1);
  };

  // Pieces `{kind, text}` in order, deleted before inserted; nothing where too little stayed for those to be read.
  words.difference = (before, after) => {
    const one = tokens(before), two = tokens(after);
    if (one.length * two.length > MOST) return null;
    const runs = equalRuns(one, two), pieces = [];
    const add = (kind, some) => some.length && pieces.push({ kind, text: some.map(({ text }) => text).join("") });
    let i = 0, j = 0, kept = 0;
    for (const [nextI, nextJ, length] of [...runs, [one.length, two.length, 0]]) {
      add("deleted", one.slice(i, nextI));
      add("inserted", two.slice(j, nextJ));
      add("same", two.slice(nextJ, nextJ + length));
      [i, j, kept] = [nextI + length, nextJ + length, kept + length];
    }
    return 1 - (2 * kept) / (one.length + two.length) > REWRITTEN ? null : pieces;
  };
}
