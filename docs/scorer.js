/* Of pages that have the words, those of papers and their scale lead, and those for developers follow. */
var Scorer = {
  score: ([page, , , , score]) => {
    if (page.startsWith("docs/papers/") || page === "docs/scales") return score + 5;
    if (page.startsWith("docs/decisions/")) return score - 20;
    return /architecture|benchmarks|dependencies|settings|CHANGELOG|CONTRIBUTING/.test(page) ? score - 5 : score;
  },
  /* As Sphinx has them. */
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
