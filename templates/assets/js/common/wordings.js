// The releases of a term's page. Two of them can be compared, which the address names (`?compare=1.0..2.0`). The one
// that the reader chose (`?as-of=1.8`) stays chosen on other pages; the browser keeps it.
{
  const { load, choice, choose } = glossaryPage;

  // The name of each release, with the source where there are several, and its link.
  const releases = new Map([...document.querySelectorAll(".as-of a")].map((link) => {
    link.addEventListener("click", () => choose("release", link.textContent));
    const { source } = link.parentElement.dataset;
    return [source ? `${source} ${link.textContent}` : link.textContent, link];
  }));
  const asked = (name) => new URLSearchParams(location.search).get(name);
  const act = (name, ...values) => load("assets/js/wording.js").then(() => glossaryWording[name](...values)).catch(() => {});

  if (asked("as-of")) choose("release", asked("as-of"));
  if (releases.size && choice("release")) act("tell", releases, choice("release"));

  const form = document.querySelector("[data-wordings]");
  if (form) {
    const { one, two, beside } = form.elements;
    for (const select of [one, two]) select.append(...[...releases.keys()].map((name) => new Option(name)));
    one.selectedIndex = document.querySelectorAll(".as-of:first-of-type a").length - 1;
    const show = () => act("compare", releases, form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      history.replaceState(null, "", `?${new URLSearchParams({ compare: `${one.value}..${two.value}` })}`);
      show();
    });
    beside.addEventListener("change", show);
    const names = asked("compare")?.split("..") || [];
    if (names.length === 2 && names.every((name) => releases.has(name))) {
      [one.value, two.value] = names;
      show().then(() => form.scrollIntoView());
    }
  }
}
