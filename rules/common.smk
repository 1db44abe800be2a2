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
from workflow_scripts.wiring.control import CONTROL_OUTPUTS, LEVELS, TARGETS, TEST_SETS, TUNED_MODEL
from workflow_scripts.wiring.corpora import STYLES
from workflow_scripts.wiring.language_models import MODEL_KINDS, asked_of, fetched
from workflow_scripts.wiring.places import environments, python_of, resource, shared
from workflow_scripts.wiring.politeness import TYDIP
from workflow_scripts.wiring.resources import DAY, FIRST, LONG, asking, computing, gpus, growing
from workflow_scripts.wiring.run import Run
from workflow_scripts.wiring.subjects import Subjects
from workflow_scripts.wiring.systems import SYSTEM
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

# A file of a leaf, as `snakemake --report` shows it.
leaf = leaves.reported(report, LEAVES, PAPERS)
# The files of all leaves of some papers.
files_of = partial(leaves.files_of_papers, LEAVES.values())

# The systems, models and files of each subject, with which rules are written.
subjects = Subjects(RUN)
corpora, models, backend = subjects.corpora, subjects.models, subjects.backend
systems, rewriters = subjects.systems, subjects.rewriters
output_raters, rewrites = subjects.output_raters, subjects.rewrites
politeness, request_raters = subjects.politeness, subjects.request_raters
rated_texts, formality_texts = subjects.rated_texts, subjects.formality_texts
control, translators, translation_raters = subjects.control, subjects.translators, subjects.translation_raters
dialogue, users = subjects.dialogue, subjects.users

# The order of the tables' columns.
LANGUAGES = config["languages"]
# The order in which stages read, so that another order of the columns reruns tables only.
READ_LANGUAGES = [lang for lang in ALL_LANGUAGES if lang in LANGUAGES]
CACHE = untracked(shared(config["cache"]))
TOOLS = environments()
GPU = gpus(workflow, config["device"])
on_a_gpu = partial(computing, GPU)
TORCH = subjects.torch
# Untracked: `auto` is in the end `cpu` or `cuda`, which only the machine of a job knows, and not the head of a cluster.
DEVICE = untracked(subjects.device)
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


# And its resources, by the kind of model.
asking_resources = partial(asking, GPU)


wildcard_constraints:
    lang=one_of(ALL_LANGUAGES),
    system=r"[\w-]+",
    run=r"\d+",
    style="informal|formal",
    seed=r"\d+",
    shard=r"\d+",
    target="de|es|fr|hi|it|ja|pt",
