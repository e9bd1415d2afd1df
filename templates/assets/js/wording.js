// Shows on a term's page what the term meant at a release: `glossaryWording.show(select, "1.8")`, and without a name at
// the selected release, which is kept. `select` has the releases: the value of each is the id of the
// event with its words, or "" where the term was absent; those with the words of the page have none.
{
  const { part, choose } = glossaryPage;

  // Returns copies of the nodes of the wording that an event has: of a difference, it is the newer one.
  const wordingOf = (event) => {
    const copy = event.querySelector(".event-full, .after > .definition, .difference").cloneNode(true);
    for (const mark of copy.querySelectorAll("del, .visually-hidden")) mark.remove();
    for (const added of copy.querySelectorAll("ins")) added.replaceWith(...added.childNodes);
    return copy.childNodes;
  };

  const show = async (select, asked) => {
    const box = await part("chosen"), name = asked ?? (select.selectedIndex ? select.selectedOptions[0].text : "");
    if (asked === undefined) choose("release", name);
    const option = [...select.options].find((one, place) => place && one.text === name);
    select.selectedIndex = option?.index ?? 0;
    if (!option) return box.remove();
    const event = document.getElementById(option.value);
    const state = event ? "reworded" : option.value ? "same" : "absent";
    for (const sentence of box.querySelectorAll("[data-state]")) sentence.hidden = sentence.dataset.state !== state;
    for (const place of box.querySelectorAll("[data-release]")) place.textContent = name;
    box.querySelector("div").replaceChildren(...(event ? wordingOf(event) : []));
    box.querySelector("button").onclick = () => { select.selectedIndex = 0; show(select); };
    document.querySelector(".definition-main").after(box);
  };

  self.glossaryWording = { show };
}
