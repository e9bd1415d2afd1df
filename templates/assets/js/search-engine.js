// Loads what a query needs, when it needs it: the list of names first, the index of words when names fall short.
{
  const search = (self.glossarySearch ||= {});
  const here = document.currentScript.src;
  const LONGEST = 200;
  const tidy = (text) => text.trim().slice(0, LONGEST);

  const load = (url) =>
    new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: url, onload: resolve, onerror: reject });
      document.head.append(script);
    });

  // Made at the first call; a failure is not kept, so that the next call tries again.
  const lazily = (make) => {
    let made;
    return () => (made ||= make().catch((error) => { made = undefined; throw error; }));
  };

  const inWorker = (words) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL("search-index.js", here));
      const waiting = [];
      const ask = (message) =>
        new Promise((answer) => { waiting.push(answer); worker.postMessage(message); });
      worker.onmessage = ({ data }) => waiting.shift()(data);
      worker.onerror = reject;
      ask(words.href).then(() => resolve(ask));
    });

  const onPage = async (words) => {
    await Promise.all([load(new URL("search-index.js", here)), load(words)]);
    return search.readWords(search.words);
  };

  search.tidy = tidy;
  search.open = (root) => {
    const names = lazily(async () => {
      await load(new URL("search/names.js", root));
      return search.readNames(search.names);
    });
    const words = lazily(() => {
      const url = new URL("search/words.js", root);
      return inWorker(url).catch(() => onPage(url)); // pages opened from disk get no worker
    });

    // Yields results by name and then, when those are fewer than enough, with results by word below them.
    const answers = async function* (text, enough) {
      const { terms, find } = await names();
      const results = find(tidy(text));
      const asked = search.wordsOf(tidy(text));
      const final = results.length >= enough || !asked.length;
      yield { results, final };
      if (final) return;
      const found = (await (await words())(asked)).map(([row]) => ({ term: terms[row] }));
      const listed = new Set(results.map(({ term }) => term));
      const more = found.filter(({ term }) => !listed.has(term));
      const gone = ({ term }) => term.status === "removed";
      yield { results: [...results, ...more.filter((one) => !gone(one)), ...more.filter(gone)], final: true };
    };
    return { names, answers };
  };
}
