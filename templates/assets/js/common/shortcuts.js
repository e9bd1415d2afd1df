// Keyboard shortcuts for links and buttons, their list, and the switches for the reader's aids.
{
  const { isOff, turn, part } = glossaryPage;

  const list = async () => {
    const dialog = await part("shortcuts");
    for (const box of dialog.querySelectorAll("[data-aid]")) box.checked = !isOff(box.dataset.aid);
    dialog.showModal();
  };
  const show = () => list().catch(() => {});

  // The wording that the address points to comes before that of the page. Its button has the link, and the Markdown too.
  // Of the page, the key copies the link to the term, which is in the menu.
  const copy = (kind) => {
    const event = document.querySelector(".event:is(:target, :has(> .anchor:target))");
    const own = event?.querySelector(kind === "link" ? "[data-copy]" : "[data-text]");
    const shown = (of) => document.querySelector(`main [data-copy=${kind}]${of}:not([hidden])`);
    const button = own || shown("[data-of-term]") || shown("");
    button?.closest(".menu")?.setAttribute("open", "");
    if (button) glossaryPage.copy(button, kind);
  };

  const search = () => glossaryPage.search();
  const actions = { "/": search, s: search, "?": show, c: ({ shiftKey }) => copy(shiftKey ? "markdown" : "link") };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.matches(":read-write, select") || document.querySelector(":modal") || isOff("keys")) return;
    const act = actions[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act(event);
  });

  document.querySelector("[data-show-shortcuts]").addEventListener("click", show);
  document.addEventListener("change", ({ target }) => {
    if (target.dataset.aid) turn(target.dataset.aid, target.checked);
  });
  document.addEventListener("click", ({ target }) => {
    if (target.matches("dialog") || target.closest("[data-close]")) target.closest("dialog").close();
  });
}
