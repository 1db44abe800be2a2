"""Command: M-Acc of CoCoA-MT's own references, an upper bound for systems (caption of Table 6)."""

from pathlib import Path

from workflow_scripts.control.matching import LABELS, MODES, accuracy, label, malformed, signature
from workflow_scripts.core.command import run
from workflow_scripts.corpora.cocoa import DOMAINS, read_texts
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.statistics.metrics import MAcc
from workflow_scripts.text.levels import LEVELS

# The two parts of the test data in Table 6.
PARTS = {
    "in-domain": DOMAINS["train"],
    "out-of-domain": tuple(domain for domain in DOMAINS["test"] if domain not in DOMAINS["train"]),
}
COLUMNS = (MAcc.name, *(name.lower() for name in LABELS), "malformed")
KEYS = ("lang", "domains", "mode", "references", "metric")


@leaf(*KEYS, scaled=False)
def m_acc(*, corpora: list[Path], languages: list[str]) -> Table:
    """Write M-Acc with the test references as hypotheses, in both modes.

    The accuracy is the per cent of references that get the label of their own level: a perfect metric labels
    every formal reference FORMAL. Counts are segments; `malformed` counts annotated lines of both references.

    :param table: CSV to write: lang, domains, mode, references, m_acc, formal, informal, neutral, other,
        malformed
    :param corpora: the canonical folder of each language
    """
    kinds = (*LEVELS, *(f"{level}.annotated" for level in LEVELS))
    cells: Cells = {}
    for language, files in by_language(languages, corpora=corpora).items():
        for part, domains in PARTS.items():
            texts = dict(zip(kinds, read_texts(files["corpora"], "test", kinds, domains), strict=True))
            annotated = [texts[f"{level}.annotated"] for level in LEVELS]
            for mode in MODES:
                for level in LEVELS:
                    labels = [
                        label(*row, mode=mode, language=language)
                        for row in zip(texts[level], *annotated, strict=True)
                    ]
                    counts = [*map(labels.count, LABELS), malformed(*annotated)]
                    share = rounded(100 * accuracy(labels, level.upper()), 1, "half-up")
                    made = signature(mode, language, len(labels))
                    facts = f"{made}|domains:{'+'.join(domains)}|hyp:{level}"
                    for metric, text in zip(COLUMNS, (share, *map(str, counts)), strict=True):
                        cells[language, part, mode, level, metric] = Cell(text, facts)
    return Table(cells, COLUMNS)


if __name__ == "__main__":
    run(m_acc)
