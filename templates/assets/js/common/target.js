// Opens folded parts that contain the element of the address.
{
  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    const closed = target?.closest("details:not([open])");
    if (!closed) return;
    for (let part = closed; part; part = part.parentElement.closest("details")) part.open = true;
    target.scrollIntoView();
  };

  addEventListener("hashchange", open);
  open();
}
