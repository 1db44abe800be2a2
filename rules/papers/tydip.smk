# The leaves of TyDiP (Srinivasan and Choi, 2022) that its released data give.
from workflow_scripts.wiring.politeness import JUDGED, TYDIP
from workflow_scripts.wiring.request_raters import DUMP_CORPUS, REQUEST_SHEETS

REQUESTS = {"corpus": corpora.folder("tydip")}
NAMED_REQUESTS = {**REQUESTS, "names": resource("resources/printed/tydip/languages.csv")}
AGREEMENT = (
    {"agreement": "build/politeness/raters/agreement.csv"},
    {"languages": TYDIP, "raters": request_raters.kind},
)
INDUCED = "build/politeness/lexicons/induced"
STRATEGIES = {"found": "build/politeness/strategies.csv"}

# The reference for raters is measured on the requests that they rated.
COMPARED_MEASURES = "rated" if request_raters.kind == "dumps" else "measures"
COMPARED_SCORES = f"build/politeness/{politeness.compared}/seed{config['politeness']['seeds'][0]}/styles"
COMPARED_STYLES = (
    {"styles": f"{COMPARED_SCORES}.csv"} if politeness.compared else {},
    {
        "languages": [
            "en",
            "fr",
            "it",
            "pt",
            *(lang for lang in formality_texts.languages if lang not in ("en", "fr", "it", "pt")),
        ]
    },
)
# Leaves with numbers of a classifier, in the paper XLMR.
COMPARED_BY_ENCODER = (
    COMPARED_STYLES[0],
    {
        **COMPARED_STYLES[1],
        "encoder": politeness.encoder_behind(politeness.compared) if politeness.compared else None,
    },
)


def example_pairs():
    """Where Table 6 finds its pairs: in English, or in the first language that has some."""
    if not politeness.compared:
        return {}, {}
    lang = "en" if formality_texts.paired else formality_texts.languages[1]
    names = [name for name in formality_texts.texts if name.startswith(f"{lang}.formal")]
    texts = {
        "informal": formality_texts.texts[f"{lang}.informal"],
        "formal": [formality_texts.texts[name] for name in names],
    }
    further = {
        "informal_scores": f"{COMPARED_SCORES}/{lang}.informal.txt",
        "formal_scores": [f"{COMPARED_SCORES}/{name}.txt" for name in names],
        "hidden": any(
            row.access == "on request"
            for row in corpora.entries("gyafc" if lang == "en" else "xformal").values()
        ),
    }
    return texts, further, [COMPARED_SCORES]


