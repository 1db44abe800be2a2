# The leaves of Hu et al. (2022) that the corpora and the evaluator give.
IMPOLITE_FILES = "build/corpora/impolite"
HAS_IMPOLITE = config["corpora"]["impolite"] != "none"
# If no people have written the words of impolite users, leaves name the system that has.
WRITTEN_BY = {"written_by": users.systems[users.made_by].label} if users.made_by else {}

WIRING.update(
    {
        "impolite/table2": (
            {
                "dialogues": "build/corpora/multiwoz/train.jsonl",
                **({"impolite": f"{IMPOLITE_FILES}/original.jsonl"} if HAS_IMPOLITE else {}),
            },
            WRITTEN_BY,
        ),
        "impolite/table3": (
            {"rewrites": f"{IMPOLITE_FILES}/rewrites.csv"} if HAS_IMPOLITE else {},
            {"simulated": config["corpora"]["impolite"] == "demo", **WRITTEN_BY},
        ),
        "impolite/table4": (
            {
                "stop_words": resource("resources/stop_words.txt"),
                **({"rewrites": f"{IMPOLITE_FILES}/rewrites.csv"} if HAS_IMPOLITE else {}),
            },
            WRITTEN_BY,
        ),
        "impolite/figure2": (
            {"rewrites": f"{IMPOLITE_FILES}/rewrites.csv"} if HAS_IMPOLITE else {},
            {"simulated": config["corpora"]["impolite"] == "demo"},
        ),
        "impolite/references": (
            {mode: f"build/dialogue/references/{mode}.scores.csv" for mode in ("standard", "older")},
            {},
        ),
    }
)

STYLE_LABELS = {
    "original": "original",
    "people": "people",
    **{name: users.systems[name].label for name in users.rows},
}
WIRING["impolite/table5"] = (
    (
        {
            "texts": list(users.texts.values()),
            "judged": rules.judge_users.output,
            "perplexities": rules.perplexity_of_users.output.table,
            **({"polite": rules.judge_politeness.output} if second_judge else {}),
        }
        if users.people_rewrote
        else {}
    ),
    {
        "labels": list(STYLE_LABELS.values()),
        "elsewhere": [
            users.systems[name].label for name in users.rows if users.systems[name].kind == "outputs"
        ]
        or None,
        "simulated": config["corpora"]["impolite"] == "demo",
    },
)

for table in ("impolite/table6", "impolite/table7"):
    WIRING[table] = (
        {
            "scores": rules.compare_systems.output.scores,
            "systems": "build/papers/impolite/systems.manifest.csv",
        },
        WRITTEN_BY if table == "impolite/table7" else {},
    )
WIRING["impolite/table9"] = (
    {
        **{users: f"build/dialogue/sets/{users}.jsonl" for users in dialogue.sets},
        "responses": rules.list_responses.output.manifest,
        "systems": "build/papers/impolite/systems.manifest.csv",
    },
    {"examples": config["analysis"]["examples"], "seed": config["seed"], **WRITTEN_BY},
    [dialogue.responses(name, "impolite") for name in dialogue.rows if "impolite" in dialogue.sets],
)
# Without rewritten dialogues, or without the system, there is nothing to draw.
ANALYSED = config["dialogue"]["analysed"]
RUDE = "impolite" in dialogue.sets and ANALYSED in dialogue.rows
WIRING["impolite/figure3"] = (
    {
        "polite": "build/dialogue/sets/polite.jsonl",
        **(
            {
                "impolite": "build/dialogue/sets/impolite.jsonl",
                "rewrites": f"{IMPOLITE_FILES}/rewrites.csv",
                "responses": [dialogue.responses(ANALYSED, users) for users in dialogue.sets],
                "similarities": rules.dialogue_similarity.output.table,
            }
            if RUDE
            else {}
        ),
    },
    {
        "databases": corpora.multiwoz_databases(),
        "label": dialogue.systems[ANALYSED].label if RUDE else "no system",
        **WRITTEN_BY,
    },
    corpora.multiwoz_database_folders(),
)

WIRING["impolite/figure1"] = (
    (
        {
            **{users: f"build/dialogue/sets/{users}.jsonl" for users in dialogue.sets},
            "responses": [dialogue.responses(ANALYSED, users) for users in dialogue.sets],
        }
        if RUDE
        else {}
    ),
    {"label": dialogue.systems[ANALYSED].label if RUDE else "no system", "seed": config["seed"]},
)
# The page for annotators takes the place of the paper's picture of its tool.
WIRING["impolite/figure4"] = ({"page": rules.rewriting_page.output.page}, {})

WIRING["impolite/table10"] = (
    (
        {
            "impolite": "build/dialogue/sets/impolite.jsonl",
            "rewrites": f"{IMPOLITE_FILES}/rewrites.csv",
            "responses": dialogue.responses(ANALYSED, "impolite"),
        }
        if RUDE
        else {}
    ),
    {"label": dialogue.systems[ANALYSED].label if RUDE else "no system", "seed": config["seed"]},
)

DIALOGUES_HUMAN = dialogue.rated and (dialogue.simulated or config["dialogue"]["raters"]["ratings"])
WIRING["impolite/table8"] = (
    {
        "systems": "build/papers/impolite/systems.manifest.csv",
        **({"transcripts": rules.dialogue_transcripts.output.table} if dialogue.rated else {}),
        **(
            {"key": rules.dialogue_sheet.output.key, "ratings": "build/human/en/dialogues/ratings.csv"}
            if DIALOGUES_HUMAN
            else {}
        ),
    },
    {"simulated": dialogue.simulated},
)
# The pages for raters and annotators; the latter is Figure 4.
FURTHER["impolite"] = [
    rules.rewriting_page.output.page,
    *([rules.dialogue_page.output.page] if dialogue.rated else []),
]


use rule list_responses as list_impolite with:
    output:
        manifest="build/papers/impolite/systems.manifest.csv",
    localrule: True
    params:
        rows=lambda wildcards: json.dumps(
            [["system", "label"], *([name, dialogue.systems[name].label] for name in dialogue.rows)]
        ),
