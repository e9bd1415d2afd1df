// A matrix that is wider than the window begins with its newest releases, at its end.
for (const frame of document.querySelectorAll(".matrix-frame")) {
  frame.scrollLeft = (document.dir === "rtl" ? -1 : 1) * frame.scrollWidth;
}
