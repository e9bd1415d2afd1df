// The release that a reader chose: the browser keeps it, and the pages of all terms show it. A term's page has the list
// of releases above its name, the header of other pages says which one is kept. A link (`?as-of=1.8`) shows one on its
// page only.
{
  const { root, load, part, choice, choose } = glossaryPage, select = document.querySelector("select[data-newest]");
  const show = (change) => load("assets/js/wording.js").then(() => glossaryWording.show(select, change)).catch(() => { select.selectedIndex = 0; });

  // Makes links to terms and to wordings lead to what the terms meant at a release.
  const leadTo = (release, links) => {
    for (const link of links) {
      if (!link.href.startsWith(root)) continue;
      const [, term, index = ""] = /^(term\/[^/]+\/)(?:[^/#]+\/)?(index\.html)?/.exec(link.href.slice(root.href.length)) ?? [];
      if (term) link.href = `${root}${term}${index}?as-of=${encodeURIComponent(release)}`;
    }
  };

  const name = async (release) => {
    const box = await part("kept");
    box.querySelector("bdi").textContent = release.split("\n").at(-1); // as pages show it
    box.querySelector("button").onclick = () => {
      choose("release", "");
      box.remove();
      document.querySelector("main").focus();
    };
    document.querySelector("header").append(box);
  };
  const tell = () => {
    const release = choice("release");
    if (release) name(release).catch(() => {});
    else document.querySelector("[data-part=kept]")?.remove();
  };

  const asOf = document.querySelector("[data-as-of]");
  if (asOf) leadTo(asOf.dataset.asOf, document.querySelectorAll("main a"));
  else if (!select && !document.querySelector(".notice-frozen")) { // a page of one wording always shows that
    tell();
    addEventListener("pageshow", tell); // chosen on another page, before the way back
  }
  glossaryPage.leadTo = leadTo;

  select?.addEventListener("change", show);
  if (select && (location.search || choice("release"))) show();
}
