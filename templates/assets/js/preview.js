// Shows the definition of a linked term, or a linked wording, while the link has the pointer or the focus. The page loads
// this with the first pointer or focus on a link.
{
  const HOVER = 350, FOCUS = 500, GRACE = 250, GAP = 6, EDGE = 8;
  const { root, load, part, choice, isOff } = glossaryPage;
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
    preview?.hidePopover();
    shown = undefined;
  };
  const leave = () => { closing ??= setTimeout(close, GRACE); };
  const dismiss = () => { forget(); close(); };

  // Returns the slug of a link to a term, and the release of one to a wording. Rows of lists and search results already
  // show the definition. In a picture, `href` is no text.
  const termOf = (link) => {
    if (isOff("previews") || !link?.href.startsWith?.(root.href) || link.closest(".items:not(.items-brief), dialog")) return;
    return /^term\/([^/?#]+)\/([^/?#]+\/)?(?:index\.html)?(?:\?as-of=[^#]*)?$/.exec(link.href.slice(root.href.length))?.slice(1);
  };

  const find = async (slug) => {
    if (location.protocol !== "file:") return (await fetch(new URL(`term/${slug}/index.json`, root))).json();
    await load("assets/js/search.js"); // from disk, scripts are all that a page may read: names without wordings
    const { terms } = await glossarySearch.open(root).names();
    return terms.find((term) => term.slug === decodeURI(slug));
  };

  const read = async (link) => {
    const [slug, release] = termOf(link), asOf = new URL(link.href).searchParams.get("as-of") ?? choice("release").split("\n")[0];
    const term = await find(slug);
    const isLinked = ({ url, releases }) =>
      release ? link.href.startsWith(new URL(url, root)) : Object.values(releases).includes(asOf);
    const wording = term.wordings?.find(isLinked);
    // Without its wordings, only the latest one of a term is known.
    if (!wording && (release || (asOf && !term.wordings))) return {};
    const { name, status, first, last, summary, sentence } = wording ?? term;
    const state = first ? [...new Set([first, last])].join(" – ") : preview.dataset[status] ?? "";
    return { name, state, text: summary || sentence || term.definition.summary };
  };

  // Below the link or above it; false if neither has room.
  const place = () => {
    const { top, bottom, left, right } = shown.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = preview;
    const y = bottom + GAP + height <= innerHeight ? bottom + GAP : top - GAP - height;
    const x = document.dir === "rtl" ? right - width : left;
    preview.style.left = `${scrollX + Math.max(EDGE, Math.min(x, document.body.clientWidth - width - EDGE))}px`;
    preview.style.top = `${scrollY + y}px`;
    return y >= 0;
  };

  const show = async () => {
    const asked = wanted;
    preview ||= await part("preview");
    const said = await read(asked);
    if (asked !== wanted || !said.text) return;
    close();
    shown = asked;
    for (const name in said) preview.querySelector(`[data-${name}]`).textContent = said[name];
    preview.querySelector(".muted").hidden = !said.state; // a current term has its name alone
    preview.showPopover();
    if (place()) shown.setAttribute("aria-describedby", preview.id);
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
    else if (termOf(over)) consider(over, HOVER);
    else away();
  });
  document.documentElement.addEventListener("pointerleave", away);
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches("a:focus-visible") && termOf(target)) consider(target, FOCUS);
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
  if (termOf(first)) consider(first, first.matches(":hover") ? HOVER : FOCUS);
}
