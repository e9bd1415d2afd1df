// Light, dark or the system's theme. The first script of a page sets `data-theme` before the page is painted.
{
  const { choice, choose } = glossaryPage;
  const radios = document.querySelectorAll("[data-theme-choice] input");
  const colors = document.querySelectorAll('meta[name="theme-color"]');

  const show = () => {
    const theme = choice("theme") || "auto";
    document.documentElement.dataset.theme = theme;
    for (const radio of radios) radio.checked = radio.value === theme;
    ["light", "dark"].forEach((scheme, place) => {
      colors[place].media = theme === "auto" ? `(prefers-color-scheme: ${scheme})` : theme === scheme ? "all" : "not all";
    });
  };

  for (const radio of radios)
    radio.addEventListener("change", () => { choose("theme", radio.value === "auto" ? "" : radio.value); show(); });
  addEventListener("storage", show); // chosen in another tab
  addEventListener("pageshow", show); // chosen on another page, before the way back
  show();
}
