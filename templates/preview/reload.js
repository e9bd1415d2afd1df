// Reloads the page when another build has taken the place of the one shown.
// Added to every page by `sitegen serve`, and by nothing else; `?build=` names the build that the page is from.
{
  const { src } = document.currentScript;
  const shown = new URL(src).searchParams.get("build");
  let builds;

  addEventListener("pageshow", () => {
    builds = new EventSource(new URL("builds", src));
    builds.addEventListener("message", ({ data }) => data === shown || location.reload());
  });
  addEventListener("pagehide", () => builds.close());
}
