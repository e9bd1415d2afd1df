// Shows the definition of a linked term while the link has the pointer or the focus. The page loads this with the first
// pointer or focus on a link.
{
  const HOVER = 350, FOCUS = 500, GRACE = 250, GAP = 6, EDGE = 8;
  const { root, load, part, isOff } = glossaryPage;
  let wanted, opening, shown, closing, preview;

  const forget = () => {
    clearTimeout(opening);
    wanted = undefined;
  };
  const stay = () => {
    clearTimeout(closing);
    closing = undefined;
  };
  const close = () => {
    stay();
    shown?.removeAttribute("aria-describedby");
    if (preview?.matches(":popover-open")) preview.hidePopover();
    shown = undefined;
  };
  const leave = () => { closing ??= setTimeout(close, GRACE); };
  const dismiss = () => { forget(); close(); };

  // A link to a term's page. Rows of lists and search results already show the definition. In a picture, `href` is no text.
  const slugOf = (link) => {
    const below = link?.href.startsWith?.(root.href) && !link.closest(".items:not(.items-brief), dialog") && link.href.slice(root.href.length);
    return below && decodeURI(/^term\/([^/?#]+)\/(index\.html)?$/.exec(below)?.[1] || "");
  };

  const read = async (slug) => {
    if (location.protocol !== "file:") {
      const { name, status, definition } = await (await fetch(new URL(`term/${slug}/index.json`, root))).json();
      return { name, status, text: definition.summary };
    }
    await load("assets/js/search.js"); // from disk, scripts are all that a page may read
    const { terms } = await glossarySearch.open(root).names();
    const { name, status, sentence } = terms.find((term) => term.slug === slug);
    return { name, status, text: sentence };
  };

  // Below the link or above it; false if neither has room.
  const place = () => {
    const { top, bottom, left, right } = shown.getBoundingClientRect();
    const { width, height } = preview.getBoundingClientRect();
    const page = document.documentElement;
    const y = bottom + GAP + height <= innerHeight ? bottom + GAP : top - GAP - height;
    const x = page.dir === "rtl" ? right - width : left;
    preview.style.left = `${scrollX + Math.max(EDGE, Math.min(x, page.clientWidth - width - EDGE))}px`;
    preview.style.top = `${scrollY + y}px`;
    return y >= 0;
  };

  const show = async () => {
    const asked = wanted;
    const [{ name, status, text }, box] = await Promise.all([read(slugOf(asked)), part("preview")]);
    if (asked !== wanted || !text) return;
    close();
    [shown, preview] = [asked, box];
    const fill = (place, said) => { box.querySelector(`[data-${place}]`).textContent = said; };
    fill("name", name);
    fill("state", box.dataset[status]);
    fill("gist", text);
    box.showPopover();
    if (place()) shown.setAttribute("aria-describedby", box.id);
    else close();
  };

  const consider = (link, time) => {
    forget();
    wanted = link;
    opening = setTimeout(() => show().catch(() => {}), time);
    if (shown) leave();
  };

  // A pointer that moves away does not close a card that the focus opened.
  const isHeld = (link) => link?.matches(":focus-visible");
  const away = () => {
    if (!isHeld(wanted)) forget();
    if (!isHeld(shown)) leave();
  };

  document.addEventListener("pointerover", ({ target, relatedTarget, pointerType }) => {
    const over = target.closest("a");
    if (pointerType === "touch" || over?.contains(relatedTarget)) return;
    if (over ? over === shown : preview?.contains(target)) { forget(); stay(); }
    else if (slugOf(over) && !isOff("previews")) consider(over, HOVER);
    else away();
  });
  document.documentElement.addEventListener("pointerleave", away);
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches("a:focus-visible") && slugOf(target) && !isOff("previews")) consider(target, FOCUS);
  });
  document.addEventListener("focusout", ({ target }) => {
    if (target === wanted) forget();
    if (target === shown) leave();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !shown) return;
    event.preventDefault();
    dismiss();
  });
  addEventListener("resize", dismiss);
  addEventListener("pagehide", dismiss);

  const first = document.querySelector("a:hover, a:focus-visible");
  if (slugOf(first) && !isOff("previews")) consider(first, first.matches(":hover") ? HOVER : FOCUS);
}
