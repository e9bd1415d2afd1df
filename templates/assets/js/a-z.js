// The A–Z list: shows the terms that match the filters, which are part of the address, and first sentences on demand.
{
  const form = document.querySelector("[data-filters]");
  const items = [...document.querySelectorAll(".bucket li")];
  const lists = [...document.querySelectorAll(".bucket .items")];
  const boxes = [...form.querySelectorAll("input")], groups = ["only", "source"];
  const counted = document.querySelector(".lead [data-count]"), total = counted.textContent;
  const plural = new Intl.PluralRules(document.documentElement.lang);

  const ticked = (group) => boxes.filter(({ name, checked }) => name === group && checked).map(({ value }) => value);

  // A term needs to match one filter of each group that has a selected one; a removed one matches none.
  const filter = () => {
    const asked = groups.map((group) => [group, ticked(group)]).filter(([, values]) => values.length);
    const fits = (item) => !asked.length || (!item.closest("[aria-labelledby=removed]") &&
      asked.every(([group, values]) => (item.dataset[group] || "").split(" ").some((one) => values.includes(one))));
    let count = 0;
    for (const item of items) count += !(item.hidden = !fits(item));
    for (const bucket of document.querySelectorAll(".bucket")) {
      bucket.hidden = !bucket.querySelector("li:not([hidden])");
      const link = document.querySelector(`main [href="#${bucket.getAttribute("aria-labelledby")}"]`);
      if (link) (link.closest("li") ?? link).hidden = bucket.hidden; // that of a letter is in a list
    }
    counted.textContent = asked.length ? form.dataset[plural.select(count)].replace("{count}", count) : total;
  };

  // First sentences are in the data of the search.
  const { once, load, root } = glossaryPage;
  const addSentences = once(async () => {
    await load("assets/js/search.js");
    const { terms } = await glossarySearch.open(root).names();
    const sentences = new Map(terms.map(({ slug, sentence }) => [slug, sentence]));
    for (const item of items) {
      const slug = decodeURI(item.querySelector("a").href.slice(root.href.length).split("/")[1]);
      const textContent = sentences.get(slug);
      if (textContent) item.append(Object.assign(document.createElement("span"), { className: "item-summary", textContent }));
    }
  });
  const tell = async () => {
    const { checked } = form.elements.with;
    if (checked) await addSentences();
    for (const list of lists) list.classList.toggle("items-brief", !checked);
  };

  const remember = () => {
    const url = new URL(location);
    url.search = new URLSearchParams(new FormData(form));
    history.replaceState(history.state, "", url);
  };

  for (const [name, value] of new URLSearchParams(location.search))
    for (const box of boxes) if (box.name === name && box.value === value) box.checked = true;
  const choices = form.querySelector("details");
  const show = () => {
    if (choices?.querySelector(":checked")) choices.open = true;
    filter();
    if (form.elements.with) tell().catch(() => {});
  };
  form.addEventListener("change", () => { show(); remember(); });
  // On Back, a browser restores the selected filters.
  addEventListener("pageshow", () => { if (boxes.some(({ checked }) => checked)) show(); });
}
