// Opens the comparison with the release that a reader chooses; at first, it is the one chosen for the pages of terms.
for (const form of document.querySelectorAll("[data-since]")) {
  const select = form.querySelector("select"), kept = glossaryPage.choice("release").split("\n");
  const option = [...select.options].find(({ text }) => kept.includes(text));
  if (option) option.selected = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.href = select.value;
  });
}
