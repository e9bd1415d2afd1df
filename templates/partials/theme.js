{
  let theme;
  try { theme = localStorage.getItem("glossary-theme"); } catch {}
  document.documentElement.dataset.theme = theme || "auto";
}
