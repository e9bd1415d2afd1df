// Asks the same of our index and of stock lunr.js: reads `{scripts, index, serialized, queries, stops,
// vocabulary}` from standard input, where a query is `{typed, indexed}`: its words, and those that lunr.py's pipeline makes of them. Writes each
// query's refs and scores by lunr, by ours when nothing is loaded yet, with what it then loads, and by ours after all
// queries before it; and each word's stem.
const { readFileSync } = require("fs");
const vm = require("vm");

const [, , words, reader, folder] = process.argv;
const lunr = require(folder);
const { scripts, index, serialized, queries, stops, vocabulary } = JSON.parse(readFileSync(0, "utf8"));
globalThis.self = globalThis;
for (const script of [words, reader]) vm.runInThisContext(readFileSync(script, "utf8"));
const { openIndex, stem } = glossarySearch;

const stock = lunr.Index.load(serialized);
// To a query without words lunr answers with all documents.
const asStock = ({ typed, indexed }) =>
  !indexed.length ? [] : stock.query((query) => {
    indexed.forEach((word) => query.term(word, { boost: 1, usePipeline: false }));
    const last = typed.at(-1);
    const { TRAILING } = lunr.Query.wildcard;
    if (last?.length > 1 && !stops.includes(last)) query.term(last, { boost: 0.1, usePipeline: false, wildcard: TRAILING });
  }).map(({ ref, score }) => [Number(ref), score]);

const load = (names) => names.forEach((name) => vm.runInThisContext(scripts[name]));
const forget = () => Object.keys(scripts).forEach((name) => delete glossarySearch[name]);

const scores = (found) => found.map(([row, score]) => [row, score]);

const asOurs = async ({ typed }) => {
  forget();
  const loaded = [];
  const find = await openIndex(index, (names) => load(names, loaded.push(...names)));
  return { ours: scores((await find(typed)).rows), loaded };
};

const answer = async () => {
  const answers = [];
  for (const words of queries) answers.push({ stock: asStock(words), ...(await asOurs(words)) });
  forget();
  const find = await openIndex(index, load);
  for (const [i, words] of queries.entries()) answers[i].later = scores((await find(words.typed)).rows);
  const stems = vocabulary.map(stem);
  process.stdout.write(JSON.stringify({ answers, stems }));
};
answer();
