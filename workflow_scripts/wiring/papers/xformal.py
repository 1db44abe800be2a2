"""The leaves of XFORMAL (Briakou et al., 2021), but for Table 7, which has rules of its own."""

from workflow_scripts.wiring.encoders import name_of
from workflow_scripts.wiring.leaves import MadeOf, each
from workflow_scripts.wiring.output_raters import qualification
from workflow_scripts.wiring.rated_texts import HELD_OUT, TEXT_AGREEMENT
from workflow_scripts.wiring.subjects import Subjects


def made_with(subjects: Subjects) -> dict[str, str]:
    """The translation backend, and the regressors' encoder by its hub name or kind.

    Some leaves are comparable only with the paper's.
    """
    return {"backend": subjects.backend.name, "encoder": name_of(subjects.settings.formality.encoder)}


def leaves(subjects: Subjects) -> dict[str, MadeOf]:
    """The files and options of each leaf."""
    return {
        **_of_corpora(subjects),
        **_of_rewrites(subjects),
        **_of_raters(subjects),
        **_of_systems(subjects),
    }


def further(subjects: Subjects) -> list[str]:
    """The raters' sheets."""
    return subjects.output_raters.sheets()


def _of_corpora(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves of Yahoo Answers, OpenSubtitles and PT16's ratings."""
    settings, yahoo = subjects.settings, subjects.corpora.yahoo_languages
    languages, made = settings.languages, made_with(subjects)
    return {
        "table2": MadeOf(
            {
                "answers": each("build/corpora/yahoo/{lang}/counts.tsv", yahoo),
                "curated": each("build/filtering/yahoo/{lang}/curated.counts.tsv", yahoo),
                "candidates": each("build/filtering/yahoo/{lang}/candidates.counts.tsv", yahoo),
            },
            {"languages": languages, "counted": yahoo, "kind": settings.corpora.yahoo_answers, **made},
        ),
        "table9": MadeOf(
            {
                "ratings": "build/corpora/pt16/test.scores.txt",
                "original": HELD_OUT.format(lang="en"),
                "translated": each("build/formality/en/pivots/{lang}.txt", languages),
            },
            {"languages": languages},
        ),
        # Whichever language is read, all questions are counted.
        "table11": MadeOf({"counts": f"build/corpora/yahoo/{yahoo[0]}/counts.tsv" if yahoo else None}),
        "table12": MadeOf(
            {
                "filtered": each("build/filtering/opensubtitles/{lang}/counts.tsv", languages),
                "pools": each("build/filtering/opensubtitles/{lang}/pools.tsv", languages),
            },
            {"languages": languages, **made},
        ),
        "appendix-b": MadeOf({"sanity": "build/translation/sanity.csv"}, {"backend": subjects.backend.name}),
        "formality-ratings": MadeOf(
            {
                "folds": "build/formality/folds.csv",
                "held_out": "build/formality/spearman.csv",
                "regressor": "build/formality/unpaired.regressor.csv",
                "classifier": "build/formality/unpaired.classifier.csv",
            },
            {"encoder": settings.formality.encoder.kind},
        ),
    }


def _of_rewrites(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves of people's rewrites."""
    rewrites, edits = subjects.rewrites, subjects.settings.analysis.edits
    languages = {"languages": rewrites.languages}
    labelled = {**languages, "labels": rewrites.labels}
    pairs = {"pairs": each("build/rewrites/{lang}/pairs.csv", rewrites.languages)}
    judged = {"judged": each("build/rewrites/{lang}/judged.csv", rewrites.sheets)}
    self_bleu = each("build/rewrites/{lang}/self_bleu.csv", rewrites.languages)
    formality = each("build/rewrites/{lang}/formality", rewrites.languages)
    return {
        "table4": MadeOf({**pairs, **judged}, {**languages, "rules": edits}),
        "table5": MadeOf({**pairs, "self_bleu": self_bleu}, languages),
        "appendix-j": MadeOf(judged, languages),
        "figure1": MadeOf(pairs, {**labelled, "width": 10}),
        "figure2": MadeOf({"scores": formality}, {**labelled, **made_with(subjects)}),
    }


def _of_raters(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves of raters and workers."""
    settings, raters = subjects.settings, subjects.output_raters
    return {
        "table3": MadeOf(
            {"screened": each("build/human/{lang}/workers.csv", raters.screened)},
            {
                "languages": settings.languages,
                "screened_languages": raters.screened,
                "simulated": raters.simulated,
            },
        ),
        "table10": MadeOf(
            {"ratings": each("build/human/{lang}/ratings.csv", raters.languages)},
            {
                # The columns that were rated; without ratings, the printed columns of all.
                "languages": raters.languages or settings.languages,
                "simulations": settings.human.simulations,
                "seed": settings.seed,
                "simulated": raters.simulated,
            },
        ),
        "table13": MadeOf(
            {"questions": list(map(qualification, raters.tested))}, {"languages": raters.tested}
        ),
        "metric-agreement": MadeOf(
            {"agreements": [*raters.agreements(), TEXT_AGREEMENT.format(corpus="pt16")]}
        ),
    }


def _of_systems(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves of systems, with the files that their manifests list."""
    settings, named, manifests = subjects.settings, subjects.systems.named, subjects.manifests
    languages, made = settings.languages, made_with(subjects)

    def manifest(leaf: str) -> str:
        return f"build/papers/xformal/{leaf}.manifest.csv"

    return {
        "table6": MadeOf(
            {"files": manifest("table6"), "samples": manifest("table6-samples")},
            made,
            sorted({*manifests.files("table6", "table6-samples")}),
        ),
        "table8": MadeOf(
            {"texts": manifest("table8")},
            {"size": settings.analysis.examples, "seed": settings.seed},
            manifests.files("table8"),
        ),
        "figure3": MadeOf({"texts": manifest("figure3")}, listed=manifests.files("figure3")),
        "m-acc": MadeOf(
            {
                "texts": manifest("m-acc"),
                "corpora": each("build/corpora/cocoa-mt/{lang}", manifests.annotated),
            },
            {"languages": manifests.annotated},
            manifests.files("m-acc"),
        ),
        "figure4": MadeOf(
            {
                "reruns": each("build/evaluation/{lang}/reruns.csv", languages),
                "systems": manifest("figure4"),
            },
            {
                "languages": languages,
                "lines": [name for name in manifests.plotted if named[name].kind in ("copy", "rules")],
                "baseline": settings.evaluation.baseline,
                **made,
            },
        ),
    }
