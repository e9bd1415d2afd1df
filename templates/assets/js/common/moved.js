// On a page of an earlier glossary, opens the term that the fragment names, or the list of all terms.
for (const list of document.querySelectorAll("[data-moved]")) {
  const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const link = place && place.closest("li")?.querySelector("a");
  location.replace(link ? link.href : list.dataset.moved);
}
