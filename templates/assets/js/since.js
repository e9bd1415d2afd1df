// Opens the comparison with the release that a reader chooses.
for (const form of document.querySelectorAll("[data-since]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.href = form.querySelector("select").value;
  });
}
