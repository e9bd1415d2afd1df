// A matrix that is wider than the window is scrolled to its newest releases.
for (const frame of document.querySelectorAll(".matrix-frame")) {
  frame.scrollLeft = (document.dir === "rtl" ? -1 : 1) * frame.scrollWidth;
}
