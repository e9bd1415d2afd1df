// The releases of a term's page. The one that the reader chose (`?as-of=1.8`) stays chosen on other pages; the browser
// keeps it.
{
  const { load, choice, choose } = glossaryPage;

  const releases = [...document.querySelectorAll(".as-of a")];
  for (const link of releases) link.addEventListener("click", () => choose("release", link.textContent));
  const asked = (name) => new URLSearchParams(location.search).get(name);

  if (asked("as-of")) choose("release", asked("as-of"));
  if (releases.length && choice("release")) {
    load("assets/js/wording.js").then(() => glossaryWording.tell(releases, choice("release"))).catch(() => {});
  }
}
