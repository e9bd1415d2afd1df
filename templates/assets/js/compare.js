// The compare page: compares the two releases that its address names, with the data of each source.
// `sitegen.site.comparisons` does the same for prepared pages, and writes the data.
{
  const page = document.querySelector("[data-compare]");
  const { root, load, differences } = glossaryPage;
  const part = (within, name) => within.querySelector(`[data-${name}]`);
  const form = part(page, "form"), results = part(page, "results");
  const plural = new Intl.PluralRules(document.documentElement.lang);
  const title = document.title, ENDS = ["from", "to"];
  const FEW = 10; // so many changes or fewer are shown in full
  const PART = 300; // so many changes of a kind are listed at first, and so many more on demand
  let from, to, opening, loading;
  const UNREAD = -2, MERGED = -3, MOVED = -4, DEPRECATED = 1, SPLIT = 2;

  // Returns the words for a release, as the choice has them.
  const label = (release) => [...form.elements.from.options].find(({ value }) => value === release)?.text ?? release;

  // Returns a copy of a template of this page, filled with text.
  const made = (name, gaps = {}) => {
    const copy = part(page, name).content.firstElementChild.cloneNode(true);
    for (const [gap, text] of Object.entries(gaps))
      for (const place of copy.querySelectorAll(`[data-${gap}]`)) place.textContent = text;
    return copy;
  };

  // Returns a term's state in a release; a wording below zero means none.
  const run = ([first, wording, name = 0, marks = 0]) => ({ first, wording, name, marks });
  const at = (runs, release) => runs.findLast(({ first }) => first <= release);
  const isThere = ({ wording }) => wording >= 0;

  // Returns the changes of a term, each as `[kind, state before, state after]`.
  const changes = (runs, older, newer) => {
    const before = at(runs, older), after = at(runs, newer);
    if ([before, after].some(({ wording }) => wording === UNREAD)) return [["unknown"]];
    if (!isThere(before) && !isThere(after)) return [];
    if (after.wording === MOVED) return [];
    if (!isThere(after)) return [[after.wording === MERGED ? "merged" : "removed", before, after]];
    if (!isThere(before)) return [arrival(runs, older, newer, after)];
    return [
      before.name !== after.name && "renamed",
      before.wording !== after.wording && "reworded",
      (after.marks & ~before.marks & DEPRECATED) && "deprecated",
    ].filter(Boolean).map((kind) => [kind, before, after]);
  };

  const arrival = (runs, older, newer, after) => {
    const last = runs.findLast((one) => one.first < older && isThere(one));
    if (last && older < newer) return ["restored", last, after];
    const first = runs.find((one) => one.first > older && isThere(one));
    return [first && first.marks & SPLIT && older < newer ? "split" : "added", null, after];
  };

  const wordingLink = (details, name, { wording }, release, slug, addresses) => {
    const link = part(details, name);
    link.href = new URL(`${addresses[wording] || `term/${slug}/`}index.html`, root);
    link.querySelector("bdi").textContent = label(release);
  };

  const row = (source, [name, slug, addresses, , others], [kind, before, after], few) => {
    const names = [name, ...others], item = made("item"), details = part(item, "details"), earlier = part(item, "earlier");
    part(item, "name").textContent = names[(isThere(after) ? after : before).name];
    part(item, "link").href = new URL(`term/${slug}/index.html`, root);
    if (kind === "renamed")
      for (const [end, { name }] of [["former", before], ["present", after]]) part(earlier, end).textContent = names[name];
    else earlier.remove();
    if (kind !== "reworded" && kind !== "restored") return details.remove(), item;
    wordingLink(details, "before", before, kind === "restored" ? source.releases[before.first] : from, slug, addresses);
    wordingLink(details, "after", after, to, slug, addresses);
    // A page from disk cannot fetch the wordings.
    if (location.protocol === "file:") return details.replaceWith(details.querySelector(".event-links")), item;
    const open = () => differences().then(() => glossaryDifference.reveal(details)).catch(() => part(details, "words").remove());
    if (few) opening.push(open());
    else details.addEventListener("toggle", open, { once: true });
    details.open = few;
    return item;
  };

  const worded = (place, count) => place.dataset[plural.select(count)].replace("{count}", count);

  // Appends the next part of a list, and a button for the rest.
  const append = (list, rows) => {
    list.append(...rows.slice(0, PART).map((make) => make()));
    const rest = rows.slice(PART), button = made("more");
    if (!rest.length) return;
    button.textContent = worded(button, rest.length);
    list.after(button);
    button.addEventListener("click", () => {
      const last = list.lastChild;
      button.remove();
      append(list, rest);
      last.nextSibling.querySelector("a").focus();
    });
  };

  const listed = (source, number, kind, rows, few) => {
    const section = made(`kind-${kind}`), heading = section.querySelector("[id]");
    if (number) heading.id = `${kind}-${number + 1}`;
    section.setAttribute("aria-labelledby", heading.id);
    append(section.querySelector("ul"), rows.map(([term, change]) => () =>
      Object.assign(row(source, term, change, few), { id: `${heading.id}-${term[1]}` })));
    const count = made("count"), link = count.querySelector("a"), chip = section.querySelector(".chip");
    link.href = `#${heading.id}`;
    link.classList.add(chip.classList[1]);
    link.append(chip.querySelector("svg").cloneNode(true), worded(section, rows.length));
    return { section, count };
  };

  const sentence = (name, gaps) => made(`say-${name}`, gaps);

  const ends = () => ({ older: label(from), newer: label(to) });

  const unreadIn = ({ releases, unread }) => [from, to].filter((name) => unread.includes(releases.indexOf(name)));

  const compared = (source, number, several) => {
    const [older, newer] = [from, to].map((name) => source.releases.indexOf(name)), found = new Map();
    const heading = several ? [made("source", { source: source.title })] : [];
    const gaps = unreadIn(source);
    if (gaps.length) return [...heading, sentence("unread", { release: gaps.map(label).join(page.dataset.comma) })];
    for (const term of source.terms)
      for (const change of changes(term[3].map(run), older, newer))
        found.set(change[0], [...(found.get(change[0]) || []), [term, change]]);
    const kinds = page.dataset.kinds.split(" ").filter((kind) => found.has(kind));
    const few = [...found.values()].flat().length <= FEW;
    const lists = kinds.map((kind) => listed(source, number, kind, found.get(kind), few));
    const counts = made("counts"), unknown = (found.get("unknown") || []).length, say = made("unknown");
    counts.append(...lists.map(({ count }) => count));
    if (unknown) say.textContent = worded(say, unknown);
    return [
      ...heading,
      lists.length ? counts : sentence("none", ends()),
      ...(unknown ? [say] : []),
      ...lists.map(({ section }) => section),
    ];
  };

  const answer = () => {
    const sources = glossarySources.filter(({ releases }) => releases.includes(from) && releases.includes(to));
    const unknown = [from, to].find((name) => !glossarySources.some(({ releases }) => releases.includes(name)));
    if (unknown !== undefined) return [sentence("lost", { release: unknown })];
    if (from === to) return [sentence("same")];
    if (!sources.length) return [sentence("apart", ends())];
    return sources.flatMap((source, number) => compared(source, number, glossarySources.length > 1));
  };

  const openAll = () => {
    const button = made("open-all"), closed = () => results.querySelectorAll("details:not([open])");
    button.addEventListener("click", () => closed().forEach((details) => { details.open = true; }));
    return closed().length > 1 ? [button] : [];
  };

  // Shows the changes between the releases that the address names, or those that are chosen at first.
  const show = async () => {
    const asked = new URLSearchParams(location.search);
    [from, to] = ENDS.map((name) => asked.get(name) ?? form.querySelector(`[name=${name}] [selected]`).value);
    for (const [i, release] of [from, to].entries())
      for (const option of form.elements[ENDS[i]].options) if (option.value === release) option.selected = true;
    const heading = made("heading", ends()), shown = [from, to].join();
    document.title = asked.has("from") ? title.replace(document.querySelector("h1").textContent, heading.textContent) : title;
    opening = [];
    let answers;
    try {
      await (loading ||= Promise.all(page.dataset.sources.split(" ").map(load)));
      answers = answer();
      await Promise.all(opening);
    } catch {
      answers = [sentence("failed")];
    }
    if (shown !== [from, to].join()) return;
    results.replaceChildren(heading, ...answers);
    (results.querySelector(".counts") || heading).after(...openAll());
    if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  };

  const choose = () => {
    history.pushState(null, "", `?${new URLSearchParams(new FormData(form))}`);
    show();
  };

  form.addEventListener("change", choose);
  form.addEventListener("submit", (event) => event.preventDefault());
  part(form, "swap").addEventListener("click", () => {
    const { from, to } = form.elements;
    [from.value, to.value] = [to.value, from.value];
    choose();
  });
  addEventListener("popstate", show);
  addEventListener("pageshow", ({ persisted }) => persisted || show());
  form.hidden = false;
}
