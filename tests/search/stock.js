// Asks the same of our index and of stock lunr.js: reads `{scripts, serialized, queries, stops,
// vocabulary}` from standard input, where a query is `{typed, indexed}`: its words, and those that lunr.py's pipeline makes of them. Writes each
// query's refs and scores by lunr and by ours; and each word's stem.
const { readFileSync } = require("fs");
const vm = require("vm");

const [, , words, reader, folder] = process.argv;
const lunr = require(folder);
const { scripts, serialized, queries, stops, vocabulary } = JSON.parse(readFileSync(0, "utf8"));
globalThis.self = globalThis;
for (const script of [words, reader]) vm.runInThisContext(readFileSync(script, "utf8"));
scripts.forEach((script) => vm.runInThisContext(script));
const { openIndex, stem } = glossarySearch;
glossarySearch.endings = glossarySearch.names.endings;

const stock = lunr.Index.load(serialized);
// To a query without words lunr answers with all documents.
const asStock = ({ typed, indexed }) =>
  !indexed.length ? [] : stock.query((query) => {
    indexed.forEach((word) => query.term(word, { boost: 1, usePipeline: false }));
    const last = typed.at(-1);
    const { TRAILING } = lunr.Query.wildcard;
    if (last?.length > 1 && !stops.includes(last)) query.term(last, { boost: 0.1, usePipeline: false, wildcard: TRAILING });
  }).map(({ ref, score }) => [Number(ref), score]);

const find = openIndex(glossarySearch.words);
const answers = queries.map((query) => ({ stock: asStock(query), ours: find(query.typed).rows.map(([row, score]) => [row, score]) }));
process.stdout.write(JSON.stringify({ answers, stems: vocabulary.map(stem) }));
