// The list of releases in the header of a term's page. The browser keeps the release that a reader chose, for other terms
// too; that of a link (`?as-of=1.8`) is shown and not kept.
{
  const { load, choice } = glossaryPage;
  const select = document.querySelector(".site-header select");
  const show = (name) => load("assets/js/wording.js").then(() => glossaryWording.show(select, name)).catch(() => {});

  select?.addEventListener("change", () => show());
  const name = select && (new URLSearchParams(location.search).get("as-of") || choice("release"));
  if (name) show(name);
}
