// Near misses of names and abbreviations: loaded when a query finds no name and has an unknown word.
{
  const search = (self.glossarySearch ||= {});

  // Counts letters to add, drop, replace or swap with their neighbor; Infinity above the limit.
  const distance = (one, two, limit) => {
    if (Math.abs(one.length - two.length) > limit) return Infinity;
    let before, last, row = [...Array(two.length + 1).keys()];
    for (let i = 0; i < one.length; i++) {
      [before, last, row] = [last, row, [i + 1]];
      for (let j = 0; j < two.length; j++) {
        row[j + 1] = Math.min(last[j] + (one[i] !== two[j]), last[j + 1] + 1, row[j] + 1);
        if (i && j && one[i] === two[j - 1] && one[i - 1] === two[j]) row[j + 1] = Math.min(row[j + 1], before[j - 1] + 1);
      }
      if (Math.min(...row) > limit) return Infinity;
    }
    return row.at(-1) > limit ? Infinity : row.at(-1);
  };
  const near = (one, two) => distance(one, two, two.length < 4 || two.length > 60 ? -1 : two.length < 8 ? 1 : 2);

  // Returns how far a name is from a query: 0 for the nearest, Infinity for one that is not near.
  search.nearness = ({ joined, words }, query) => {
    const whole = near(joined, query.joined);
    if (whole < Infinity) return whole;
    if (query.words.length > 6) return Infinity;
    const misses = query.words.map((word) => Math.min(...words.map((one) => near(one, word))));
    return misses.reduce((total, count) => total + count, 1.5);
  };

  // `srcdir` abbreviates `source directory`: it has letters of it in their order, from the first.
  search.abbreviation = ({ joined }, { joined: short }) =>
    short[3] && joined[0] === short[0] && RegExp([...short].map((letter) => `[^${letter}]*${letter}`).join(""), "u").test(joined) ? 0 : Infinity;

  search.distance = distance;
}
