// A search box with results below it while typing: on the search page and in the dialog.
{
  const search = (self.glossarySearch ||= {});
  const PAUSE = 150, QUIET = 1000, REMEMBERED = 5;

  // `place` holds the parts of `search-box.html`; `answered` is called for every answer. Returns a function to call
  // when a script has changed the text in the box.
  search.box = (place, { limit, answered }) => {
    const { root, load } = glossaryPage, { fill, tidy } = search;
    const part = (name) => search.part(place, name);
    const form = part("form"), input = form.elements.q, list = part("results"), said = part("said");
    const engine = search.open(root);
    const { states, row } = search.rows(place, root);
    const plural = new Intl.PluralRules(document.documentElement.lang);
    let shown, saying, start;

    const typed = () => tidy(input.value);
    const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

    const say = (sentence) => {
      clearTimeout(saying);
      saying = setTimeout(() => { said.textContent = sentence; }, QUIET);
    };

    // The sentence of a place about this number of results, or about none.
    const counted = (place, { length }) =>
      length ? place.getAttribute(`data-${plural.select(length)}`).replace("{count}", length) : "";
    const first = ([{ term }]) => [term.name, states[term.status]].filter(Boolean).join(", ");

    // An unchanged row is kept, since it may have the focus or be clicked.
    const put = (rows) => {
      rows.forEach((row, at) => {
        const there = list.children[at];
        if (!there?.isEqualNode(row)) list.insertBefore(row, there);
      });
      while (list.children[rows.length]) list.lastChild.remove();
    };

    const showSection = (section) => {
      const place = part("section"), link = place.querySelector("a");
      place.hidden = !section;
      if (!section) return;
      link.href = new URL(section.address, root).href;
      link.textContent = section.label;
    };

    // Says how many results there are. Those by word follow those by name, which are not counted alone.
    const sum = (results, similar) => {
      const place = part("count"), all = counted(place, results);
      const { length } = results.filter(({ hasAll = true }) => hasAll);
      if (similar || length === results.length) return all;
      return place.dataset[length ? "some" : "none"].replace("{terms}", all).replace("{number}", length);
    };

    const show = (query, { results = [], words, section, final, failed }) => {
      const found = query ? results : [], isWhole = final || failed, similar = found[0]?.near;
      shown = query;
      put(results.slice(0, limit).map((result, number) => row(result, words, query && !number)));
      for (const name of ["nothing", "similar"]) fill(part(name), "query", query);
      part("failure").hidden = !failed;
      part("nothing").hidden = !query || !final || !!results.length || !!section;
      part("similar").hidden = !similar;
      part("suggested").hidden = !!query || !results.length;
      showSection(section);
      start?.(query);
      // Where a section's terms are all results, its link has their number.
      const isListed = found.length === section?.terms?.length;
      part("count").textContent = isListed ? "" : isWhole ? sum(found, similar) : "…";
      const told = ["section", "failure", "nothing", "similar"].map(part).filter((one) => !one.hidden);
      const sentences = told.map((one) => one.innerText);
      if (found.length) sentences.push(counted(said, found).replace("{name}", () => first(found)));
      say(isWhole ? sentences.join(" ") : "");
      answered(query, results);
    };

    const answer = async () => {
      const query = typed(), stale = () => query !== typed();
      let found;
      try {
        if (!query && !start) {
          await load("assets/js/search-start.js");
          start ||= search.start(place, { input, answer });
        }
        for await (const answer of engine.answers(query)) {
          if (stale()) return;
          found = answer;
          show(query, answer);
          await pause(PAUSE);
          if (stale()) return;
        }
      } catch {
        if (!stale()) show(query, { ...found, failed: true });
      }
    };

    // Remembers a search that led to a term, for an empty box.
    const remember = ({ target }) => {
      const query = typed(), { choice, choose } = glossaryPage;
      if (!query || !target.closest("a")) return;
      const earlier = choice("searches").split("\n").filter((text) => text && text !== query);
      choose("searches", [query, ...earlier].slice(0, REMEMBERED).join("\n"));
    };

    // Between the box and the links below it, without wrapping.
    const move = (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step || event.isComposing || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const stops = [input, ...[...place.querySelectorAll("a")].filter((link) => link.checkVisibility())];
      const stop = stops[stops.indexOf(document.activeElement) + step];
      if (!stop) return;
      event.preventDefault();
      stop.focus();
    };

    const begin = () => {
      engine.names().catch(() => {});
      if (!input.value) answer();
    };
    if (document.activeElement === input) begin();
    input.addEventListener("focus", begin, { once: true });
    input.addEventListener("input", answer);
    list.addEventListener("click", remember);
    place.addEventListener("keydown", move);
    form.addEventListener("submit", (event) => {
      const first = list.querySelector("a");
      if (!first || shown !== typed()) return;
      event.preventDefault();
      first.click();
    });
    if (input.value) answer();
    return answer;
  };
}
