// The list of releases in the header of a term's page. The browser keeps the release that a reader chose, which the pages
// of all terms show; that of a link (`?as-of=1.8`) is shown on its page and not kept.
{
  const { load, choice } = glossaryPage, select = document.querySelector("header select");
  const show = (change) => load("assets/js/wording.js").then(() => glossaryWording.show(select, change)).catch(() => {});

  select?.addEventListener("change", show);
  if (select && (location.search || choice("release"))) show();
}
