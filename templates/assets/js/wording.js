// Shows on a term's page, above its definition, what the term meant at a release: at the one just selected, which is
// kept, or else at that of the address or the one kept before. `select` has the releases: the value of each is the id of
// the event with its wording, or "" where the term was absent.
{
  const { part, choice, choose } = glossaryPage;

  // Returns copies of the nodes of the wording that an event has: of a difference, it is the newer one.
  const wordingOf = (event) => {
    const copy = event.querySelector(".event-full, .after > .definition, .difference").cloneNode(true);
    for (const mark of copy.querySelectorAll("del, .visually-hidden")) mark.remove();
    for (const added of copy.querySelectorAll("ins")) added.replaceWith(...added.childNodes);
    return copy.childNodes;
  };

  // The buttons of the page copy the texts of the wording above its definition, below which they are if it has other
  // words; one link is enough.
  const actions = document.querySelector(".actions"), source = document.querySelector(".actions + .term-place");
  const buttons = [...actions.querySelectorAll("button")].map((button) => {
    const { label = button.textContent, chosen = label, ...own } = button.dataset;
    return { button, label, chosen, own };
  });
  const cited = { ...actions.querySelector("[data-cite]").dataset };
  const aim = async (texts) => {
    for (const { button, label, chosen, own } of buttons) {
      for (const [key, text] of Object.entries(own)) button.dataset[key] = texts?.[key] ?? text;
      button.textContent = texts ? chosen : label;
      delete button.dataset.label;
    }
    for (const link of document.querySelectorAll(".menu [data-copy=link]")) link.parentElement.hidden = !!texts;
    source.hidden = !!texts; // it is that of the latest release
    const sentence = await part("chosen-link");
    if (!texts) return sentence.remove();
    // The words of a difference have no links; those on the page of the wording have.
    const page = document.querySelector(`.menu a[href*="${texts.address.replace(/^.*(?=term\/)/, "")}"]`);
    sentence.querySelector("[data-releases]").replaceChildren(page?.cloneNode(true) ?? texts.release);
    actions.after(sentence);
  };
  // An event is not listed if it is the only one: its wording is that of the page.
  const textsOf = (event) => {
    const { address = cited.cite, text, term, release = cited.release, year } = event?.querySelector("[data-text]")?.dataset ?? {};
    return { address, text, cite: address, term, release, year };
  };

  const show = async (select, change) => {
    const selected = select.selectedIndex ? select.selectedOptions[0].text : "";
    if (change) choose("release", selected);
    const box = await part("chosen");
    const address = new URL(location), named = "as-of";
    const name = change ? selected : address.searchParams.get(named) || choice("release");
    const option = [...select.options].find((one, place) => place && one.text === name);
    select.selectedIndex = option?.index ?? 0;
    // Who is sent the address sees the same words.
    if (option) address.searchParams.set(named, name);
    else address.searchParams.delete(named);
    history.replaceState(history.state, "", address);
    if (!option) {
      aim();
      source.before(actions);
      return box.remove();
    }
    const event = document.getElementById(option.value);
    const { merged } = option.dataset;
    const state = merged ? "merged" : !option.value ? "absent" : "other" in option.dataset ? "reworded" : "same";
    for (const sentence of box.querySelectorAll("[data-state]")) sentence.hidden = sentence.dataset.state !== state;
    for (const place of box.querySelectorAll("bdi[data-release]")) place.textContent = name;
    box.querySelector("[data-other]").textContent = merged;
    box.querySelector("[data-once]").hidden = name === choice("release");
    box.querySelector("div").replaceChildren(...(state === "reworded" ? wordingOf(event) : []));
    const changes = box.querySelector("a[data-state]"); // the words may have links
    changes.search = new URLSearchParams({ from: name });
    changes.hash = `reworded-${location.pathname.split("/").at(-2)}`;
    box.querySelector("button").onclick = () => { select.selectedIndex = 0; show(select, true); };
    document.querySelector(".term > .term-label, .definition-main").before(box);
    if (state === "reworded") box.querySelector(".definition").after(actions);
    else source.before(actions);
    aim(event && textsOf(event));
  };

  self.glossaryWording = { show };
}
