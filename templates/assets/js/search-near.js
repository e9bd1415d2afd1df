// Near misses of names and abbreviations: for a query that finds no name and has an unknown word.
{
  const search = (self.glossarySearch ||= {});

  // Counts letters to add, drop, replace or swap with their neighbor; Infinity above the limit. `row` has the counts from
  // the first letters of `one` to each beginning of `two`; the two rows before it are those of fewer letters.
  const distance = (one, two, limit) => {
    if (Math.abs(one.length - two.length) > limit) return Infinity;
    let before, last, row = [...Array(two.length + 1).keys()];
    for (let i = 0; i < one.length; i++) {
      [before, last, row] = [last, row, [i + 1]];
      for (let j = 0; j < two.length; j++) {
        const replaced = last[j] + (one[i] !== two[j]), dropped = last[j + 1] + 1, added = row[j] + 1;
        const isSwapped = i && j && one[i] === two[j - 1] && one[i - 1] === two[j];
        row[j + 1] = Math.min(replaced, dropped, added, isSwapped ? before[j - 1] + 1 : Infinity);
      }
      if (Math.min(...row) > limit) return Infinity;
    }
    return row.at(-1) > limit ? Infinity : row.at(-1);
  };

  // A short word is like too many others, and a long text takes too long to compare.
  const limitOf = ({ length }) => {
    if (length < 4 || length > 60) return -1;
    return length < 8 ? 1 : 2;
  };
  const near = (one, two) => distance(one, two, limitOf(two));

  // Returns how far a name is from a query: 0 for the nearest, Infinity for one that is not near.
  search.nearness = ({ joined, words }, query) => {
    const whole = near(joined, query.joined);
    if (whole < Infinity || query.words.length > 6) return whole;
    // Or each word of the query is near one of the name.
    const misses = query.words.map((word) => Math.min(...words.map((one) => near(one, word))));
    return misses.reduce((total, count) => total + count, 0);
  };

  // `srcdir` abbreviates `source directory`: it has letters of it in their order, from the first.
  search.abbreviation = ({ joined }, { joined: short }) => {
    if (short.length < 4 || joined[0] !== short[0]) return Infinity;
    const lettersInOrder = [...short].map((letter) => `[^${letter}]*${letter}`).join("");
    return RegExp(lettersInOrder, "u").test(joined) ? 0 : Infinity;
  };

  search.distance = distance;
}
