# The leaves of Hu et al. (2022) that the corpora and the evaluator give.
IMPOLITE_FILES = "build/corpora/impolite"
HAS_IMPOLITE = config["corpora"]["impolite"] != "none"

WIRING.update(
    {
        "impolite/table2": (
            {
                "dialogues": "build/corpora/multiwoz/train.jsonl",
                **({"impolite": f"{IMPOLITE_FILES}/original.jsonl"} if HAS_IMPOLITE else {}),
            },
            {},
        ),
        "impolite/table3": (
            {"rewrites": f"{IMPOLITE_FILES}/rewrites.csv"} if HAS_IMPOLITE else {},
            {"simulated": config["corpora"]["impolite"] == "demo"},
        ),
        "impolite/references": (
            {mode: f"build/dialogue/references/{mode}.scores.csv" for mode in ("standard", "older")},
            {},
        ),
    }
)
