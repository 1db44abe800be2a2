"""Command: the matched accuracy (M-Acc) of a system's translations (CoCoA-MT, Section 3)."""

from pathlib import Path

from workflow_scripts.control.matching import LABELS, Mode, accuracy, label, malformed, signature
from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_parallel, write_lines


def m_acc(
    out: Path,
    *,
    hypotheses: Path,
    formal: Path,
    informal: Path,
    mode: Mode,
    language: str,
    labels: Path | None = None,
) -> None:
    """Write both accuracies, the counts of the four labels, and how they were found.

    An accuracy is the share of FORMAL (or INFORMAL) hypotheses among those that are either, from 0 to 1 with
    three decimals as the released scorer prints it; 0 if there are none. An empty hypothesis is NEUTRAL.
    Raises InputError if a file is not UTF-8, if they differ in length, or if they are empty.

    :param out: CSV to write: metric, value, signature; metrics are m_acc_formal, m_acc_informal, formal,
        informal, neutral, other (hypotheses per label) and malformed (annotated lines with malformed markers)
    :param hypotheses: detokenised translations, one a line
    :param formal: annotated formal references, parallel to them
    :param informal: annotated informal references, parallel to them
    :param mode: `paper` (Algorithm 1) or `released` (the authors' scorer); see `control.matching`
    :param language: code of the target language: `ja` has no spaces between words
    :param labels: file for each hypothesis' label, one a line
    """
    texts = read_parallel(hypotheses, formal, informal)
    if not texts[0]:
        raise InputError("empty file", path=hypotheses, fix="give it one translation a line")
    found = [label(*row, mode=mode, language=language) for row in zip(*texts, strict=True)]
    numbers = {f"m_acc_{wanted.lower()}": f"{accuracy(found, wanted):.3f}" for wanted in LABELS[:2]}
    numbers |= {name.lower(): str(found.count(name)) for name in LABELS}
    numbers["malformed"] = str(malformed(texts[1], texts[2]))
    made = signature(mode, language, len(found))
    write_csv(out, ("metric", "value", "signature"), [(*number, made) for number in numbers.items()])
    if labels:
        write_lines(labels, found)


if __name__ == "__main__":
    run(m_acc)
