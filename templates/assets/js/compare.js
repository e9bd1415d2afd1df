// An address of earlier versions that names two releases (`?from=1.0&to=2.0`) leads to what changed since the first.
{
  const release = new URLSearchParams(location.search).get("from");
  const line = [...document.querySelectorAll("[data-release]")].find((one) => one.dataset.release === release);
  if (line) location.replace(line.dataset.since + location.hash);
}
