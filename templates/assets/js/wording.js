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
  // words. They are named after the releases of the
  // wording, like the page that the link leads to, but a citation after the chosen release; one link is enough.
  const actions = document.querySelector(".actions"), source = document.querySelector(".actions + .term-place");
  const buttons = [...actions.querySelectorAll("button")].map((button) => {
    const { label = button.textContent, chosen = label, ...own } = button.dataset;
    return { button, label, chosen, own };
  });
  const quoted = actions.querySelector("[data-cite]").dataset.cite;
  const shown = actions.querySelector("[data-wording]")?.dataset.wording;
  const aim = (release, texts) => {
    for (const { button, label, chosen, own } of buttons) {
      for (const [key, text] of Object.entries(own)) button.dataset[key] = texts[key] ?? text;
      button.textContent = release ? `${chosen} (${button.dataset.copy && texts.wording || release})` : label;
      delete button.dataset.label;
    }
    for (const link of document.querySelectorAll(".menu [data-copy=link]")) link.parentElement.hidden = !!release;
    source.hidden = !!release; // it is that of the latest release
  };
  // An event is not listed if it is the only one: its wording is that of the page.
  const textsOf = (release, year, event) => {
    const { address = quoted, text, term, wording = shown } = event?.querySelector("[data-text]")?.dataset ?? {};
    return { address, text, cite: address, term, release, year, wording };
  };

  const show = async (select, change) => {
    const selected = select.selectedIndex ? select.selectedOptions[0].text : "";
    if (change) choose("release", selected);
    const box = await part("chosen");
    const address = new URL(location), named = "as-of";
    const name = change ? selected : address.searchParams.get(named) || choice("release");
    const optionOf = (release) => [...select.options].find((one, place) => place && one.text === release);
    const option = optionOf(name);
    // The header has what is kept: the release of an address is that of this page alone.
    select.selectedIndex = optionOf(choice("release"))?.index ?? 0;
    // Who is sent the address sees the same words.
    if (option) address.searchParams.set(named, name);
    else address.searchParams.delete(named);
    history.replaceState(history.state, "", address);
    if (!option) {
      aim("", {});
      source.before(actions);
      return box.remove();
    }
    const event = document.getElementById(option.value);
    const { merged } = option.dataset;
    const state = merged ? "merged" : !option.value ? "absent" : "other" in option.dataset ? "reworded" : "same";
    for (const sentence of box.querySelectorAll("[data-state]")) sentence.hidden = sentence.dataset.state !== state;
    for (const place of box.querySelectorAll("[data-release]")) place.textContent = name;
    box.querySelector("[data-other]").textContent = merged;
    box.querySelector("div").replaceChildren(...(state === "reworded" ? wordingOf(event) : []));
    const changes = box.querySelector("a[data-state]"); // the words may have links
    changes.search = new URLSearchParams({ from: name });
    changes.hash = `reworded-${location.pathname.split("/").at(-2)}`;
    const texts = textsOf(name, option.dataset.year, event);
    if (option.value) aim(name, texts);
    else aim("", {});
    // The words of a difference have no links; those on the page of the wording have.
    const page = document.querySelector(`.menu a[href*="${texts.address.replace(/^.*(?=term\/)/, "")}"]`);
    const place = box.querySelector("[data-page]");
    if (page) place.replaceChildren(page.cloneNode(true));
    else place.parentElement.hidden = true;
    box.querySelector("button").onclick = () => { select.selectedIndex = 0; show(select, true); };
    document.querySelector(".term > .term-label, .definition-main").before(box);
    if (state === "reworded") box.querySelector(".definition").after(actions);
    else source.before(actions);
  };

  self.glossaryWording = { show };
}
