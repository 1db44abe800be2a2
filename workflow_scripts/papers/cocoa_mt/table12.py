"""Command: how many references of CoCoA-MT show a gender (Table 12)."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.corpora.cocoa import read_texts
from workflow_scripts.papers.cocoa_mt.layouts import LAYOUTS, Key, Value, write_values


def gender(values: Path, *, corpus: Path, language: str) -> None:
    """Write the share of training and of test segments with a gendered formal reference, in per cent.

    A reference is gendered where it differs from its feminine variant; the share is of all segments of the
    split, over all domains.

    :param values: CSV to write: lang, metric (train, test), value, signature, reason
    :param corpus: the language's canonical folder, with feminine variants
    :param language: code of the target language
    """
    found: dict[Key, Value] = {}
    for split in ("train", "test"):
        masculine, feminine = read_texts(corpus, split, ("formal", "formal.feminine"))
        count = sum(one != other for one, other in zip(masculine, feminine, strict=True))
        found[language, split] = Value(
            100 * count / len(masculine), f"references:formal|gendered:{count}|n:{len(masculine)}"
        )
    write_values(values, LAYOUTS["table12"], found)


if __name__ == "__main__":
    run(gender)
