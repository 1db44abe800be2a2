"""Command: M-Acc of CoCoA-MT's own references, the bound of what a system can reach (Table 6, caption)."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.control.matching import LABELS, MODES, accuracy, label, malformed, signature
from workflow_scripts.core.command import run
from workflow_scripts.corpora.cocoa import DOMAINS, STYLES, read_texts
from workflow_scripts.papers.cocoa_mt.layouts import LAYOUTS, Key, Value, write_values

# The parts of the test data that Table 6 tells apart.
PARTS = {
    "in-domain": DOMAINS["train"],
    "out-of-domain": tuple(domain for domain in DOMAINS["test"] if domain not in DOMAINS["train"]),
}


def references(values: Path, *, corpus: Path, language: str) -> None:
    """Write M-Acc with the test references as hypotheses, in both modes.

    The accuracy, in per cent, is that of the references' own formality: a metric that knows formality calls
    all formal references FORMAL. Counts are segments; `malformed` counts annotated lines of both references.

    :param values: CSV to write: lang, domains, mode, references, metric, value, signature, reason
    :param corpus: the language's canonical folder
    :param language: code of the target language
    """
    kinds = (*STYLES, *(f"{style}.annotated" for style in STYLES))
    found: dict[Key, Value] = {}
    for part, domains in PARTS.items():
        texts = dict(zip(kinds, read_texts(corpus, "test", kinds, domains), strict=True))
        annotated = [texts[f"{style}.annotated"] for style in STYLES]
        for mode in MODES:
            for style in STYLES:
                labels = [
                    label(*row, mode=mode, language=language)
                    for row in zip(texts[style], *annotated, strict=True)
                ]
                numbers = {"m_acc": 100 * accuracy(labels, style.upper())}
                numbers |= {name.lower(): labels.count(name) for name in LABELS}
                numbers["malformed"] = malformed(*annotated)
                where = signature(mode, language, len(labels)) + f"|domains:{'+'.join(domains)}|hyp:{style}"
                for name, number in numbers.items():
                    found[language, part, mode, style, name] = Value(number, where)
    write_values(values, LAYOUTS["m-acc"], found)


if __name__ == "__main__":
    run(references)
