// Opens folded parts that contain the element of the address, and the details of an event or a change; or all changes
// of a kind.
{
  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    const details = target?.closest(".event, .items > li")?.querySelector("details");
    if (details) details.open = true;
    const closed = target?.closest("details:not([open])");
    for (let part = closed; part; part = part.parentElement.closest("details")) part.open = true;
    if (closed) target.scrollIntoView();
  };

  addEventListener("hashchange", open);
  open();

  for (const box of document.querySelectorAll("[data-open-all]")) {
    box.addEventListener("change", () => {
      for (const details of box.closest(".kind").querySelectorAll(".event-difference")) details.open = box.checked;
    });
  }
}
