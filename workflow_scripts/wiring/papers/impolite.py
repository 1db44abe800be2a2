"""The leaves of Hu et al. (2022)."""

from workflow_scripts.wiring.leaves import MadeOf
from workflow_scripts.wiring.places import resource
from workflow_scripts.wiring.subjects import Subjects
from workflow_scripts.wiring.users import USERS_FOLDER

FILES = "build/corpora/impolite"
# The systems' labels.
SYSTEMS = {"systems": "build/papers/impolite/systems.manifest.csv"}
# The page for annotators, in place of the paper's picture of its tool.
PAGE = "results/human/rewriting/en.html"


def leaves(subjects: Subjects) -> dict[str, MadeOf]:
    """The files and options of each leaf."""
    return {**_of_corpus(subjects), **_of_users(subjects), **_of_systems(subjects), **_of_analysed(subjects)}


def further(subjects: Subjects) -> list[str]:
    """The pages for annotators and raters."""
    return [PAGE, *(["results/human/dialogues/en.html"] if subjects.dialogue.rated else [])]


def _written_by(subjects: Subjects) -> dict[str, str | None]:
    """The system that has written the words of impolite users, if no people have."""
    users = subjects.users
    return {"written_by": users.systems[users.made_by].label if users.made_by else None}


def _of_corpus(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves of rewritten dialogues."""
    version, written = subjects.settings.corpora.impolite, _written_by(subjects)
    there, simulated = version != "none", {"simulated": version == "demo"}
    rewrites = {"rewrites": f"{FILES}/rewrites.csv" if there else None}
    references = {mode: f"build/dialogue/references/{mode}.scores.csv" for mode in ("standard", "older")}
    return {
        "impolite/table2": MadeOf(
            {
                "dialogues": "build/corpora/multiwoz/train.jsonl",
                "impolite": f"{FILES}/original.jsonl" if there else None,
            },
            written,
        ),
        "impolite/table3": MadeOf(rewrites, {**simulated, **written}),
        "impolite/table4": MadeOf({"stop_words": resource("resources/stop_words.txt"), **rewrites}, written),
        "impolite/figure2": MadeOf(rewrites, simulated),
        "impolite/references": MadeOf(references),
        "impolite/figure4": MadeOf({"page": PAGE}),
    }


def _of_users(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaf of systems that rewrite users' words; without people's rewrites nothing is measured."""
    users, settings = subjects.users, subjects.settings
    judged, polite = (
        [f"{USERS_FOLDER}/{judge}/{name}.txt" for name in users.texts] for judge in ("judged", "politeness")
    )
    files = {
        "texts": list(users.texts.values()),
        "judged": judged,
        "perplexities": f"{USERS_FOLDER}/perplexity.csv",
        "polite": polite if settings.style.second_judge in subjects.politeness.trained else None,
    }
    rows = [users.systems[name] for name in users.rows]
    options = {
        "labels": ["original", "people", *(one.label for one in rows)],
        "elsewhere": [one.label for one in rows if one.kind == "outputs"] or None,
        "simulated": settings.corpora.impolite == "demo",
    }
    return {"impolite/table5": MadeOf(files if users.people_rewrote else {}, options)}


def _of_systems(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves of dialogue systems."""
    dialogue, settings, written = subjects.dialogue, subjects.settings, _written_by(subjects)
    scores = {"scores": "build/dialogue/scores.csv", **SYSTEMS}
    human = dialogue.rated and (dialogue.simulated or settings.dialogue.raters.ratings)
    rated = {
        "transcripts": "build/dialogue/transcripts.csv" if dialogue.rated else None,
        "key": "build/human/en/dialogues/key.csv" if human else None,
        "ratings": "build/human/en/dialogues/ratings.csv" if human else None,
    }
    return {
        "impolite/table6": MadeOf(scores),
        "impolite/table7": MadeOf(scores, written),
        "impolite/table8": MadeOf({**SYSTEMS, **rated}, {"simulated": dialogue.simulated}),
        "impolite/table9": MadeOf(
            {**_sets(subjects), "responses": "build/dialogue/responses.manifest.csv", **SYSTEMS},
            {"examples": settings.analysis.examples, "seed": settings.seed, **written},
            [dialogue.responses(name, "impolite") for name in dialogue.rows if "impolite" in dialogue.sets],
        ),
    }


def _sets(subjects: Subjects) -> dict[str, str]:
    """The sets of dialogues that systems answer."""
    return {users: f"build/dialogue/sets/{users}.jsonl" for users in subjects.dialogue.sets}


def _of_analysed(subjects: Subjects) -> dict[str, MadeOf]:
    """The leaves of one system's responses; without rewritten dialogues there is nothing to show."""
    dialogue, corpora, settings = subjects.dialogue, subjects.corpora, subjects.settings
    name, sets = settings.dialogue.analysed or "", _sets(subjects)
    shown = "impolite" in sets and name in dialogue.rows
    label = {"label": dialogue.systems[name].label if shown else "no system"}
    seeded = {**label, "seed": settings.seed}
    responses = [dialogue.responses(name, users) for users in sets]
    rewrites = {"rewrites": f"{FILES}/rewrites.csv"}
    table10 = {
        "impolite": sets.get("impolite"),
        **rewrites,
        "responses": dialogue.responses(name, "impolite"),
    }
    figure3 = {
        **sets,
        **rewrites,
        "responses": responses,
        "similarities": "build/dialogue/similarity/cosines.csv",
    }
    return {
        "impolite/figure1": MadeOf({**sets, "responses": responses} if shown else {}, seeded),
        "impolite/figure3": MadeOf(
            figure3 if shown else {"polite": sets["polite"]},
            {"databases": corpora.multiwoz_databases(), **label, **_written_by(subjects)},
            corpora.multiwoz_database_folders(),
        ),
        "impolite/table10": MadeOf(table10 if shown else {}, seeded),
    }
