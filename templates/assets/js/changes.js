// Shows the difference of a change that a long list only names, when it is opened.
addEventListener("toggle", ({ target }) => {
  if (!target.matches("[data-details]")) return;
  target.removeAttribute("data-details");
  glossaryPage.differences().then(() => glossaryDifference.reveal(target)).catch(() => {});
}, true);
