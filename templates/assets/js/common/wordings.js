// Compares the wordings that a term had at two releases, which the address names (`?compare=r1.0..r2.0`), so that the
// comparison can be shared. The script that compares words is loaded when it is first needed.
{
  const { load, part } = glossaryPage;

  // The event in force at a release has its wording, unless it is the definition at the top.
  const wordingAt = (id) =>
    document.getElementById(id).closest(".event").querySelector(":is(.event-full, .after) > .definition") ||
    document.querySelector(".definition-main");

  const choice = (select) => ({ label: select.selectedOptions[0].text, wording: wordingAt(select.value) });

  const compare = async (form) => {
    const scripts = ["word-difference", "difference"].map((name) => load(`assets/js/${name}.js`));
    const [says] = await Promise.all([part("difference"), ...scripts]);
    const { one, two, beside } = form.elements;
    const shown = glossaryDifference.shown(choice(one), choice(two), says, beside.checked);
    form.querySelector("[data-result]").replaceChildren(...shown);
  };

  const form = document.querySelector("[data-wordings]");
  if (form) {
    const { one, two } = form.elements;
    two.append(...one.cloneNode(true).children);
    one.selectedIndex = 0;
    const show = () => compare(form).catch(() => {});
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      history.replaceState(null, "", `?${new URLSearchParams({ compare: `${one.value}..${two.value}` })}`);
      show();
    });
    form.elements.beside.addEventListener("change", show);
    const asked = new URLSearchParams(location.search).get("compare")?.split("..") || [];
    if (asked.length === 2 && asked.every((id) => [...one.options].some(({ value }) => value === id))) {
      [one.value, two.value] = asked;
      show().then(() => form.scrollIntoView());
    }
  }
}
