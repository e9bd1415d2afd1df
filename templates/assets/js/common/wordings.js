// The list of releases in the header of a term's page. The browser keeps the release that a reader chose, for other terms
// too; that of a link (`?as-of=1.8`) is shown and not kept. The header of a page without such a list, or without that
// release in it, says which one was chosen.
{
  const { load, part, choice, choose } = glossaryPage, select = document.querySelector("header select");
  const show = (change) => load("assets/js/wording.js").then(() => glossaryWording.show(select, change)).catch(() => {});

  select?.addEventListener("change", show);
  if (select && (location.search || choice("release"))) show();

  const tell = async () => {
    const name = choice("release"), isListed = [...(select?.options || [])].some(({ text }) => text === name);
    if (!name || isListed) return document.querySelector("[data-part=kept]")?.remove();
    const box = await part("kept"), button = box.querySelector("button");
    for (const place of box.querySelectorAll("[data-release]")) place.textContent = name;
    button.onclick = () => { choose("release", ""); tell(); };
    document.querySelector(".site-header").append(box);
  };
  addEventListener("pageshow", () => tell().catch(() => {})); // also on the way back
}
