// A matrix of releases that is wider than the window is scrolled to the newest; one that fits scrolls with the page.
for (const frame of document.querySelectorAll(".matrix-frame")) {
  const fit = () => frame.classList.toggle("fits", frame.scrollWidth <= frame.clientWidth);
  fit();
  addEventListener("resize", fit);
  if (frame.closest("figure")) frame.scrollLeft = (document.dir === "rtl" ? -1 : 1) * frame.scrollWidth;
}
