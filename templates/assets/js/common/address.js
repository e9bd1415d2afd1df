// Links name index.html so that pages open from disk. On a server, the address bar shows the address without it.
if (location.protocol !== "file:" && location.pathname.endsWith("/index.html")) {
  const clean = location.pathname.slice(0, -"index.html".length)
  history.replaceState(history.state, "", clean + location.search + location.hash)
}
