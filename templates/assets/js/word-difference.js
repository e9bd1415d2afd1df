// Compares two wordings by the rules of `sitegen.text.words`: `glossaryWords.difference(before, after)`.
{
  const MOST = 4_000_000; // pairs of words: more would keep the reader waiting
  const MARKS = "(?![|~−])[\\p{Sm}\\p{Sc}\\p{So}%#]", MINUS = "(?<![\\p{L}\\p{N}_)\\]])[-−](?=\\p{N})";
  const UNSPACED = "[\\u3005-\\u3007\\u3041-\\u3096\\u309d-\\u309f\\u30a1-\\u30fa\\u30fc-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff]";
  const WRAP = `(?<=${UNSPACED}) (?=${UNSPACED})`; // a line ended there
  const WORD = new RegExp(`(?:[\\p{L}\\p{M}\\p{N}]|${WRAP})+|(?:${MARKS}|${MINUS})+`, "gu");

  const key = (word) => word.replaceAll(" ", "").toLowerCase().normalize("NFC").replaceAll("−", "-");

  const wordsOf = ({ text, code = [] }) => {
    const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
      key: key(word), start: index, end: index + word.length,
    }));
    const runs = [];
    for (const [start, end] of code) {
      const past = words.filter((word) => word.start < end).length;
      const first = Math.min(past, words.filter((word) => word.end <= start).length);
      // Between two words, or inside one, there can be several pieces of code.
      if (runs.at(-1)?.first !== first || runs.at(-1).past !== past) runs.push({ first, past, texts: [] });
      runs.at(-1).texts.push(text.slice(start, end));
    }
    const glued = words.map(({ start }, place) => place > 0 && !/\s/.test(text.slice(words[place - 1].end, start)));
    return { text, words, runs, glued, code };
  };

  // Returns the longest common run of words as [place before, place after, length]; null if too long.
  const matching = (one, two) => {
    const a = one.words.map((word) => word.key), b = two.words.map((word) => word.key);
    let head = 0, tail = 0;
    while (head < Math.min(a.length, b.length) && a[head] === b[head]) head += 1;
    while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
    const wide = a.length - head - tail, high = b.length - head - tail;
    if (wide * high > MOST) return null;
    const longest = Array.from({ length: high + 1 }, () => new Uint32Array(wide + 1));
    for (let row = 1; row <= high; row += 1) {
      for (let column = 1; column <= wide; column += 1) {
        longest[row][column] = a[head + column - 1] === b[head + row - 1]
          ? longest[row - 1][column - 1] + 1
          : Math.max(longest[row - 1][column], longest[row][column - 1]);
      }
    }
    const pairs = Array.from({ length: tail }, (_, place) => [a.length - 1 - place, b.length - 1 - place]);
    const needs = (row, column) => longest[row][column] > longest[row][column - 1];
    for (let row = high, column = wide; row && column; ) {
      if (!needs(row, column)) column -= 1;
      else if (row > 1 && needs(row - 1, column)) row -= 1;
      else pairs.push([head + --column, head + --row]);
    }
    for (let place = head - 1; place >= 0; place -= 1) pairs.push([place, place]);
    return runs(pairs.reverse());
  };

  const runs = (pairs) => {
    const blocks = [];
    for (const [a, b] of pairs) {
      const last = blocks.at(-1);
      if (last && last[0] + last[2] === a && last[1] + last[2] === b) last[2] += 1;
      else blocks.push([a, b, 1]);
    }
    return blocks;
  };

  // Code with the same words that differs in any character has changed.
  const withoutChangedCode = (blocks, one, two) =>
    blocks.flatMap(([a, b, size]) => {
      const kept = [];
      let start = 0;
      for (const { first, past, texts } of two.runs) {
        if (first < b + start || past > b + size || first === past) continue;
        const same = one.runs.find((run) => run.first === first - b + a && run.past === past - b + a);
        if (!same || JSON.stringify(same.texts) === JSON.stringify(texts)) continue;
        kept.push([a + start, b + start, first - b - start]);
        start = past - b;
      }
      return [...kept, [a + start, b + start, size - start]].filter((block) => block[2] > 0);
    });

  // A difference never begins or ends within a compound word.
  const wholeWords = (blocks, one, two) =>
    blocks.flatMap(([a, b, size]) => {
      let endA = a + size, endB = b + size;
      if (a || b) while (a < endA && (one.glued[a] || two.glued[b])) [a, b] = [a + 1, b + 1];
      if (endA !== one.words.length || endB !== two.words.length) {
        while (endA > a && (one.glued[endA] || two.glued[endB])) [endA, endB] = [endA - 1, endB - 1];
      }
      return endA > a ? [[a, b, endA - a]] : [];
    });

  // One or two equal words between changes are part of the change.
  const withoutIslands = (blocks) =>
    blocks.filter(([, , size], place) => size > 2 || place === 0 || place === blocks.length - 1);

  // Extends runs over equal words at the ends of a change, so that no word is deleted and inserted again.
  const grown = (blocks, one, two) => {
    const isCode = ({ runs }, place) => runs.some(({ first, past }) => first <= place && place < past);
    const alike = (a, b) => one.words[a].key === two.words[b].key && !isCode(one, a) && !isCode(two, b);
    const mayBegin = (a, b) => !one.glued[a] && !two.glued[b];
    const result = [];
    blocks.forEach(([a, b, size], place) => {
      const [lastA, lastB, last] = result.at(-1) || [0, 0, 0];
      const [nextA, nextB] = blocks[place + 1] || [one.words.length, two.words.length];
      while (a > lastA + last && b > lastB + last && alike(a - 1, b - 1) && mayBegin(a - 1, b - 1)) {
        [a, b, size] = [a - 1, b - 1, size + 1];
      }
      while (a + size < nextA && b + size < nextB && alike(a + size, b + size) && mayBegin(a + size + 1, b + size + 1)) {
        size += 1;
      }
      result.push([a, b, size]);
    });
    return result;
  };

  // Returns the text from a word up to another, with the punctuation and space that follow, and its ranges of code.
  const slice = ({ text, words, code }, first, past) => {
    const from = (place) => {
      const gap = text.slice(words[place - 1].end, words[place].start);
      return words[place - 1].end + (/^[^]*\s/.exec(gap)?.[0].length ?? gap.length);
    };
    const start = first ? from(first) : 0, end = past < words.length ? from(past) : text.length;
    const ranges = code.map(([begin, stop]) => [Math.max(begin, start) - start, Math.min(stop, end) - start]);
    return { text: text.slice(start, end), code: ranges.filter(([begin, stop]) => begin < stop) };
  };

  const count = (segments, kind) =>
    segments.filter((segment) => segment.kind === kind).flatMap(({ text }) => text.match(/\S+/g) || [])
      .filter((word) => word.match(WORD)).length;

  const counted = (segments, rewritten) => ({
    segments: segments.filter(({ text }) => text).map((one) => ({ code: [], ...one })), rewritten,
    added: count(segments, "inserted"), removed: count(segments, "deleted"),
  });

  // Of two wordings `{text, code}`, where `code` is ranges of the text and may be missing: the pieces `{kind, text}` of
  // both, deleted before inserted, how many words came and went, and whether so many that both are better shown whole.
  const difference = (before, after) => {
    const one = wordsOf(before), two = wordsOf(after);
    const matched = one.words.length && two.words.length ? matching(one, two) : null;
    if (!matched) return counted([{ kind: "deleted", text: one.text }, { kind: "inserted", text: two.text }], true);
    const blocks = grown(withoutIslands(wholeWords(withoutChangedCode(matched, one, two), one, two)), one, two);
    const segments = [];
    let a = 0, b = 0;
    for (const [nextA, nextB, size] of [...blocks, [one.words.length, two.words.length, 0]]) {
      if (nextA > a) segments.push({ kind: "deleted", ...slice(one, a, nextA) });
      if (nextB > b) segments.push({ kind: "inserted", ...slice(two, b, nextB) });
      if (size) segments.push({ kind: "same", ...slice(two, nextB, nextB + size) });
      [a, b] = [nextA + size, nextB + size];
    }
    const all = one.words.length + two.words.length, kept = blocks.reduce((sum, [, , size]) => sum + size, 0);
    return counted(segments, (all - 2 * kept) / all > 0.6);
  };

  self.glossaryWords = { difference };
}
