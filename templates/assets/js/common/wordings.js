// The list of releases in the header. The browser keeps the release that a reader chose, which the pages of all terms
// show; that of a link (`?as-of=1.8`) is shown there and not kept.
{
  const { load, choice, choose } = glossaryPage, select = document.querySelector("header select");
  const show = (change) => load("assets/js/wording.js").then(() => glossaryWording.show(select, change)).catch(() => {});
  const keep = () => choose("release", select.selectedIndex ? select.value : "");
  const restore = () => {
    select.value = choice("release");
    select.selectedIndex = Math.max(select.selectedIndex, 0);
  };

  if (select?.matches("[data-wordings]")) {
    select.addEventListener("change", show);
    if (location.search || choice("release")) show();
  } else if (select) {
    select.addEventListener("change", keep);
    addEventListener("pageshow", restore); // also on the way back
  }
}
