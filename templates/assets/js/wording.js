// Shows on a term's page, above its status, what the term meant at a release: at the one just selected, which is
// kept, or else at that of the address or the one kept before. `select` has the releases: the value of each is the id of
// the event with its wording, or "" where the term was absent. The first option stands for the latest release.
{
  const { part, choice, choose } = glossaryPage;
  const AS_OF = "as-of"; // in the address: `?as-of=1.8`
  const actions = document.querySelector(".actions"), source = document.querySelector(".actions + .term-place");
  const cited = { ...actions.querySelector("[data-cite]").dataset };
  // Each button below the definition, with its labels for the wording of the page and for a chosen one, and what it
  // copies of the page.
  const buttons = [...actions.querySelectorAll("button")].map((button) => {
    const { label = button.textContent, chosen = label, ...own } = button.dataset;
    return { button, label, chosen, own };
  });

  // Returns copies of the nodes of the wording that an event has: of a difference, it is the newer one.
  const wordingOf = (event) => {
    const copy = event.querySelector(".event-full, .after > .definition, .difference").cloneNode(true);
    for (const mark of copy.querySelectorAll("del, .visually-hidden")) mark.remove();
    for (const added of copy.querySelectorAll("ins")) added.replaceWith(...added.childNodes);
    return copy.childNodes;
  };

  // Returns what the buttons copy of an event. One that is the only event is not listed: its wording is that of the page.
  const textsOf = (event) => {
    const { address = cited.cite, text, term, release = cited.release, year } = event?.querySelector("[data-text]")?.dataset ?? {};
    return { address, text, cite: address, term, release, year };
  };

  // Makes the buttons copy these texts; without texts, those of the page.
  const aim = (texts) => {
    for (const { button, label, chosen, own } of buttons) {
      for (const [key, text] of Object.entries(own)) button.dataset[key] = texts?.[key] ?? text;
      button.textContent = texts ? chosen : label;
      delete button.dataset.label; // else a button that says "copied" would get its old label back
    }
    // One button that copies a link is enough.
    for (const link of document.querySelectorAll(".menu [data-copy=link]")) link.parentElement.hidden = !!texts;
  };

  // Names the releases of a wording, with a link to its page: the words of a difference have no links, those on that page
  // have.
  const nameWording = (place, texts) => {
    place.hidden = !texts;
    if (!texts) return;
    const address = texts.address.slice(texts.address.lastIndexOf("term/"));
    const page = document.querySelector(`.menu a[href*="${address}"]`);
    place.querySelector("[data-releases]").replaceChildren(page?.cloneNode(true) ?? texts.release);
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

  const stateOf = ({ value, dataset }) => {
    if (!value) return "absent";
    return "other" in dataset ? "reworded" : "same";
  };

  const showLatest = (box) => {
    source.before(actions);
    source.hidden = false;
    box.remove();
    aim();
  };

  // Shows the words of a release if they are not those of the page, else a sentence alone.
  const showRelease = (box, option, event, goBack) => {
    const release = option.text, state = stateOf(option), isReworded = state === "reworded";
    for (const sentence of box.querySelectorAll("[data-state]")) sentence.hidden = sentence.dataset.state !== state;
    for (const place of box.querySelectorAll("bdi[data-release]")) place.textContent = release;
    box.querySelector("[data-once]").hidden = !!choice("release"); // which other pages show
    box.querySelector("div").replaceChildren(...(isReworded ? wordingOf(event) : []));
    const place = event?.querySelector("[data-place]")?.cloneNode(true);
    box.querySelector("[data-place]").replaceChildren(...(place?.childNodes ?? []));
    tellRewording(box.querySelector("[data-reworded]"), isReworded && rewordingAfter(event));
    const changes = box.querySelector("[data-changes]");
    changes.search = new URLSearchParams({ from: release });
    changes.hash = `reworded-${location.pathname.split("/").at(-2)}`;
    box.querySelector("button").onclick = goBack;
    document.querySelector(".term-status").before(box);
    // The source names the newest release, which is the first after "latest".
    source.hidden = state === "same" && option.index > 1;
    // The buttons are below the words that they copy.
    if (isReworded) box.querySelector(".definition").after(actions);
    else source.before(actions);
    const texts = event && textsOf(event);
    aim(texts);
    nameWording(box.querySelector("[data-wording]"), texts);
  };

  const show = async (select, change) => {
    const selected = select.selectedIndex ? select.selectedOptions[0].text : "";
    if (change) choose("release", selected);
    const box = await part("chosen"), address = new URL(location);
    const release = change ? selected : address.searchParams.get(AS_OF) || choice("release");
    const option = [...select.options].slice(1).find(({ text }) => text === release);
    select.selectedIndex = option?.index ?? 0;
    // Who is sent the address sees the same words.
    if (option) address.searchParams.set(AS_OF, release);
    else address.searchParams.delete(AS_OF);
    history.replaceState(history.state, "", address);
    const goBack = () => { select.selectedIndex = 0; show(select, true); };
    if (option) showRelease(box, option, document.getElementById(option.value), goBack);
    else showLatest(box);
  };

  self.glossaryWording = { show };
}
