// Shows the first sentence of a definition on any page, of any site, that links to it:
//   <script src="https://…/assets/embed.js" defer></script>
// A link to a frozen page, or to a release's id, shows the wording of then; so does `data-release` on a link, or on
// the script, for the whole page. If a term was not defined at that release, no card is shown. Any other element with
// `data-term="snapshot"` or the class `glossary-term-snapshot` shows the term, too. With `data-terms` on the script, the
// definitions are in that file beside it, which assigns [name, text, state] of each term to `glossaryTerms`.
if (document.currentScript && "popover" in HTMLElement.prototype) {
  const HOVER = 350, FOCUS = 500, GRACE = 250, GAP = 6, EDGE = 8;
  const STYLE = `
    :host { position: absolute; inset: auto; margin: 0; padding: 0; border: 0; background: none; overflow: visible }
    div { display: flex; flex-direction: column; gap: 4px; box-sizing: border-box; inline-size: max-content;
      max-inline-size: min(24rem, calc(100vw - 16px)); padding: 10px 14px;
      border: 1px solid GrayText; border-radius: 6px; background: Canvas; color: CanvasText;
      box-shadow: 0 4px 16px rgb(0 0 0 / .2); font: 15px/1.45 system-ui, sans-serif; text-align: start; overflow-wrap: anywhere }
    p { margin: 0 }
    p:first-child { font-weight: 600 }
    p:last-child { font-size: 13px }
    p:empty { display: none }`;
  const MARKED = "[data-term], [class*='glossary-term-']";
  const { src, dataset: { release: everywhere, terms: own } } = document.currentScript;
  const root = new URL("..", src);
  const answers = new Map();
  let card, wanted, shown, opening, closing;

  // Returns the term of a marked element, or of one that holds it alone.
  const marked = (element) => {
    const [only, more] = element?.matches?.(MARKED) ? [element] : element?.querySelectorAll?.(MARKED) ?? [];
    if (!only || more) return null;
    const slug = only.dataset.term || /glossary-term-(\S+)/.exec(only.className)[1];
    return { slug, release: only.dataset.release };
  };

  // Returns the term of a link, and its release if there is one. A query and the last slash are ignored.
  const meant = (link) => marked(link) || linked(link);
  const linked = (link) => {
    const below = link?.href?.startsWith?.(root.href) ? link.href.slice(root.href.length) : "";
    const [, path, place] = /^([^?#]*)[^#]*(?:#(.*))?$/s.exec(below);
    const [kind, slug, frozen, ...more] = path.replace(/\/?(index\.html)?$/, "").split("/");
    if (kind !== "term" || !/^[\w%-]+$/.test(slug || "") || more.length) return null;
    return { slug, frozen, place: /^(r|s-)/.test(place) ? place : undefined, release: link.dataset.release };
  };

  // Loads the file with the definitions, once. It is a script, which a page that is opened from disk may load.
  let file;
  const ownTerms = () => file ??= new Promise((onload, onerror) => {
    document.head.append(Object.assign(document.createElement("script"), { src: new URL(own, src), onload, onerror }));
  });

  const read = (slug) => {
    if (!answers.has(slug)) {
      const answer = fetch(new URL(`term/${slug}/index.json`, root), { credentials: "omit" });
      answers.set(slug, answer.then((file) => file.json()));
      answers.get(slug).catch(() => answers.delete(slug));
    }
    return answers.get(slug);
  };

  // Returns the first matching wording: name, words and release.
  const wording = ({ wordings }, isMeant) => {
    for (const { url, name, summary, releases } of wordings)
      for (const [id, release] of Object.entries(releases))
        if (isMeant({ url, id, release })) return [name, summary, release];
  };

  // Returns the content of a card; nothing if the term was not defined then.
  const said = async ({ slug, frozen, place, release = frozen || place ? undefined : everywhere }) => {
    if (own) return ownTerms().then(() => glossaryTerms[decodeURIComponent(slug)]);
    const term = await read(slug);
    if (release) return wording(term, (one) => one.release === release);
    // A release that did not change the words has no page of its own, but its address is answered all the same.
    if (frozen) return wording(term, ({ url }) => url?.endsWith(`/${frozen}/`)) ?? wording(term, ({ id }) => id === `r${frozen}`);
    if (place) return wording(term, (one) => one.id === place);
    const other = term.synonym_of || term.merged_into, { definition } = other ? await read(other) : term;
    return [term.name, definition.summary, term.standing];
  };

  const made = () => {
    const card = document.createElement("glossary-card");
    const id = `glossary-card-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    Object.assign(card, { id, popover: "manual", role: "tooltip" });
    const shadow = card.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet(); // which no policy of the page forbids
    sheet.replaceSync(STYLE);
    shadow.adoptedStyleSheets = [sheet];
    const box = document.createElement("div");
    box.append(...["p", "p", "p"].map((tag) => document.createElement(tag)));
    shadow.append(box);
    document.body.append(card);
    return card;
  };

  const fill = (texts, language) => {
    card ??= made();
    if (!card.isConnected) document.body.append(card); // the page may have replaced its body
    card.lang = language;
    [...card.shadowRoot.querySelectorAll("p")].forEach((line, number) => {
      line.textContent = texts[number] ?? "";
      line.dir = "auto";
    });
  };

  // Below the link, or above it if there is no room.
  const place = () => {
    const { top, bottom, left } = shown.getBoundingClientRect();
    const { width, height } = card.getBoundingClientRect();
    const y = bottom + GAP + height <= innerHeight ? bottom + GAP : Math.max(EDGE, top - GAP - height);
    const x = Math.max(EDGE, Math.min(left, document.documentElement.clientWidth - width - EDGE));
    Object.assign(card.style, { left: `${x + scrollX}px`, top: `${y + scrollY}px` });
  };

  // A description that the link already has is kept.
  const describe = (link, isShown) => {
    const others = (link.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== card.id);
    const ids = isShown ? [...others, card.id] : others;
    if (ids.length) link.setAttribute("aria-describedby", ids.join(" "));
    else link.removeAttribute("aria-describedby");
  };

  const stay = () => {
    clearTimeout(closing);
    closing = undefined;
  };
  const forget = () => {
    clearTimeout(opening);
    wanted = undefined;
  };
  const close = () => {
    stay();
    if (!shown) return;
    describe(shown, false);
    card.hidePopover();
    shown = undefined;
  };
  const leave = () => { closing ??= setTimeout(close, GRACE); };
  const dismiss = () => { forget(); close(); };

  const show = async () => {
    const link = wanted;
    const texts = await said(meant(link));
    const language = own ? document.documentElement.lang : (await read(meant(link).slug)).language;
    if (link !== wanted || !texts?.[1]) return;
    close();
    fill(texts, language);
    shown = link;
    card.showPopover();
    place();
    describe(link, true);
  };

  const consider = (link, time) => {
    forget();
    wanted = link;
    opening = setTimeout(() => show().catch(() => {}), time); // without an answer the link is a link
    if (shown) leave();
  };

  // A pointer that moves away does not close a card that the focus opened.
  const isHeld = (link) => link?.matches(":focus-visible");
  const away = () => {
    if (!isHeld(wanted)) forget();
    if (shown && !isHeld(shown)) leave();
  };

  // Returns the element of an event, also in a shadow root.
  const origin = (event) => event.composedPath()[0];

  document.addEventListener("pointerover", (event) => {
    const { relatedTarget, pointerType } = event, target = origin(event);
    const link = target.closest?.(`a[href], ${MARKED}`);
    if (pointerType === "touch" || link?.contains(relatedTarget)) return;
    if (shown && (link === shown || event.target === card)) { forget(); stay(); }
    else if (meant(link)) consider(link, HOVER);
    else away();
  });
  document.documentElement.addEventListener("pointerleave", away);
  document.addEventListener("focusin", (event) => {
    const target = origin(event);
    if (target.matches(":focus-visible") && meant(target)) consider(target, FOCUS);
  });
  document.addEventListener("focusout", (event) => {
    const target = origin(event);
    if (target === wanted) forget();
    if (target === shown) leave();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    forget();
    if (!shown) return;
    event.preventDefault();
    close();
  });
  for (const element of document.querySelectorAll(MARKED))
    if (!element.closest("a[href], button, [tabindex]")) element.tabIndex = 0;
  addEventListener("resize", dismiss);
  addEventListener("pagehide", dismiss);
}
