// Shows citations of a definition in plain text and as BibTeX, from the page's content.
for (const button of document.querySelectorAll("[data-cite]")) {
  const { root, part } = glossaryPage;
  const textOf = (selector) => document.querySelector(selector).innerText.replace(/\s+/g, " ").trim();

  const show = async () => {
    const dialog = await part("citation");
    const address = new URL(button.dataset.cite, root).href, name = textOf("h1 dfn");
    const place = `${document.querySelector('[property="og:site_name"]').content}, ${textOf(".term-place").split(" · ")[0]}`;
    const key = (root.hostname + address.slice(root.href.length)).replace(/[^A-Za-z0-9]+/g, "-").replace(/-$/, "");
    const plain = name + ": " + textOf(".definition-main") + "\n" + place + "\n" + address;
    const escaped = (text) => text.replace(/[\\{}$&#_%~^]/g, (sign) => `\\${sign}`);
    const fields = { title: name, howpublished: place, url: address };
    const lines = Object.entries(fields).map(([field, text]) => `  ${field} = {${field === "url" ? text : escaped(text)}}`);
    const [text, bibtex] = dialog.querySelectorAll("textarea");
    text.value = plain;
    bibtex.value = `@misc{${key},\n${lines.join(",\n")}\n}`;
    dialog.querySelector("[data-close]").onclick = () => dialog.close();
    dialog.showModal();
  };

  button.addEventListener("click", () => show().catch(() => {}));
}
