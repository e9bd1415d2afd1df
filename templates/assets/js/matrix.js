// A matrix that fits scrolls with the page.
for (const frame of document.querySelectorAll(".matrix-frame")) {
  const fit = () => {
    frame.classList.add("fits");
    frame.classList.toggle("fits", frame.scrollWidth <= frame.clientWidth);
  };
  fit();
  addEventListener("resize", fit);
}
