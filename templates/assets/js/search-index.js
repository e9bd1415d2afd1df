// Ranks terms by the words of a query, with lunr's formula, from the index that `sitegen.site.search.index` writes.
// The same script, after `search-words.js`, is also the worker that does this; each message to it has a query's words.
{
  const search = (self.glossarySearch ||= {});
  const PREFIX_WEIGHT = 0.1, FIELD_WEIGHTS = [3, 1], SATURATION = 1.2, LENGTH_MATTERS = 0.75;

  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const round = (number) => Math.round(number * 1000) / 1000;

  // "8,3.2" means [[8, 1], [11, 2]]: rows, and the count of the word in each.
  const unpacked = (text) => {
    let row = 0;
    return (text ? text.split(",") : []).map((item) => {
      const [step, count = 1] = item.split(".").map(Number);
      return [(row += step), count];
    });
  };

  // The weight of a word in each of its rows, for each field: BM25 with lunr's constants.
  const weigher = (lengths) => {
    const averages = lengths.map((field) => sum(field) / field.length);
    return (texts) => {
      const fields = texts.map(unpacked), rows = sum(fields.map((postings) => postings.length));
      const rarity = Math.log(1 + Math.abs((lengths[0].length - rows + 0.5) / (rows + 0.5)));
      return fields.map((postings, field) => postings.map(([row, count]) => {
        const length = 1 - LENGTH_MATTERS + LENGTH_MATTERS * (lengths[field][row] / averages[field]);
        const weight = (rarity * ((SATURATION + 1) * count)) / (SATURATION * length + count);
        return [row, round(weight * FIELD_WEIGHTS[field])];
      }));
    };
  };

  // Returns rows with scores, best first. `query` has each word's weight, and `weighed` its rows for each field.
  const scored = (query, weighed) => {
    const sums = new Map(), scores = new Map();
    const each = (word, add) =>
      weighed.get(word).forEach((rows, field) => rows.forEach(([row, weight]) => add(2 * row + field, weight)));
    for (const word of query.keys()) each(word, (match) => sums.set(match, 0));
    // In the order of words, so that sums round as lunr's do.
    const words = [...query.keys()].sort(), length = Math.sqrt(sum(words.map((word) => query.get(word) ** 2)));
    for (const word of words)
      each(word, (match, weight) => sums.set(match, sums.get(match) + query.get(word) * weight));
    for (const [match, total] of sums) {
      const row = match >> 1;
      scores.set(row, (scores.get(row) || 0) + total / length);
    }
    return [...scores].sort(([, one], [, two]) => two - one);
  };

  // lunr.js visits the words of a prefix in this order, which decides between equal scores.
  const asLunrMeets = (one, two) => (two.startsWith(one) ? -1 : one.startsWith(two) || one < two ? 1 : -1);

  // `load` runs the scripts of these names, each of which sets the property of its name.
  const open = async (index, load) => {
    const read = async (names) => {
      const missing = names.filter((name) => !(name in search));
      if (missing.length) await load(missing);
      return names.map((name) => search[name]);
    };
    const [{ endings, stemmed, stops, lengths, starts, shards }] = await read([index]);
    search.endings = endings;
    const weigh = weigher(lengths), postings = new Map(), known = new Set();

    const shardOf = (word) => starts.findLastIndex((start) => start <= word);

    // Loads every shard that has one of these words, or words that begin with the last.
    const learn = async (words, last) => {
      const found = new Set([...words, last].map(shardOf));
      const wanted = shards.filter((_, i) => found.has(i) || (last && starts[i].startsWith(last)));
      const fresh = wanted.filter((shard) => !known.has(shard));
      for (const text of await read(fresh))
        for (const [word, ...fields] of text.split("\n").map((line) => line.split(" "))) postings.set(word, fields);
      fresh.forEach((shard) => known.add(shard));
    };

    return async (asked) => {
      const typed = asked.filter((word, i) => !(asked[i + 1] && stops.includes(word)));
      // Each word, and the last one also as a prefix, since it may not be finished.
      const words = stemmed ? typed.map(search.stem) : typed, final = typed.at(-1) || "";
      const last = final[1] || search.UNSPACED.test(final) ? final : "";
      await learn(words, last);
      const begun = last ? [...postings.keys()].filter((word) => word.startsWith(last)).sort(asLunrMeets) : [];
      const query = new Map();
      const add = (weight) => (word) => postings.has(word) && query.set(word, (query.get(word) || 0) + weight);
      words.forEach(add(1));
      begun.forEach(add(PREFIX_WEIGHT));
      const weighed = new Map([...query.keys()].map((word) => [word, weigh(postings.get(word))]));
      // The rows of each word, in any field or in names only. A last word that is known is finished.
      const rowsOf = (field) => new Map(words.map((word, i) => {
        const several = typed[i + 1] || postings.has(word) ? [word] : begun;
        return [word, new Set(several.flatMap((one) => (weighed.get(one) || []).slice(0, field).flat().map(([row]) => row)))];
      }));
      const all = rowsOf(2), names = [...rowsOf(1).values()];
      const known = typed.filter((_, i) => all.get(words[i]).size);
      const isMet = (row) => !words.some((word) => all.get(word).size && !all.get(word).has(row)) || names.filter((rows) => rows.has(row)).length > 1;
      return { rows: scored(query, weighed).map(([row, score]) => [row, score, isMet(row)]), known };
    };
  };

  const ask = (worker, question) =>
    new Promise((resolve, reject) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data: { found, failed } }) => (failed ? reject(new Error(failed)) : resolve(found));
      worker.postMessage(question, [port2]);
    });

  const inWorker = (index, { root }) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL("assets/js/search-index.js", root)), folder = new URL("search/", root).href;
      worker.onmessage = () => resolve((words) => ask(worker, { index, folder, words }));
      worker.onerror = reject;
    });

  // Returns a function that finds by words: the rows, best first, each with its score and true if it has all words or
  // several of them in a name; and the words that are known. A page from disk may have no worker.
  search.openWords = (index) => inWorker(index, glossaryPage).catch(() =>
    open(index, (names) => Promise.all(names.map((name) => glossaryPage.load(`search/${name}.js`)))));
  search.openIndex = open;

  if (self.importScripts) {
    let find;
    onmessage = async ({ data: { index, folder, words }, ports: [port] }) => {
      try {
        find ||= await open(index, (names) => importScripts(...names.map((name) => `${folder}${name}.js`)));
        port.postMessage({ found: await find(words) });
      } catch (error) {
        port.postMessage({ failed: String(error) });
      }
    };
    postMessage("ready");
  }
}
