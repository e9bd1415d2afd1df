// What changed since a release: its page is gone to when it was chosen.
for (const form of document.querySelectorAll("[data-since]")) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.href = form.querySelector("select").value;
  });
}
