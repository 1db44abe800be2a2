# Names that rules share: the checked settings, and the wiring made from them. This file has no rules.
import json
import re
from functools import partial

import yaml
from snakemake.utils import update_config

from workflow_scripts.config import settings
from workflow_scripts.config.languages import GENERIC_COLUMNS, GENERIC_TABLE, languages
from workflow_scripts.config.needs import lacking
from workflow_scripts.core.provenance import code_of, use_this_python
from workflow_scripts.corpora.sources.registry import accepted
from workflow_scripts.corpora.sources.registry import load as load_registry
from workflow_scripts.leaves.registry import load as load_leaves
from workflow_scripts.leaves.registry import load_papers
from workflow_scripts.wiring import leaves
from workflow_scripts.wiring.control import CONTROL_OUTPUTS, LEVELS, TARGETS, TEST_SETS, TUNED_MODEL, Control
from workflow_scripts.wiring.corpora import STYLES, Corpora
from workflow_scripts.wiring.dialogue import Dialogue
from workflow_scripts.wiring.language_models import MODEL_KINDS, LanguageModels, asked_of, fetched
from workflow_scripts.wiring.output_raters import OutputRaters
from workflow_scripts.wiring.places import environments, python_of, resource, shared
from workflow_scripts.wiring.politeness import TYDIP, FormalityTexts, Politeness
from workflow_scripts.wiring.rated_texts import RatedTexts
from workflow_scripts.wiring.request_raters import RequestRaters
from workflow_scripts.wiring.resources import DAY, LONG, computing, gpus, growing
from workflow_scripts.wiring.rewrites import Rewrites
from workflow_scripts.wiring.run import Run
from workflow_scripts.wiring.users import Users
from workflow_scripts.wiring.systems import SYSTEM, Systems
from workflow_scripts.wiring.translation import Backend
from workflow_scripts.wiring.translation_raters import TranslationRaters
from workflow_scripts.wiring.words import as_options, one_of, options, untracked, words

use_this_python(CHECKOUT)

if internals.has_own_config(workflow):
    # A module's `config` is an overlay too; Snakemake reads no file beside it.
    overlay = {**config}
    config.update(yaml.safe_load((CHECKOUT / "config.yaml").read_text(encoding="utf-8")))
    update_config(config, overlay)


try:
    SETTINGS = settings.load(config)
    # Numbers as numbers and keys in one order, however they were given.
    config.update(SETTINGS.model_dump())
    ALL_LANGUAGES = languages()
    REGISTRY = load_registry(Path(resource("resources/sources.csv")))
    UNPINNED = accepted(config["downloads"]["unpinned"], REGISTRY)
    PAPERS = load_papers(Path(resource("resources/papers.csv")))
    LEAVES = {leaf.name: leaf for leaf in load_leaves(Path(resource("resources/leaves.csv")))}
    RUN = Run(
        SETTINGS,
        REGISTRY,
        ALL_LANGUAGES,
        languages(GENERIC_TABLE, GENERIC_COLUMNS),
        makes=lambda path: internals.makes(internals.rules_of(workflow), path),
    )
except InputError as problem:
    stop(problem)


if LACKING := lacking(
    config,
    ALL_LANGUAGES,
    {(row.corpus, row.version, row.part) for row in REGISTRY},
    CHECKOUT / "resources",
):
    stop("\nerror: ".join(LACKING))

for paper in PAPERS.values():
    if not (CHECKOUT / f"rules/papers/{paper.folder}.smk").is_file():
        stop(f"resources/papers.csv: '{paper.name}' has no rules/papers/{paper.folder}.smk; write it")


def leaf(path):
    """A file of a leaf, as `snakemake --report` shows it."""
    return report(path, **leaves.shown(path, LEAVES, PAPERS))


def files_of(*papers):
    """The files of all leaves of some papers."""
    return leaves.files_of_papers(LEAVES.values(), papers)


# Leaves that one command makes, as papers/leaves.smk explains; each paper's file adds its own.
WIRING = {}
# The files that a paper's target makes besides its leaves.
FURTHER = {}


# The order of the tables' columns.
LANGUAGES = config["languages"]
# The order in which stages read, so that another order of the columns reruns tables only.
READ_LANGUAGES = [lang for lang in ALL_LANGUAGES if lang in LANGUAGES]
CACHE = untracked(shared(config["cache"]))
TOOLS = environments()
GPU = gpus(workflow, config["device"])
on_a_gpu = partial(computing, GPU)
TORCH = words({key: config[key] for key in ("precision", "threads")})
# Untracked: `auto` is in the end `cpu` or `cuda`, which only the machine of a job knows, and not the head of a cluster.
DEVICE = untracked(words({"device": config["device"]}))
# Params of every rule that computes with torch.
COMPUTING = {"torch": TORCH, "device": DEVICE}

# Params of every rule that asks a language model.
ASKING = {
    "fetched": fetched,
    "settings": untracked(words({"settings": config["prompting"]})),
    "cache": CACHE,
    **COMPUTING,
    "seed": config["seed"],
}


def asking_resources(kind):
    """The resources of a job that asks a language model of a kind; for an endpoint it runs where the network is."""
    gpu = GPU if kind == "transformers" else 0
    return {"mem_mb": growing(16000), "runtime": growing(DAY, DAY), "gpu": gpu}


# The systems, models and files of each subject, with which rules are written.
corpora = Corpora(RUN)
models = LanguageModels(SETTINGS)
backend = Backend(RUN, TORCH, words({"device": config["device"]}))
systems = Systems(RUN, corpora, models)
output_raters = OutputRaters(systems)
rewrites = Rewrites(RUN, corpora)
politeness = Politeness(RUN, corpora, models, backend)
request_raters = RequestRaters(politeness)
rated_texts = RatedTexts(systems, politeness)
formality_texts = FormalityTexts(RUN, corpora)
control = Control(RUN, corpora, models)
translation_raters = TranslationRaters(control)
dialogue = Dialogue(RUN, corpora, models)
users = Users(RUN, models)


wildcard_constraints:
    lang=one_of(ALL_LANGUAGES),
    system=r"[\w-]+",
    run=r"\d+",
    style="informal|formal",
    seed=r"\d+",
    shard=r"\d+",
    target="de|es|fr|hi|it|ja|pt",
