"""The leaves of TyDiP (Srinivasan and Choi, 2022)."""

from typing import Any

from workflow_scripts.wiring.leaves import MadeOf, each
from workflow_scripts.wiring.places import resource
from workflow_scripts.wiring.politeness import JUDGED, LEXICONS_ALIGNED, LEXICONS_INDUCED, TYDIP
from workflow_scripts.wiring.rated_texts import TEXT_AGREEMENT
from workflow_scripts.wiring.request_raters import DUMP_CORPUS, REQUEST_SHEETS
from workflow_scripts.wiring.subjects import Subjects

# The languages whose lexicons people edited.
EDITED = ["hi", "ko", "es", "ta"]
INDUCED = "build/politeness/lexicons/induced"
STRATEGIES = {"found": "build/politeness/strategies.csv"}


def leaves(subjects: Subjects) -> dict[str, MadeOf]:
    """The files and options of each leaf."""
    return {
        **_of_requests(subjects),
        **_of_raters(subjects),
        **_of_classifiers(subjects),
        **_of_lexicons(subjects),
    }


def further(subjects: Subjects) -> list[str]:
    """The pages for raters, and the results from their ratings."""
    raters, endings = subjects.request_raters, ("csv", "html")
    dumps = [f"results/politeness/dumps/{lang}.{end}" for lang in raters.crawled for end in endings]
    return [*REQUEST_SHEETS, *dumps, *([DUMP_CORPUS] if raters.dumps_rated else [])]


