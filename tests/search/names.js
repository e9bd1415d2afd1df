// Asks the list of names: reads `{list, queries}` from standard input and writes the results of each query.
const { readFileSync } = require("fs");
const vm = require("vm");

const { list, queries } = JSON.parse(readFileSync(0, "utf8"));
globalThis.self = globalThis;
vm.runInThisContext(readFileSync(process.argv[2], "utf8"));
vm.runInThisContext(list);
const { find, terms } = glossarySearch.readNames(glossarySearch.names);
const told = ({ name, slug, status, sentence }) => ({ name, slug, status, sentence });
const found = queries.map((query) => ({
  words: glossarySearch.wordsOf(query),
  results: find(query).map(({ term, name, near }) => ({ name: term.name, by: name.text, kind: name.kind, near })),
}));
process.stdout.write(JSON.stringify({ found, terms: terms.map(told) }));
