// Compares the wordings that a term had at two releases. How words are compared is loaded when it is asked for.
{
  const { load, part } = glossaryPage;

  // The event that was in force at a release has its wording, unless that is the one at the top of the page.
  const wordingAt = (id) =>
    document.getElementById(id).closest(".event").querySelector(":is(.event-full, .after) > .definition") ||
    document.querySelector(".definition-main");

  const choice = (select) => ({ label: select.selectedOptions[0].text, wording: wordingAt(select.value) });

  const compare = async (form) => {
    const scripts = ["word-difference", "difference"].map((name) => load(`assets/js/${name}.js`));
    const [says] = await Promise.all([part("difference"), ...scripts]);
    const shown = glossaryDifference(choice(form.elements.one), choice(form.elements.two), says);
    form.querySelector("[data-result]").replaceChildren(...shown);
  };

  const form = document.querySelector("[data-wordings]");
  if (form) {
    const { one, two } = form.elements;
    two.append(...one.cloneNode(true).children);
    one.selectedIndex = 0;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      compare(form).catch(() => {});
    });
  }
}
