// Copies links, quotations and citations, and confirms it; if the browser refuses, shows the text to copy. A click beside
// a menu, and Escape, close it.
{
  const { root, load, part } = glossaryPage;
  const WHILE = 2000;

  // Addresses are absolute if base_url is known; else they are made absolute here, in quotations too.
  const textOf = ({ address, text }, kind) => {
    const whole = new URL(address, root).href;
    return kind === "link" ? whole : text.replace(`](${address})`, () => `](${whole})`);
  };

  // Says which releases have the words of a link to a wording: the address names only the first of them.
  const explain = async (button, said) => {
    const { release } = (button.closest(".actions")?.querySelector("[data-cite]") ?? button).dataset;
    if (!release || !/\/term\/[^/]+\/[^/]+\/(?:index\.html)?$/.test(textOf(button.dataset, "link"))) return;
    const note = await part("exact");
    note.querySelector("[data-release]").textContent = release;
    button.closest(".actions, .event-links").after(note);
    said.textContent += `. ${note.textContent}`;
  };

  const confirm = async (button, kind) => {
    const said = await part("copied");
    const label = (button.dataset.label ??= button.textContent);
    const name = (button.dataset.name ??= button.ariaLabel || "");
    button.ariaLabel = null;
    button.style.minInlineSize = `${button.getBoundingClientRect().width}px`; // its neighbors stay in place
    said.textContent = button.textContent = said.getAttribute(`data-${kind}`);
    if (kind === "link") explain(button, said);
    setTimeout(() => {
      button.textContent = label;
      button.ariaLabel = name || null;
      button.style.minInlineSize = "";
      said.textContent = "";
    }, WHILE);
  };

  const offer = async (button, text) => {
    const box = await part("by-hand"), field = box.querySelector("textarea");
    (button.closest(".actions") || button).after(box);
    field.value = text;
    field.select();
  };

  const copy = glossaryPage.copy = async (button, kind) => {
    const text = textOf(button.dataset, kind);
    try {
      await navigator.clipboard.writeText(text);
      confirm(button, kind);
    } catch {
      await offer(button, text);
    }
  };

  // On a phone, a link is shared with another app.
  for (const button of document.querySelectorAll("[data-share]")) {
    if (!navigator.share || !matchMedia("(pointer: coarse)").matches) continue;
    const share = Object.assign(document.createElement("button"), { type: "button", className: "copy" });
    share.textContent = button.dataset.share;
    share.onclick = () => navigator.share({ title: document.title, url: textOf(button.dataset, "link") }).catch(() => {});
    button.before(share);
  }

  document.addEventListener("click", ({ target }) => {
    for (const menu of document.querySelectorAll(".menu")) menu.open &&= menu.contains(target);
    if (target.closest(".menu")) document.querySelector("[data-part=exact]")?.remove(); // a menu opens over it
    if (target.matches("[data-copy]")) copy(target, target.dataset.copy);
    if (!target.matches("[data-cite]")) return;
    close(target.closest(".menu"));
    load("assets/js/citation.js").then(() => glossaryCitation.show(target)).catch(() => {});
  });

  const close = (menu) => {
    menu.open = false;
    menu.firstElementChild.focus();
  };

  document.addEventListener("keydown", ({ key }) => {
    const menu = key === "Escape" && document.querySelector(".menu[open]");
    if (menu) close(menu);
  });
}
