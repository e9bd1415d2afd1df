// Near misses of names: loaded when a query finds no name.
{
  const search = (self.glossarySearch ||= {});

  // Counts letters to add, drop, replace or swap with their neighbor; Infinity above the limit.
  const distance = (one, two, limit) => {
    if (Math.abs(one.length - two.length) > limit) return Infinity;
    let before = [], last = [], row = [...Array(two.length + 1).keys()];
    for (let i = 0; i < one.length; i++) {
      [before, last, row] = [last, row, before];
      // Cells farther from the diagonal than the limit exceed it.
      const from = Math.max(0, i - limit), to = Math.min(two.length, i + limit + 1);
      let least = (row[from] = from ? Infinity : i + 1);
      for (let j = from; j < to; j++) {
        let steps = Math.min(last[j] + (one[i] !== two[j]), last[j + 1] + 1, row[j] + 1);
        if (i && j && one[i] === two[j - 1] && one[i - 1] === two[j]) steps = Math.min(steps, before[j - 1] + 1);
        least = Math.min(least, (row[j + 1] = steps));
      }
      row[to + 1] = Infinity;
      if (least > limit) return Infinity;
    }
    return row[two.length] > limit ? Infinity : row[two.length];
  };
  const near = (one, two) => distance(one, two, two.length < 4 || two.length > 60 ? -1 : two.length < 8 ? 1 : 2);

  // A first look at all names of a term: `joined` are its names without spaces, `words` all their words.
  search.isNear = (query, joined, words) =>
    joined.includes(query.joined) ||
    joined.split("\t").some((name) => near(name, query.joined) < Infinity) ||
    (query.words.length < 7 && query.words.every((word) =>
      words.split(" ").some((one) => (word && one.startsWith(word)) || near(one, word) < Infinity)));

  // Returns how far a name is from a query: 0 for the nearest.
  search.nearness = (name, query) => {
    const whole = near(name.joined, query.joined);
    if (whole < Infinity || query.words.length > 6) return whole;
    const misses = query.words.map((word) => Math.min(...name.words.map((one) => (one.startsWith(word) ? 0 : near(one, word)))));
    const inside = query.joined.length > 2 && name.joined.includes(query.joined);
    return 1 + Math.min(inside ? 0 : Infinity, misses.reduce((sum, miss) => sum + miss, 0.5));
  };

  search.distance = distance;
}
