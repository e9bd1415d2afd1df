// Answers queries with MiniSearch, installed in the folder that is the argument: reads `{terms, queries}` from standard input, and writes
// the ids of the first ten results of each query.
const { readFileSync } = require("fs");
const { createRequire } = require("module");
const MiniSearch = createRequire(`${process.argv[2]}/`)("minisearch");

const { terms, queries } = JSON.parse(readFileSync(0, "utf8"));
const engine = new MiniSearch({ fields: ["names", "text"] });
engine.addAll(terms);
const options = { prefix: true, fuzzy: 0.2, boost: { names: 3 } };
const answers = queries.map((query) => engine.search(query, options).slice(0, 10).map(({ id }) => id));
process.stdout.write(JSON.stringify(answers));
