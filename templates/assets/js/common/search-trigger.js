// The entry to the search: a link on every page opens a dialog, and the search page has a box. The search itself
// is loaded at the first use.
{
  const { once, load, part, root } = glossaryPage;
  const page = document.querySelector("[data-search-page]");
  const links = document.querySelectorAll("a[data-search]");

  const ready = once(async () => {
    const [place] = await Promise.all([page || part("search"), load("assets/js/search.js")]);
    return page ? glossarySearch.page(place) : glossarySearch.dialog(place);
  });

  // Text typed before the box is loaded is put into it.
  let early;
  const keep = (event) => {
    if (event.key.length > 1 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    early += event.key;
  };

  const open = async () => {
    if (early !== undefined) return;
    early = "";
    addEventListener("keydown", keep, true);
    try {
      (await ready())(early);
    } catch {
      location.assign(new URL("search/index.html", root));
    } finally {
      removeEventListener("keydown", keep, true);
      early = undefined;
    }
  };

  for (const link of links) {
    link.ariaHasPopup = "dialog";
    link.addEventListener("focus", () => ready().catch(() => {}));
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      open();
    });
  }

  const input = page?.querySelector("input");
  if (page) {
    const start = () => ready().catch(() => { page.querySelector("[data-failure]").hidden = false; });
    input.addEventListener("focus", start);
    input.addEventListener("input", start);
    input.value = new URLSearchParams(location.search).get("q") || "";
    if (input.value) start();
    else input.focus();
  }

  glossaryPage.search = page ? () => { input.focus(); input.select(); } : open;
}
