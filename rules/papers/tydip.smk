# The leaves of TyDiP (Srinivasan and Choi, 2022) that its released data give.
REQUESTS = {"corpus": source_folder("tydip")}
NAMED_REQUESTS = {**REQUESTS, "names": resource("resources/printed/tydip/languages.csv")}
AGREEMENT = (
    {"agreement": "build/politeness/raters/agreement.csv"},
    {"languages": TYDIP, "raters": RATERS_KIND},
)
# The rows of Table 3.
TYDIP_ROWS = {
    name: one
    for name, one in ROWS_OF_REQUESTS.items()
    if POLITENESS["rows"] is None or name in POLITENESS["rows"]
}
INDUCED = "build/politeness/lexicons/induced"
STRATEGIES = {"found": "build/politeness/strategies.csv"}

# What raters are compared with is measured on the requests that they rated.
COMPARED_MEASURES = "rated" if RATERS_KIND == "dumps" else "measures"
COMPARED_SCORES = f"build/politeness/{POLITE_COMPARED}/seed{POLITENESS['seeds'][0]}/styles"
COMPARED_STYLES = (
    {"styles": f"{COMPARED_SCORES}.csv"} if POLITE_COMPARED else {},
    {
        "languages": [
            "en",
            "fr",
            "it",
            "pt",
            *(lang for lang in STYLED if lang not in ("en", "fr", "it", "pt")),
        ]
    },
)
# Those whose numbers are a classifier's, in the paper XLMR's.
COMPARED_BY_ENCODER = (
    COMPARED_STYLES[0],
    {**COMPARED_STYLES[1], "encoder": encoder_behind(POLITE_COMPARED) if POLITE_COMPARED else None},
)


def example_pairs():
    """Where Table 6 finds its pairs: in English, or in the first language that has some."""
    if not POLITE_COMPARED:
        return {}, {}
    lang = "en" if STYLES_PAIRED else STYLED[1]
    names = [name for name in STYLE_TEXTS if name.startswith(f"{lang}.formal")]
    texts = {
        "informal": STYLE_TEXTS[f"{lang}.informal"],
        "formal": [STYLE_TEXTS[name] for name in names],
    }
    further = {
        "informal_scores": f"{COMPARED_SCORES}/{lang}.informal.txt",
        "formal_scores": [f"{COMPARED_SCORES}/{name}.txt" for name in names],
        "hidden": any(
            row.access == "on request" for row in entries("gyafc" if lang == "en" else "xformal").values()
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
                "corpus": TYDIP_CLASSIFIED,
                "measures": [f"build/politeness/{name}/measures.csv" for name in TYDIP_ROWS],
            },
            {
                "labels": [one["label"] for one in TYDIP_ROWS.values()],
                "reads": [",".join(one.get("reads") or JUDGED) for one in TYDIP_ROWS.values()],
                "encoders": list(map(encoder_behind, TYDIP_ROWS)),
                "translator": None if TYDIP_DEMO else BACKEND,
                "languages": JUDGED,
            },
        ),
        "tydip/table4": COMPARED_BY_ENCODER,
        "tydip/table5": (
            (
                {"calibrated": f"build/politeness/{FORMALITY_CLASSIFIER}/formality/calibrated.csv"}
                if POLITE_COMPARED
                else {}
            ),
            {
                "languages": JUDGED,
                "reads": CLASSIFIERS[FORMALITY_CLASSIFIER]["reads"] if POLITE_COMPARED else None,
                "sentences": POLITENESS["formality_sentences"] if POLITE_COMPARED else None,
            },
        ),
        "tydip/table6": example_pairs(),
        "tydip/table7": COMPARED_BY_ENCODER,
        "tydip/table8": (REQUESTS, {"languages": TYDIP}),
        "tydip/table9": (
            {"original": "build/politeness/raters/original.csv"},
            {"languages": TYDIP, "raters": RATERS_KIND},
        ),
        "tydip/table10": (REQUESTS, {"languages": TYDIP}),
        # People edited the lexicons of four languages.
        "tydip/table11": (REQUESTS, {"languages": ["hi", "ko", "es", "ta"]}),
        "tydip/table12": COMPARED_STYLES,
        "tydip/crawl": (
            (
                {"counts": [f"build/corpora/talk/identified/{lang}.counts.tsv" for lang in CRAWLED]}
                if CRAWLED
                else {}
            ),
            {"languages": TYDIP, "counted": CRAWLED or None},
        ),
        "tydip/binary": (REQUESTS, {"languages": ["en", *TYDIP]}),
        "tydip/figure1": (NAMED_REQUESTS, {"languages": TYDIP, "width": 0.5}),
        "tydip/figure2": AGREEMENT,
        "tydip/figure3": (
            {
                "accuracies": "build/politeness/raters/accuracy.csv",
                **(
                    {"measures": f"build/politeness/{POLITE_COMPARED}/{COMPARED_MEASURES}.csv"}
                    if POLITE_COMPARED
                    else {}
                ),
            },
            {"languages": TYDIP, "raters": RATERS_KIND, "simulated_english": STANFORD_SIMULATED},
        ),
        "tydip/figure4": (STRATEGIES, {}),
        # The page for raters stands for the picture of the paper's interface.
        "tydip/figure5": (
            {"sheets": REQUEST_SHEETS, "pages": [f"results/politeness/{lang}.html" for lang in TYDIP]},
            {"languages": TYDIP},
        ),
        "tydip/figure6": (
            AGREEMENT[0],
            {**AGREEMENT[1], "simulated_original": STANFORD_SIMULATED},
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
                "requests": LEXICONS_TRANSLATED or None,
                "translator": None if LEXICONS_DEMO else BACKEND,
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
        # How far Figures 4 and 8 depend on the rule that says which requests contain a strategy.
        "tydip/sensitivity": (
            {**STRATEGIES, "printed": resource("resources/printed/tydip/figure4.csv")},
            {"least": 10},
        ),
    }
)

# What raters get.
FURTHER["tydip"] = [
    *REQUEST_SHEETS,
    *(f"results/politeness/dumps/{lang}.{ending}" for lang in CRAWLED for ending in ("csv", "html")),
    # And what becomes of what they send.
    *([DUMP_CORPUS] if DUMPS_RATED else []),
]