def _of_requests(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves of the corpus itself and of its strategies."""
    corpora, crawled, languages = subjects.corpora, subjects.request_raters.crawled, {"languages": TYDIP}
    requests = {"corpus": corpora.folder("tydip")}
    named = {**requests, "names": resource("resources/printed/tydip/languages.csv")}
    released = subjects.settings.corpora.tydip_requests != "none"
    counts = each("build/corpora/talk/identified/{lang}.counts.tsv", crawled)
    return {
        "tydip/table1": MadeOf(
            {
                **named,
                "crawled": each("build/corpora/tydip-requests/{lang}.txt", TYDIP) if released else None,
            },
            languages,
        ),
        "tydip/table8": MadeOf(requests, languages),
        "tydip/table10": MadeOf(requests, languages),
        "tydip/table11": MadeOf(requests, {"languages": EDITED}),
        "tydip/crawl": MadeOf({"counts": counts or None}, {**languages, "counted": crawled or None}),
        "tydip/binary": MadeOf(requests, {"languages": JUDGED}),
        "tydip/figure1": MadeOf(named, {**languages, "width": 0.5}),
        "tydip/figure4": MadeOf(STRATEGIES),
        "tydip/figure8": MadeOf(STRATEGIES),
        # The dependence of Figures 4 and 8 on the rule for finding strategies in requests.
        "tydip/sensitivity": MadeOf(
            {**STRATEGIES, "printed": resource("resources/printed/tydip/figure4.csv")}, {"least": 10}
        ),
    }


def _of_raters(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves of raters' agreement."""
    simulated = subjects.politeness.stanford_simulated
    agreement = {"agreement": "build/politeness/raters/agreement.csv"}
    options = {"languages": TYDIP, "raters": subjects.request_raters.kind}
    pages = each("results/politeness/{lang}.html", TYDIP)
    return {
        **{f"tydip/{leaf}": MadeOf(agreement, options) for leaf in ("table2", "figure2", "figure7")},
        "tydip/table9": MadeOf({"original": "build/politeness/raters/original.csv"}, options),
        # The page for raters takes the place of the paper's picture of its interface.
        "tydip/figure5": MadeOf({"sheets": REQUEST_SHEETS, "pages": pages}, {"languages": TYDIP}),
        "tydip/figure6": MadeOf(agreement, {**options, "simulated_original": simulated}),
    }


def _of_classifiers(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves with numbers of classifiers; most are of one, in the paper XLMR."""
    politeness, raters, settings = subjects.politeness, subjects.request_raters, subjects.settings.politeness
    compared, of_formality = politeness.compared, politeness.formality_classifier
    # The reference for raters is measured on the requests that they rated.
    measures = f"build/politeness/{compared}/{'rated' if raters.kind == 'dumps' else 'measures'}.csv"
    styles = {"styles": f"{_scores(subjects)}.csv" if compared else None}
    first = ("en", "fr", "it", "pt")
    of_styles = {
        "languages": [*first, *(lang for lang in subjects.formality_texts.languages if lang not in first)]
    }
    by_encoder = {**of_styles, "encoder": politeness.encoder_behind(compared) if compared else None}
    shown = politeness.shown
    return {
        "tydip/table3": MadeOf(
            {
                "corpus": politeness.classified,
                "measures": [f"build/politeness/{name}/measures.csv" for name in shown],
            },
            {
                "labels": [one.label for one in shown.values()],
                "reads": [",".join(getattr(one, "reads", None) or JUDGED) for one in shown.values()],
                "encoders": list(map(politeness.encoder_behind, shown)),
                "translator": None if politeness.demo else subjects.backend.name,
                "languages": JUDGED,
            },
        ),
        "tydip/metric-agreement": MadeOf({"agreements": TEXT_AGREEMENT.format(corpus="tydip")}),
        "tydip/table4": MadeOf(styles, by_encoder),
        "tydip/table5": MadeOf(
            {"calibrated": f"build/politeness/{of_formality}/formality/calibrated.csv" if compared else None},
            {
                "languages": JUDGED,
                "reads": politeness.trained[of_formality].reads if of_formality else None,
                "sentences": settings.formality_sentences if compared else None,
            },
        ),
        "tydip/table6": _example_pairs(subjects) if compared else MadeOf({}),
        "tydip/table7": MadeOf(styles, by_encoder),
        "tydip/table12": MadeOf(styles, of_styles),
        "tydip/figure3": MadeOf(
            {
                "accuracies": "build/politeness/raters/accuracy.csv",
                "measures": measures if compared else None,
            },
            {
                "languages": TYDIP,
                "raters": raters.kind,
                "simulated_english": politeness.stanford_simulated,
            },
        ),
    }


def _scores(subjects: Subjects) -> str:
    """The folder of the compared classifier's scores of formal and informal sentences."""
    politeness = subjects.politeness
    return f"build/politeness/{politeness.compared}/seed{politeness.settings.seeds[0]}/styles"


def _example_pairs(subjects: Subjects) -> MadeOf:
    """The pairs of Table 6: of English, or of the first language that has some."""
    formality, corpora, scores = subjects.formality_texts, subjects.corpora, _scores(subjects)
    lang = "en" if formality.paired else formality.languages[1]
    names = [name for name in formality.texts if name.startswith(f"{lang}.formal")]
    rows = corpora.entries("gyafc" if lang == "en" else "xformal").values()
    options: dict[str, Any] = {
        "informal_scores": f"{scores}/{lang}.informal.txt",
        "formal_scores": [f"{scores}/{name}.txt" for name in names],
        "hidden": any(row.access == "on request" for row in rows),
    }
    texts = {
        "informal": formality.texts[f"{lang}.informal"],
        "formal": [formality.texts[name] for name in names],
    }
    return MadeOf(texts, options, [scores])


def _of_lexicons(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves of lexicons that are induced here, beside the released ones."""
    politeness = subjects.politeness
    return {
        "tydip/lexicons": MadeOf(
            {
                "aligned": LEXICONS_ALIGNED,
                "aligner": "build/politeness/lexicons/aligned/aligner.txt",
                "corpus": politeness.lexicons_given,
            },
            {
                "induced": INDUCED,
                "languages": TYDIP,
                "requests": politeness.lexicons_translated or None,
                "translator": None if politeness.lexicons_demo else subjects.backend.name,
            },
            LEXICONS_INDUCED,
        ),
        "tydip/table11-scratch": MadeOf({}, {"lexicons": INDUCED, "languages": EDITED}, LEXICONS_INDUCED),
        "tydip/figure4-scratch": MadeOf(
            {
                "induced": f"{INDUCED}.strategies.csv",
                "released": "build/politeness/lexicons/given.strategies.csv",
            }
        ),
        "tydip/figure8-scratch": MadeOf({"found": f"{INDUCED}.strategies.csv"}),
    }
