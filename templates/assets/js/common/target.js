// Opens what the address points into, where that is folded away.
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
