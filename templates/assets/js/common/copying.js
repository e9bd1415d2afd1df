// Copies links and quotations, and confirms it; if the browser refuses, shows the text to copy.
{
  const { root, part } = glossaryPage;
  const WHILE = 2000;

  // Addresses are absolute if base_url is known; else they are made absolute here, in quotations too.
  const textOf = ({ address, text }) => {
    const whole = new URL(address, root).href;
    return text ? text.replace(`](${address})`, () => `](${whole})`) : whole;
  };

  const confirm = (button) => {
    const said = document.querySelector("[data-copied]"), label = (button.dataset.label ||= button.textContent);
    const name = (button.dataset.name ??= button.ariaLabel || "");
    button.ariaLabel = null;
    said.textContent = button.textContent = said.getAttribute(`data-${button.dataset.copy}`);
    setTimeout(() => {
      button.textContent = label;
      button.ariaLabel = name || null;
      said.textContent = "";
    }, WHILE);
  };

  const offer = async (button, text) => {
    const box = await part("by-hand"), field = box.querySelector("textarea");
    button.parentElement.after(box);
    field.value = text;
    field.select();
  };

  const copy = async ({ currentTarget: button }) => {
    const text = textOf(button.dataset);
    try {
      await navigator.clipboard.writeText(text);
      confirm(button);
    } catch {
      await offer(button, text);
    }
  };

  for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", copy);
}
