// On a page at an old place of the glossary, opens what the link meant: its term, or the list of all terms.
for (const list of document.querySelectorAll("[data-moved]")) {
  const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const link = place && place.closest("li")?.querySelector("a");
  location.replace(link ? link.href : list.dataset.moved);
}