WIRING.update(
    {
        "tydip/table1": (
            NAMED_REQUESTS
            | (
                {"crawled": expand("build/corpora/tydip-requests/{lang}.txt", lang=TYDIP)}
                if config["corpora"]["tydip_requests"] != "none"
                else {}
            ),
            {"languages": TYDIP},
        ),
        "tydip/table2": AGREEMENT,
        "tydip/table3": (
            {
                "corpus": politeness.classified,
                "measures": [f"build/politeness/{name}/measures.csv" for name in politeness.shown],
            },
            {
                "labels": [one.label for one in politeness.shown.values()],
                "reads": [
                    ",".join(getattr(one, "reads", None) or JUDGED) for one in politeness.shown.values()
                ],
                "encoders": list(map(politeness.encoder_behind, politeness.shown)),
                "translator": None if politeness.demo else backend.name,
                "languages": JUDGED,
            },
        ),
        "tydip/metric-agreement": ({"agreements": TEXT_AGREEMENT.format(corpus="tydip")}, {}),
        "tydip/table4": COMPARED_BY_ENCODER,
        "tydip/table5": (
            (
                {"calibrated": f"build/politeness/{politeness.formality_classifier}/formality/calibrated.csv"}
                if politeness.compared
                else {}
            ),
            {
                "languages": JUDGED,
                "reads": (
                    politeness.trained[politeness.formality_classifier].reads if politeness.compared else None
                ),
                "sentences": config["politeness"]["formality_sentences"] if politeness.compared else None,
            },
        ),
        "tydip/table6": example_pairs(),
        "tydip/table7": COMPARED_BY_ENCODER,
        "tydip/table8": (REQUESTS, {"languages": TYDIP}),
        "tydip/table9": (
            {"original": "build/politeness/raters/original.csv"},
            {"languages": TYDIP, "raters": request_raters.kind},
        ),
        "tydip/table10": (REQUESTS, {"languages": TYDIP}),
        # People edited the lexicons of four languages.
        "tydip/table11": (REQUESTS, {"languages": ["hi", "ko", "es", "ta"]}),
        "tydip/table12": COMPARED_STYLES,
        "tydip/crawl": (
            (
                {
                    "counts": [
                        f"build/corpora/talk/identified/{lang}.counts.tsv" for lang in request_raters.crawled
                    ]
                }
                if request_raters.crawled
                else {}
            ),
            {"languages": TYDIP, "counted": request_raters.crawled or None},
        ),
        "tydip/binary": (REQUESTS, {"languages": ["en", *TYDIP]}),
        "tydip/figure1": (NAMED_REQUESTS, {"languages": TYDIP, "width": 0.5}),
        "tydip/figure2": AGREEMENT,
        "tydip/figure3": (
            {
                "accuracies": "build/politeness/raters/accuracy.csv",
                **(
                    {"measures": f"build/politeness/{politeness.compared}/{COMPARED_MEASURES}.csv"}
                    if politeness.compared
                    else {}
                ),
            },
            {
                "languages": TYDIP,
                "raters": request_raters.kind,
                "simulated_english": politeness.stanford_simulated,
            },
        ),
        "tydip/figure4": (STRATEGIES, {}),
        # The page for raters takes the place of the paper's picture of its interface.
        "tydip/figure5": (
            {"sheets": REQUEST_SHEETS, "pages": [f"results/politeness/{lang}.html" for lang in TYDIP]},
            {"languages": TYDIP},
        ),
        "tydip/figure6": (
            AGREEMENT[0],
            {**AGREEMENT[1], "simulated_original": politeness.stanford_simulated},
        ),
        "tydip/figure7": AGREEMENT,
        "tydip/figure8": (STRATEGIES, {}),
        # Lexicons that are induced here, beside the released ones.
        "tydip/lexicons": (
            {
                "aligned": LEXICONS_ALIGNED,
                "aligner": "build/politeness/lexicons/aligned/aligner.txt",
                "corpus": LEXICONS_GIVEN,
            },
            {
                "induced": INDUCED,
                "languages": TYDIP,
                "requests": politeness.lexicons_translated or None,
                "translator": None if politeness.lexicons_demo else backend.name,
            },
            LEXICONS_INDUCED,
        ),
        "tydip/table11-scratch": (
            {},
            {"lexicons": INDUCED, "languages": ["hi", "ko", "es", "ta"]},
            LEXICONS_INDUCED,
        ),
        "tydip/figure4-scratch": (
            {
                "induced": f"{INDUCED}.strategies.csv",
                "released": "build/politeness/lexicons/given.strategies.csv",
            },
            {},
        ),
        "tydip/figure8-scratch": ({"found": f"{INDUCED}.strategies.csv"}, {}),
        # The dependence of Figures 4 and 8 on the rule for finding strategies in requests.
        "tydip/sensitivity": (
            {**STRATEGIES, "printed": resource("resources/printed/tydip/figure4.csv")},
            {"least": 10},
        ),
    }
)

# The pages for raters.
FURTHER["tydip"] = [
    *REQUEST_SHEETS,
    *(
        f"results/politeness/dumps/{lang}.{ending}"
        for lang in request_raters.crawled
        for ending in ("csv", "html")
    ),
    # And the results from their ratings.
    *([DUMP_CORPUS] if request_raters.dumps_rated else []),
]
