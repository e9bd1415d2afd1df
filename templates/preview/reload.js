// Reloads the page when a newer build exists.
// Added to every page by `sitegen serve` only; `?shown=` names the build of the page.
{
  const { src } = document.currentScript;
  const shown = new URL(src).searchParams.get("shown");
  let news;

  addEventListener("pageshow", () => {
    news = new EventSource(new URL("news", src));
    news.addEventListener("message", ({ data }) => data === shown || location.reload());
  });
  addEventListener("pagehide", () => news.close());
}
