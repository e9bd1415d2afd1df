// An address that names a release, as a page shows it or as it is called, leads to what changed since it (`?from=1.0`; in
// earlier versions `?from=1.0&to=2.0`).
{
  const release = new URLSearchParams(location.search).get("from");
  const lines = [...document.querySelectorAll("[data-release]")];
  const line = lines.find(({ dataset, cells }) => [dataset.release, cells[0].firstChild.textContent].includes(release));
  if (line) location.replace(line.dataset.since + location.hash);
}
