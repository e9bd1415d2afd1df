// Shows on a term's page, below the choice of a release, what the term meant at a release: at the one just selected,
// which is kept, or else at that of the address or the one kept before. `select` has the releases, newest first: the value
// of each is the id of the event with its wording, or "" where the term was absent. The first one stands for the page as
// it is.
{
  const { root, part, choice, choose, leadTo } = glossaryPage;
  const AS_OF = "as-of"; // in the address: `?as-of=1.8`
  const name = document.querySelector("h1").textContent.trim(), names = document.querySelector(".term > .names");
  const definition = document.querySelector(".definition-main");
  const actions = document.querySelector(".actions");
  const source = document.querySelector(".actions ~ .term-place"); // a note about a copied link may be between
  const above = actions.previousElementSibling; // the definition, or the header of an article
  const cited = { ...actions.querySelector("[data-cite]").dataset };
  const toTerm = actions.querySelector("[data-of-term]"), toWording = actions.querySelector("[data-copy=link]:not([data-of-term])");
  const hasNoWording = toWording.hidden;
  const isLabeled = definition.previousElementSibling.matches(".term-label"); // "Last definition:"
  // Each button beside the definition, with what it copies of the page.
  const buttons = [...actions.querySelectorAll("button")].map((button) => [button, { ...button.dataset }]);

  // Returns copies of the nodes of the wording that an event has: of a difference, it is the newer one.
  const wordingOf = (event) => {
    const copy = event.querySelector(".event-full, .after > .definition, .difference").cloneNode(true);
    for (const mark of copy.querySelectorAll("del, summary, .visually-hidden")) mark.remove();
    for (const part of copy.querySelectorAll("ins, details")) part.replaceWith(...part.childNodes);
    return copy.childNodes;
  };

  // Returns what the buttons copy of an event. One that is the only event is not listed: its wording is that of the page.
  const textsOf = (event) => {
    const { address = cited.cite, text, term = cited.term, release = cited.release, year } = event?.querySelector("[data-text]")?.dataset ?? {};
    return { address, text, cite: address, term, release, year };
  };

  // Makes the buttons copy these texts; without texts, those of the page.
  const aim = (texts) => {
    for (const [button, own] of buttons)
      for (const [key, text] of Object.entries(own)) button.dataset[key] = texts?.[key] ?? text;
    toTerm.hidden = !!texts; // the address bar has the release
    document.querySelector("[data-part=exact]")?.remove(); // of the words before
    toWording.hidden = !texts && hasNoWording;
  };

  // Returns the address of the page of a wording in this copy of the site, if it has one.
  const pageOf = ({ address }) => {
    const path = /term\/[^/]+\/[^/]+\/$/.exec(address);
    return path && new URL(path + (location.protocol === "file:" ? "index.html" : ""), root);
  };

  // Returns the event that reworded the wording of an event: the next newer one of its source, if that did.
  const rewordingAfter = (event) => {
    const sourceOf = (one) => one.querySelector(".event-source")?.textContent;
    let next = event;
    do next = next.previousElementSibling; while (next && sourceOf(next) !== sourceOf(event));
    return next?.querySelector("summary .chip-reworded") && next;
  };

  // Says which release reworded a wording, with a link to what it changed.
  const tellRewording = (sentence, next) => {
    sentence.hidden = !next;
    if (!next) return;
    const [release, link] = sentence.querySelectorAll("[data-next]");
    release.replaceChildren(next.querySelector("h3").lastChild.cloneNode(true));
    link.href = `#${next.id}`;
  };

  // Returns the name of a release in links and data; the list has a day in words.
  const nameOf = ({ text, dataset }) => dataset.name ?? text;
  // Returns what is kept of a release: its name, and how pages show it if they show it otherwise.
  const keptOf = (option) => [...new Set([nameOf(option), option.text])].join("\n");

  const stateOf = ({ value, dataset }) => {
    if (!value) return "absent";
    return "other" in dataset ? "reworded" : "same";
  };

  // Returns the first of the releases up to the latest that have the words of the page; nothing if it has other words, or
  // if they are not those of all releases since then.
  const unchangedSince = (options, option) => {
    const end = options.findIndex((one) => stateOf(one) !== "same");
    const unchanged = end < 0 ? options : options.slice(0, end);
    return unchanged.includes(option) ? unchanged.at(-1).text : "";
  };

  // Returns the release that added the term, if that is newer than the one of an option; else nothing.
  const addedAfter = (option, { options, dataset }) => {
    const added = [...options].findLast(({ value }) => value);
    if (!added || added.index >= option.index) return "";
    return added.index ? added.text : dataset.newest; // the text of the first one is longer
  };

  const tellAddition = (sentence, release) => {
    sentence.hidden = !release;
    sentence.querySelector("bdi").textContent = release;
  };

  // Shows the sentence that is true of the release.
  const tellState = (box, release, since, state) => {
    const isTrue = { same: since, reworded: !since && state !== "absent", absent: state === "absent" };
    for (const sentence of box.querySelectorAll("[data-of]")) sentence.hidden = !isTrue[sentence.dataset.of];
    for (const place of box.querySelectorAll("bdi[data-release]")) place.textContent = release;
    box.querySelector("bdi[data-since]").textContent = since;
  };

  // Names what is not said otherwise: the name of the term then, and all releases with the words, as a link to their page.
  const tellWording = (box, texts, address, { release, since }) => {
    const term = box.querySelector("bdi[data-term]"), releases = box.querySelector("[data-releases]");
    term.textContent = texts?.term;
    term.parentElement.hidden = !texts || texts.term === name;
    releases.textContent = texts?.release;
    if (address) releases.href = address;
    else releases.removeAttribute("href");
    releases.parentElement.hidden = !texts || !!since || (texts.release === release && !address);
  };

  // Puts words into the box; their links lead to what other terms meant at the release.
  const showWords = (box, nodes, release) => {
    box.querySelector(".definition").replaceChildren(...nodes);
    leadTo(release, box.querySelectorAll(".definition a"));
  };

  // Adds to the box what the page of its wording says: the source, and other words with their links.
  const complete = async (box, address, { release, state }) => {
    const html = await (await fetch(address)).text();
    if (box.dataset.release !== release) return;
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const name of ["href", "src"])
      for (const one of page.querySelectorAll(`main [${name}]`)) one[name] = new URL(one.getAttribute(name), address);
    box.querySelector("[data-place]").replaceChildren(...page.querySelector(".term-place").childNodes);
    if (state === "reworded") showWords(box, page.querySelector(".definition-main").childNodes, release);
  };

  // The words and names of today are folded below other words, but not in print.
  const foldCurrent = (fold, state) => {
    fold.open = state === "absent" || isLabeled;
    fold.ontoggle = () => {
      definition.hidden = source.hidden = state === "same" || !fold.open;
      if (names) names.hidden = state !== "same" && !fold.open;
    };
    fold.ontoggle();
    self.onbeforeprint = () => {
      fold.open = true;
      fold.ontoggle?.();
    };
  };

  const showLatest = (box) => {
    box.querySelector("details").ontoggle = null;
    above.after(actions);
    definition.hidden = source.hidden = false;
    if (names) names.hidden = false;
    box.remove();
    aim();
  };

  const showRelease = (box, select, option, goBack) => {
    const release = nameOf(option), shown = option.text, state = stateOf(option), since = unchangedSince([...select.options], option);
    const event = document.getElementById(option.value), texts = event && textsOf(event), address = texts && pageOf(texts);
    Object.assign(box.dataset, { release, state });
    tellState(box, shown, since, state);
    tellAddition(box.querySelector("[data-added]"), addedAfter(option, select));
    tellWording(box, texts, address, { release: shown, since });
    const words = { absent: () => [], same: () => definition.cloneNode(true).childNodes, reworded: () => wordingOf(event) };
    showWords(box, words[state](), release);
    const place = event?.querySelector("[data-place]")?.cloneNode(true);
    box.querySelector("[data-place]").replaceChildren(...(place?.childNodes ?? []));
    tellRewording(box.querySelector("[data-reworded]"), state === "reworded" && rewordingAfter(event));
    const changes = box.querySelector("[data-changes]");
    changes.hidden = state !== "reworded";
    changes.href = new URL(`compare/${option.dataset.slug ?? release}/index.html`, root);
    changes.hash = `reworded-${location.pathname.split("/").at(-2)}`;
    box.querySelector("button").onclick = goBack;
    select.parentElement.after(box);
    foldCurrent(box.querySelector("details"), state);
    // The buttons are below the words that they copy, or above them in an article.
    const wording = box.querySelector(".definition");
    if (!texts) above.after(actions);
    else if (above === definition) wording.after(actions);
    else wording.before(actions);
    aim(texts);
    box.querySelector("bdi[data-words]").textContent = select.dataset.words;
    // From disk, a script reads no page.
    if (address?.protocol.startsWith("http")) complete(box, address, { release, state }).catch(() => {});
  };

  const show = async (select, change) => {
    const selected = select.selectedIndex ? keptOf(select.selectedOptions[0]) : "";
    if (change) choose("release", selected);
    const box = await part("chosen"), address = new URL(location);
    const [release] = (change ? selected : address.searchParams.get(AS_OF) || choice("release")).split("\n");
    const option = [...select.options].slice(1).find((one) => [nameOf(one), one.text].includes(release));
    select.selectedIndex = option?.index ?? 0;
    // Who is sent the address sees the same words.
    if (option) address.searchParams.set(AS_OF, nameOf(option));
    else address.searchParams.delete(AS_OF);
    history.replaceState(history.state, "", address);
    const goBack = () => {
      select.selectedIndex = 0;
      select.focus(); // the button that had the focus goes
      show(select, true);
    };
    if (option) showRelease(box, select, option, goBack);
    else showLatest(box);
  };

  self.glossaryWording = { show };
}
