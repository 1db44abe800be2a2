"""The leaves of CoCoA-MT (Nadejde et al., 2022), but for Table 3, which needs spaCy's environment."""

import os
from collections.abc import Iterable
from typing import Any

from workflow_scripts.text.levels import GENDERED, SHARED_TASKS
from workflow_scripts.wiring.control import GENERIC_KINDS, TARGETS, TEST_FILES, TUNED_MODEL, VENDORS
from workflow_scripts.wiring.leaves import MadeOf, each
from workflow_scripts.wiring.places import resource
from workflow_scripts.wiring.subjects import Subjects
from workflow_scripts.wiring.translation_raters import TRANSLATION_SHEET

RELEASED = "build/corpora/cocoa-mt/{lang}"
SCORES = "build/control/scores/{lang}.csv"
TEST_SET = "build/control/test/{lang}/source.txt"
SYSTEMS = {"systems": "build/control/systems.csv"}


def leaves(subjects: Subjects) -> dict[str, MadeOf]:
    """The files and options of each leaf."""
    return {
        **_of_corpus(subjects),
        **_of_accuracies(subjects),
        **_of_translations(subjects),
        "cocoa-mt/table13": _of_genders(subjects),
        **_of_raters(subjects),
        **{f"cocoa-mt/{figure}": _of_upsampling(subjects, figure) for figure in ("figure1", "figure2")},
    }


def further(subjects: Subjects) -> list[str]:
    """The pages for raters."""
    sheets = subjects.translation_raters.languages.items()
    return [TRANSLATION_SHEET.format(lang=lang, sheet=sheet) for sheet, langs in sheets for lang in langs]


def _paper_data() -> dict[str, str]:
    """The training data here and in the paper: numbers are comparable only if they are the same."""
    return {"paper_data": resource("resources/printed/cocoa-mt/made-of.csv")}


def _with_lists(corpus: str, languages: Iterable[str], **options: Any) -> MadeOf:
    """A leaf of the languages that have lists of forms."""
    lists = {lang: resource(f"resources/levels/{lang}.tsv") for lang in languages}
    lists = {lang: path for lang, path in lists.items() if os.path.exists(path)}
    files = {"corpora": each(corpus, lists), "lists": list(lists.values())}
    return MadeOf(files, {"languages": list(lists), **options})


