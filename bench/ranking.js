// Answers queries by name and by word as the search page does: reads `{scripts, files, queries}` from standard input,
// where `scripts` are those of the search and `files` maps paths to what a search reads. Writes the slugs of the first
// ten results of each query.
const { readFileSync } = require("fs");
const vm = require("vm");

const { scripts, files, queries } = JSON.parse(readFileSync(0, "utf8"));
const MOST = 10;
globalThis.self = globalThis;
globalThis.document = { documentElement: { lang: "en" } };
// A browser too runs a script once.
const unrun = new Map(Object.entries(files));
const run = async (path) => {
  if (unrun.has(path)) vm.runInThisContext(unrun.get(path));
  unrun.delete(path);
};
globalThis.glossaryPage = { once: (make) => { let made; return () => (made ||= make()); }, load: run, root: new URL("file:///") };
for (const script of scripts) vm.runInThisContext(script);

const answer = async () => {
  const engine = glossarySearch.open(glossaryPage.root), answers = [];
  for (const query of queries) {
    let last;
    for await (last of engine.answers(query, MOST));
    answers.push(last.results.slice(0, MOST).map(({ term }) => term.slug));
  }
  process.stdout.write(JSON.stringify(answers));
};
answer();
