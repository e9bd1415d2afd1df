// Reloads the page when there is something newer than what it shows.
// Added to every page by `sitegen serve`, and by nothing else; `?shown=` names what the page is from.
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
