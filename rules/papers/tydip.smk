# The leaves of TyDiP (Srinivasan and Choi, 2022) that its released data give.
REQUESTS = {"corpus": source_folder("tydip")}
NAMED_REQUESTS = {**REQUESTS, "names": resource("resources/printed/tydip/languages.csv")}
STRATEGIES = {"found": "build/politeness/strategies.csv"}

WIRING.update(
    {
        "tydip/table1": (NAMED_REQUESTS, {"languages": TYDIP}),
        "tydip/table3": (
            {
                "corpus": TYDIP_CLASSIFIED,
                "measures": [f"build/politeness/{name}/measures.csv" for name in CLASSIFIERS],
            },
            {
                "labels": [one["label"] for one in CLASSIFIERS.values()],
                "reads": [",".join(one["reads"] or JUDGED) for one in CLASSIFIERS.values()],
                "languages": JUDGED,
            },
        ),
        "tydip/table8": (REQUESTS, {"languages": TYDIP}),
        "tydip/table10": (REQUESTS, {"languages": TYDIP}),
        # People edited the lexicons of four languages.
        "tydip/table11": (REQUESTS, {"languages": ["hi", "ko", "es", "ta"]}),
        "tydip/binary": (REQUESTS, {"languages": ["en", *TYDIP]}),
        "tydip/figure1": (NAMED_REQUESTS, {"languages": TYDIP, "width": 0.5}),
        "tydip/figure4": (STRATEGIES, {}),
        "tydip/figure8": (STRATEGIES, {}),
        # How far Figures 4 and 8 depend on the rule that says which requests contain a strategy.
        "tydip/sensitivity": (
            {**STRATEGIES, "printed": resource("resources/printed/tydip/figure4.csv")},
            {"least": 10},
        ),
    }
)
