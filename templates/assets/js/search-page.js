// The search page: answers as you type, keeps the query in the address, and says what was found.
{
  const page = document.querySelector("[data-search-page]");
  const { fill } = glossarySearch;
  const part = (name) => glossarySearch.part(page, name);
  const form = part("form"), input = form.elements.q, list = part("results");
  const root = new URL(document.documentElement.dataset.root, document.baseURI);
  const engine = glossarySearch.open(root);
  const LIMIT = 100, PAUSE = 150, QUIET = 1000;
  const plural = new Intl.PluralRules(document.documentElement.lang);
  let shown, saying;

  const typed = () => glossarySearch.tidy(input.value);
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const { address, states, row } = glossarySearch.rows(page, root);

  const say = (sentence) => {
    clearTimeout(saying);
    saying = setTimeout(() => { part("said").textContent = sentence; }, QUIET);
  };

  const count = (results) => {
    const { term } = results[0];
    const found = results.length > LIMIT ? "too-many" : plural.select(results.length);
    const sentence = page.getAttribute(`data-found-${found}`);
    const facts = { count: Math.min(results.length, LIMIT), name: term.name, status: states[term.status] };
    return sentence.replace(/\{(\w+)\}/g, (_, fact) => facts[fact]);
  };

  const show = (query, { results = [], final, failed }) => {
    const certain = results.some(({ near }) => !near);
    const nothing = Boolean(query && final && !certain), guess = results[0]?.term;
    shown = query;
    list.replaceChildren(...(certain ? results.slice(0, LIMIT) : []).map((result, place) => row(result, { marked: !place })));
    part("failure").hidden = !failed;
    part("nothing").hidden = !nothing;
    fill(page, "query", query);
    fill(page, "guess", guess?.name);
    if (guess) part("guess-link").href = address(guess);
    say(failed ? part("failure").textContent : certain ? count(results) : nothing ? part("nothing").innerText : "");
  };

  const remember = () => {
    const url = new URL(location);
    url.searchParams.delete("q");
    if (typed()) url.searchParams.set("q", typed());
    if (url.href !== location.href) history.replaceState(null, "", url);
  };

  const answer = async () => {
    const query = typed(), stale = () => query !== typed();
    let results;
    try {
      for await (const answered of engine.answers(query, LIMIT)) {
        if (stale()) return;
        ({ results } = answered);
        show(query, answered);
        await pause(PAUSE);
        if (stale()) return;
        remember();
      }
    } catch {
      if (!stale()) show(query, { results, failed: true });
    }
  };

  input.addEventListener("focus", () => engine.names().catch(() => {}), { once: true });
  input.addEventListener("input", answer);
  list.addEventListener("click", remember);
  form.addEventListener("submit", (event) => {
    const first = list.querySelector("a");
    if (!first || shown !== typed()) return;
    event.preventDefault();
    first.click();
  });

  form.hidden = false;
  input.value = new URLSearchParams(location.search).get("q") || "";
  if (input.value) answer();
}
