// The 404 page: explains the address if it can, or else suggests terms with similar names.
{
  const page = document.querySelector("[data-lost]");
  const { open, part, fill, rows, fold, tidy, atRelease } = glossarySearch;
  const { root } = glossaryPage;
  const MOST = 5;

  const decoded = (text) => {
    try { return decodeURIComponent(text); } catch { return text; }
  };
  // The parts of the address below the site's root, in lower case like all addresses of a site.
  const below = location.pathname.startsWith(root.pathname) ? location.pathname.slice(root.pathname.length) : "";
  const parts = below.split("/").map((text) => tidy(decoded(text).normalize("NFC"))).filter(Boolean);
  if (/^index\.html$/i.test(parts.at(-1))) parts.pop();
  const [kind, slug, release] = parts.map((text) => text.toLowerCase());

  // Returns a sentence whose placeholders are filled with `[text, address]`.
  const say = (name, gaps) => {
    const sentence = part(page, `say-${name}`).content.firstElementChild.cloneNode(true);
    for (const [gap, [text, address]] of Object.entries(gaps)) {
      fill(sentence, gap, text);
      if (address) part(sentence, gap).href = new URL(address, root);
    }
    part(page, "answer").append(sentence);
    return true;
  };

  // For a term at a release, the heading names both.
  const head = (name, release) => {
    const heading = part(page, "say-heading").content.firstElementChild.cloneNode(true);
    fill(heading, "name", name);
    fill(heading, "release", release);
    document.querySelector("h1").replaceWith(heading);
    document.title = heading.textContent;
  };

  const pathOf = (address) => {
    const { pathname, search } = new URL(address, root), path = pathname.slice(root.pathname.length);
    return [decoded(path.replace(/^term\//, "").replace(/\/$/, "")) + search, address];
  };

  // The same address in the spelling of the site.
  const respelled = async () => {
    const address = parts.map((text) => `${text.toLowerCase()}/`).join("");
    if (!/^([\p{L}\p{N}][\p{L}\p{M}\p{N}._~-]*\/)+$/u.test(address)) return false;
    const url = new URL(address, root), isNew = url.pathname !== location.pathname;
    return isNew && (await fetch(new URL("index.html", url))).ok && say("respelled", { page: pathOf(url) });
  };

  const explained = (term) => {
    const { state, id, name, revision } = atRelease(term, release);
    const asked = [name && state !== "after" ? name : parts[2]];
    if (!revision) say(state, { release: asked });
    else if (!revision.url) return id; // not in a release yet: only the term's own page has these words
    else if (name === revision.since && state === "same") say("respelled", { page: pathOf(revision.url) });
    else say(state, { release: asked, wording: [revision.since, revision.url] });
    return id;
  };

  // The wording of a term in a release without a frozen page, because nothing changed.
  const wording = async () => {
    if (kind !== "term" || !release || !/^[\p{L}\p{M}\p{N}-]+$/u.test(slug)) return false;
    const answer = await fetch(new URL(`term/${slug}/index.json`, root));
    const term = answer.ok ? await answer.json() : {};
    if (!term.wordings) return false;
    const id = explained(term);
    head(term.name, parts[2]);
    return say("living", { term: [term.name, id ? `${term.url}#${id}` : term.url] });
  };

  // Releases are below `release/`, and their list is there. Of two releases without a page, what changed since the first
  // is near.
  const elsewhere = async () => {
    const folder = { releases: "release", compare: "compare" }[kind], name = parts[1];
    if (!folder) return false;
    const address = name ? `${folder}/${name}/` : "release/";
    const isThere = (await fetch(new URL(`${address}index.html`, root))).ok;
    return isThere && say("respelled", { page: pathOf(address) });
  };

  // Names the releases before and after one that the site does not have; of `v1.2`, also 1.2.
  const unknownRelease = async () => {
    if (!["release", "compare"].includes(kind) || !slug) return false;
    const { compare } = new Intl.Collator("en", { numeric: true }), { releases } = await open(root).names();
    if (releases.some(({ address }) => address === `release/${slug}/index.html`)) return false;
    const named = releases.find(({ heading }) => heading === parts[1]);
    if (named) return say("near", { page: [named.label, named.address] });
    say("release", { release: [parts[1]] });
    const version = parts[1].replace(/^v(?=\d)/i, "");
    releases.sort((one, two) => compare(one.heading, two.heading));
    const before = releases.findLast(({ heading }) => compare(heading, version) <= 0);
    const after = releases.find(({ heading }) => compare(heading, version) > 0);
    for (const { label, address } of [before, after].filter(Boolean)) say("near", { page: [label, address] });
    return true;
  };

  // Names at a small edit distance, nearest first, each term once.
  const nearest = (terms, typed) => {
    const limit = typed[0].length < 3 ? 0 : Math.min(MOST, Math.max(1, typed[0].length >> 2));
    const steps = ({ folded }) => Math.min(...typed.map((one) => glossarySearch.distance(folded, one, limit)));
    const best = (term) =>
      [{ folded: term.slug.replaceAll("-", " ") }, ...term.names]
        .map((name) => ({ term, name, steps: steps(name) }))
        .reduce((one, two) => (two.steps < one.steps ? two : one));
    return terms.map(best).filter((one) => one.steps < Infinity).sort((one, two) => one.steps - two.steps);
  };

  const suggest = async () => {
    say("address", { address: [decoded(location.pathname)] });
    const asked = kind === "term" && slug ? parts[1] : parts.at(-1) || "";
    // Sphinx linked into a glossary so.
    const anchor = /^#term-(.+)/.exec(location.hash)?.[1];
    const text = tidy(anchor ? decoded(anchor) : asked.replace(/\.html?$/i, ""));
    const [{ terms, find }] = await Promise.all([open(root).names(), glossaryPage.load("assets/js/search-index.js")]);
    const spaced = text.replace(/[-_]+/g, " ");
    const all = [...nearest(terms, [text, spaced].map(fold)), ...find(spaced), ...find(spaced, glossarySearch.nearness)];
    const each = [...new Map(all.map((one) => [one.term, one])).values()].slice(0, MOST);
    part(page, "results").replaceChildren(...each.map(({ term, name }) => rows(page, root).row({ term, name })));
    part(page, "like").hidden = !each.length;
  };

  // Hosts have one 404 page for all addresses. Below the folder of a language, the page of that language replaces it.
  const inLanguage = async () => {
    for (const link of document.querySelectorAll(".languages [lang]")) {
      const folder = link.pathname.replace("index.html", "");
      const isBelow = folder.startsWith(root.pathname) && folder !== root.pathname;
      if (!isBelow || !location.pathname.startsWith(folder)) continue;
      const answer = await fetch(`${folder}404.html`);
      if (!answer.ok) return false;
      document.open();
      document.write(await answer.text());
      document.close();
      return true;
    }
    return false;
  };

  const answer = async () => await inLanguage() || await respelled() || await wording() || await elsewhere() || await unknownRelease() || suggest();
  answer().catch(() => {}); // without an answer the page still leads onward
}
