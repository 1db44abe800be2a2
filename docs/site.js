/* Sphinx marks what was searched on the page that is opened, and fails where it meets the titles of icons, which are
   named by their buttons. One letter, such as the M of M-Acc, would be marked in every word. */
document.querySelectorAll("symbol title").forEach((title) => title.remove());
const KEY = "sphinx_highlight_terms";
const searched = (localStorage.getItem(KEY) || "").split(" ").filter((word) => word.length > 1);
localStorage.setItem(KEY, searched.join(" "));

/* What scrolls sideways can be reached by keyboard, and has a name. */
for (const [kind, name] of [[".table-wrapper", "table"], ["pre", "code"]]) {
  for (const element of document.querySelectorAll(kind)) {
    element.tabIndex = 0;
    element.setAttribute("role", "region");
    element.setAttribute("aria-label", name);
  }
}
