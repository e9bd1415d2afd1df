// Ranks terms by the words of a query, with lunr's formula, from the index that `sitegen.site.search` writes.
{
  const search = (self.glossarySearch ||= {});
  // A name weighs more than a definition, a whole word more than one that only begins with what was typed. The
  // saturation is higher than lunr's 1.2, so that a word of a first sentence, which is counted several times, weighs more.
  // A result without all words of a query weighs less, and only fills up a list of FEW. Common words ("up", "use") do
  // not count among these where a query has others.
  const FIELD_WEIGHTS = [3, 1], PREFIX_WEIGHT = 0.1, SATURATION = 3, LENGTH_MATTERS = 0.75, COVERAGE = 0.5, FEW = 8;

  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

  // "8,3.2" means [[8, 1], [11, 2]]: rows, and the count of the word in each.
  const unpacked = (text) => {
    let row = 0;
    return (text ? text.split(",") : []).map((item) => {
      const [step, count = 1] = item.split(".").map(Number);
      return [(row += step), count];
    });
  };

  // Returns a function from the fields of a word to the weight of the word in each of its rows: BM25.
  const weigher = (lengths) => {
    const averages = lengths.map((field) => sum(field) / field.length);
    return (texts) => {
      const fields = texts.map(unpacked), rows = fields.flat().length;
      const rarity = Math.log(1 + Math.abs((lengths[0].length - rows + 0.5) / (rows + 0.5)));
      return fields.flatMap((postings, field) => postings.map(([row, count]) => {
        const length = 1 - LENGTH_MATTERS + LENGTH_MATTERS * (lengths[field][row] / averages[field]);
        return [row, (FIELD_WEIGHTS[field] * rarity * (SATURATION + 1) * count) / (SATURATION * length + count)];
      }));
    };
  };

  // Returns a function that finds by words: the rows, best first, each with its score and its share of the words that
  // count; those words, which are known, and not common if others are known; and the unknown words.
  const open = ({ stops, common, lengths, lines }) => {
    const weigh = weigher(lengths), postings = new Map();
    for (const [word, ...fields] of lines.split("\n").map((line) => line.split(" "))) postings.set(word, fields);
    const begunWith = (word) => [...postings.keys()].filter((indexed) => indexed.startsWith(word));

    return (asked) => {
      const words = asked.filter((word) => !stops.includes(word)), last = words.at(-1);
      // The last word may not be finished, so it is also looked for as a prefix. A single letter begins too many words.
      const mayBegin = last && last === asked.at(-1) && (last[1] || search.UNSPACED.test(last));
      const scores = new Map(), known = [], unknown = [];
      words.forEach((word, i) => {
        const forms = [[search.stem(word), 1]], rows = new Set();
        if (mayBegin && i === words.length - 1) for (const longer of begunWith(word)) forms.push([longer, PREFIX_WEIGHT]);
        for (const [form, weight] of forms)
          for (const [row, score] of weigh(postings.get(form) || [])) {
            scores.set(row, (scores.get(row) || 0) + weight * score);
            rows.add(row);
          }
        if (rows.size) known.push({ word, rows });
        else unknown.push(word);
      });
      const rare = known.filter(({ word }) => !common.includes(word)), counted = rare.length ? rare : known;
      const share = (row) => counted.filter(({ rows }) => rows.has(row)).length / counted.length;
      const rows = [...scores].map(([row, score]) => [row, score, share(row)]);
      rows.sort(([one, high], [two, low]) => low - high || one - two);
      return { rows, asked: counted.map(({ word }) => word), unknown };
    };
  };

  // Returns a function to results by word. A term without all words weighs less, and only fills up a short list; removed
  // ones come last.
  search.openWords = (terms, index) => {
    const find = open(index);
    return (words) => {
      const { rows, asked, unknown } = find(words);
      const results = rows.map(([row, score, share]) => {
        const hasAll = share === 1 && !unknown.length;
        return { term: terms[row], asked, weight: score * share ** COVERAGE, share, hasAll };
      });
      const isGone = ({ term }) => term.status === "removed";
      results.sort((one, two) => isGone(one) - isGone(two) || two.weight - one.weight);
      return { found: results.filter(({ share }, at) => share === 1 || at < FEW), unknown };
    };
  };
  search.openIndex = open;
}