def _of_corpus(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves of the segments, as they are released or of the configured corpus."""
    languages, examples = subjects.settings.control.languages, subjects.settings.analysis.examples
    corpus = f"{subjects.control.corpus}/{{lang}}"
    released = MadeOf({"corpora": each(RELEASED, TARGETS)}, {"languages": TARGETS})
    shown = MadeOf({"corpora": each(corpus, languages)}, {"languages": languages, "examples": examples})
    return {
        "cocoa-mt/table1": shown,
        "cocoa-mt/table2": released,
        "cocoa-mt/table9": _with_lists(corpus, languages, examples=examples),
        "cocoa-mt/table11": shown,
        "cocoa-mt/table12": MadeOf({"corpora": each(RELEASED, GENDERED)}, {"languages": list(GENDERED)}),
        # The remark in Table 6's caption about the references.
        "cocoa-mt/m-acc": released,
        # The languages that lists of words label.
        "cocoa-mt/rule-labels": _with_lists(RELEASED, TARGETS),
    }


def _tuned_on(subjects: Subjects, lang: str, names: Iterable[str]) -> list[str]:
    """The training pairs of the tuned systems among some."""
    systems = subjects.control.systems
    tuned = [name for name in names if systems[name].kind == "tuned"]
    return [f"{TUNED_MODEL.format(system=name, lang=lang, run=0)}.source.txt" for name in tuned]


def _of_accuracies(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves of M-Acc and BLEU."""
    control, languages = subjects.control, subjects.settings.control.languages
    pairs = [path for lang in languages for path in _tuned_on(subjects, lang, control.systems_in(lang))]
    files = {"scores": each(SCORES, languages), **SYSTEMS, **_paper_data(), "pairs": pairs or None}
    options = {
        "languages": languages,
        **control.made_of(*languages),
        "trained": [name for name in control.rows if control.systems[name].kind in GENERIC_KINDS] or None,
        "data": [f"{name}={control.tuned[name].data}" for name in control.rows if name in control.tuned]
        or None,
    }
    return {
        "cocoa-mt/table6": MadeOf(files, options),
        "cocoa-mt/table8": MadeOf(files, options),
        # Languages that the paper does not have; the Portuguese is European.
        "cocoa-mt/shared-tasks": MadeOf(
            {"scores": each(SCORES, SHARED_TASKS), **SYSTEMS}, {"sets": SHARED_TASKS}
        ),
    }


def _of_translations(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves of systems' translations at both levels."""
    control, languages = subjects.control, subjects.settings.control.languages
    files = {
        "test_sets": each(TEST_SET, languages),
        "outputs": each("build/control/scores/{lang}.manifest.csv", languages),
    }
    options = {"languages": languages}
    examples = {**options, "examples": subjects.settings.analysis.examples}
    unasked = {"leave_out": control.unasked or None}
    levelled = control.at_levels([name for name in control.rows if name not in control.unasked])
    return {
        "cocoa-mt/table5": MadeOf(files, {**options, **unasked}, levelled),
        "cocoa-mt/table7": MadeOf({**files, **SYSTEMS}, {**examples, **unasked}, levelled),
        "cocoa-mt/table14": MadeOf({**files, **SYSTEMS}, examples, control.at_levels(control.rows)),
    }


def _of_genders(subjects: Subjects) -> MadeOf:
    """Table 13: released translations, and those of systems that are trained here."""
    control, lang = subjects.control, subjects.settings.control.genders.language
    rows = control.gender_rows()
    pairs = _tuned_on(subjects, lang, dict.fromkeys(name for _, name, _ in rows))
    return MadeOf(
        {
            "scores": [f"build/control/winomt/{vendor}.csv" for vendor in VENDORS],
            **_paper_data(),
            "trained": [path for *_, path in rows] or None,
            "accuracies": SCORES.format(lang=lang) if rows else None,
            "pairs": pairs or None,
        },
        {
            "systems": list(VENDORS.values()),
            "rows": [f"{row}={name}" for row, name, _ in rows] or None,
            "language": lang,
            **control.made_of(lang),
        },
    )


def _of_raters(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves of raters' labels and comparisons."""
    raters, settings = subjects.translation_raters, subjects.settings.control.raters
    simulated = {"simulated": raters.simulated}
    labels, labelled = raters.judged("labels")
    languages = [lang for lang, _ in labelled]
    compared, sheets = raters.judged("informal", "formal")
    options = {"languages": languages or None, **simulated}
    return {
        "cocoa-mt/table4": MadeOf({**labels, **SYSTEMS}, options),
        "cocoa-mt/table5-labels": MadeOf(
            {**labels, "test_sets": each(TEST_SET, languages) or None},
            options,
            [path.format(lang=lang) for path in TEST_FILES for lang in languages],
        ),
        "cocoa-mt/table10": MadeOf(
            compared,
            {
                "rated": [f"{lang}.{sheet}" for lang, sheet in sheets] or None,
                "baseline": settings.baseline,
                "controlled": settings.compared,
                **simulated,
            },
        ),
    }


def _of_upsampling(subjects: Subjects, name: str) -> MadeOf:
    """A figure of tuned systems by the number of copies of their labelled pairs."""
    control, lang = subjects.control, getattr(subjects.settings.control.upsampling, name).language
    copies = control.upsampled(name)
    return MadeOf(
        {
            "scores": f"build/control/upsampling/{lang}/{name}.csv",
            **_paper_data(),
            "pairs": [
                f"{TUNED_MODEL.format(system=one, lang=lang, run=0)}.source.txt"
                for one, count in copies.items()
                if count
            ],
        },
        {
            "systems": [f"{one}={count}" for one, count in copies.items()],
            "language": lang,
            "generic": control.sets_of(lang)[-1],
            **control.made_of(lang),
        },
    )
