// Asks the list of names with the scripts that are named as arguments: reads `{list, queries, pairs}` from standard input, and writes the results of each query, every
// term of the list, and how far apart each pair of texts is, given with a limit.
const { readFileSync } = require("fs");
const vm = require("vm");

const { list, queries, pairs = [] } = JSON.parse(readFileSync(0, "utf8"));
globalThis.self = globalThis;
for (const script of process.argv.slice(2)) vm.runInThisContext(readFileSync(script, "utf8"));
vm.runInThisContext(list);
const { find, plain, terms } = glossarySearch.readNames(glossarySearch.names);
const byName = (query) => [find(query), find(query, glossarySearch.nearness)].find(({ length }) => length) || [];
const told = ({ name, slug, status, sentence }) => ({ name, slug, status, sentence });
const found = queries.map((query) => ({
  words: glossarySearch.wordsOf(query),
  stems: glossarySearch.wordsOf(query).map(glossarySearch.stem),
  plain: plain(query),
  signs: glossarySearch.signsOf(query),
  results: byName(plain(query)).map(({ term, name, near }) => ({ name: term.name, by: name.text, kind: name.kind, near })),
}));
const apart = pairs.map((pair) => glossarySearch.distance(...pair));
process.stdout.write(JSON.stringify({ found, terms: terms.map(told), apart }));
