"""Command: WinoMT's accuracy of genders in translations. It runs where fast_align is installed."""

from pathlib import Path
from typing import Literal

from workflow_scripts.control.gender import FEMALE, MALE, Language, entity_words, gender_of, measures
from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, read_lines
from workflow_scripts.text.alignment import align, aligner_signature

NEUTRAL = "neutral"
BETWEEN = " ||| "
Entry = tuple[str, int, str]


def winomt(
    out: Path, *, entries: Path, translations: Path, language: Language, layout: Literal["winomt", "lines"]
) -> None:
    """Write how often a translation gives a person the gender that the English sentence says.

    Words are parted at spaces and aligned by fast_align, whose two directions are made symmetric. The gender
    of an entity is that of its noun and of the article before it (see `control.gender`).
    Raises InputError if fast_align is not installed here, and for files in another layout.

    :param out: CSV to write: metric, value, signature; accuracy over all sentences, f1_female, f1_male, in
        per cent with six decimals
    :param entries: WinoMT's sentences: gender, place of the noun, sentence, noun, parted by tabs
    :param translations: one per sentence
    :param layout: of the translations; winomt: the sentence, a space, three bars, a space, its translation;
        lines: the translation, parallel to the entries
    """
    # With more threads fast_align's sums, and a few alignments, differ from run to run.
    fix_threads(1)
    asked = read_entries(entries)
    targets = read_lines(translations) if layout == "lines" else []
    pairs = read_translations(translations) if layout == "winomt" else []
    if len(asked) != len(pairs or targets):
        raise InputError(f"{len(pairs or targets)} translations of {len(asked)} sentences", path=translations)
    pairs = pairs or [(source, target) for (_, _, source), target in zip(asked, targets, strict=True)]
    sentences = [(source.split(), target.split()) for source, target in pairs]
    alignments = align(sentences)
    found = []
    for (gender, place, _), (_, target), alignment in zip(asked, sentences, alignments, strict=True):
        noun, article = entity_words(target, place, alignment)
        found.append((gender, gender_of(noun, language, article)))
    made = f"winomt|align:{aligner_signature()}|gender:articles and endings of {language}|n:{len(found)}"
    rows = [(metric, f"{value:.6f}", made) for metric, value in measures(found).items()]
    write_csv(out, ("metric", "value", "signature"), rows)


def read_entries(path: Path) -> list[Entry]:
    """Gender, place and sentence of each line; InputError for a line that is none."""
    found: list[Entry] = []
    for number, line in enumerate(lines(path), 1):
        fields = line.rstrip("\r").split("\t")
        if len(fields) != 4 or fields[0] not in (MALE, FEMALE, NEUTRAL) or not fields[1].isdecimal():
            fix = "gender, place, sentence, noun, parted by tabs"
            raise InputError("not an entry of WinoMT", path=path, line=number, fix=fix)
        if int(fields[1]) >= len(fields[2].split()):
            raise InputError(f"the sentence has no word {fields[1]}", path=path, line=number)
        found.append((fields[0], int(fields[1]), fields[2]))
    if not found:
        raise InputError("no sentence", path=path)
    return found


def read_translations(path: Path) -> list[tuple[str, str]]:
    """Sentences and their translations; InputError for a line without a translation."""
    found = []
    for number, line in enumerate(lines(path), 1):
        source, _, target = line.rstrip("\r").partition(BETWEEN)
        if not source.strip() or not target.strip():
            raise InputError(f"not a sentence, '{BETWEEN}' and a translation", path=path, line=number)
        found.append((source, target))
    return found


if __name__ == "__main__":
    run(winomt)
