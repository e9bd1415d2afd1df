// Tells on a term's page what the term meant at the release that the reader chose. `releases` are the links to
// releases.
{
  const { part, choose } = glossaryPage;

  // Returns the definition that the event with the same link has, or else the one at the top. Of a difference, it is
  // the newer wording.
  const wordingAt = (link) => {
    const events = [...document.querySelectorAll(".event")].filter((one) => one.querySelector("h3 a")?.href === link.href);
    for (const event of events) {
      const whole = event.querySelector(":is(.event-full, .after) > .definition"), marked = event.querySelector(".difference");
      if (whole) return whole;
      if (!marked) continue;
      const copy = marked.cloneNode(true), box = document.createElement("div");
      for (const mark of copy.querySelectorAll("del, .visually-hidden")) mark.remove();
      for (const added of copy.querySelectorAll("ins")) added.replaceWith(...added.childNodes);
      copy.className = "definition";
      box.className = "event-full";
      box.hidden = true;
      box.append(copy);
      marked.after(box);
      return copy;
    }
    return document.querySelector(".definition-main");
  };

  const tell = async (releases, name) => {
    const box = await part("chosen"), link = releases.find((one) => one.textContent === name);
    const state = !link ? "absent" : link.href === link.parentElement.querySelector("a").href ? "same" : "reworded";
    for (const sentence of box.querySelectorAll("[data-state]")) sentence.hidden = sentence.dataset.state !== state;
    for (const place of box.querySelectorAll("[data-release]")) place.replaceChildren(link ? link.cloneNode(true) : name);
    if (state === "reworded") box.querySelector("div").replaceChildren(...wordingAt(link).cloneNode(true).childNodes);
    box.querySelector("button").onclick = () => { choose("release", ""); box.remove(); };
    document.querySelector(".definition-main").after(box);
  };

  self.glossaryWording = { tell };
}
