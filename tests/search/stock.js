// Asks the same of our reader and of stock lunr.js: reads `{index, queries, vocabulary}` from standard input, where a
// query is its words, and writes each query's refs and scores by both, and each word's stem by both.
const { readFileSync } = require("fs");
const vm = require("vm");

const [, , reader, folder] = process.argv;
const lunr = require(`${folder}/node_modules/lunr`);
const { index, queries, vocabulary } = JSON.parse(readFileSync(0, "utf8"));
globalThis.self = globalThis;
vm.runInThisContext(readFileSync(reader, "utf8"));
vm.runInThisContext(index);

const stock = lunr.Index.load(glossarySearch.words);
const find = glossarySearch.readWords(glossarySearch.words);

const asStock = (words) =>
  stock.query((query) => {
    words.forEach((word) => query.term(word, { boost: 1 }));
    const last = words.at(-1);
    const { TRAILING } = lunr.Query.wildcard;
    if (last?.length > 1) query.term(last, { boost: 0.1, usePipeline: false, wildcard: TRAILING });
  }).map(({ ref, score }) => [ref, score]);

process.stdout.write(JSON.stringify({
  answers: queries.map((words) => ({ stock: asStock(words), ours: find(words) })),
  stems: vocabulary.map((word) => ({ stock: lunr.stemmer(new lunr.Token(word)).toString(), ours: glossarySearch.stem(word) })),
}));
