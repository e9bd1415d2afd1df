// Of the abbreviations that a page marks, as MkDocs and Zensical do with abbreviations.md, keeps the first of each term.
addEventListener("DOMContentLoaded", () => {
  const titles = new Set();
  for (const mark of document.querySelectorAll("abbr[title]"))
    if (titles.size === titles.add(mark.title).size) mark.replaceWith(...mark.childNodes);
});
