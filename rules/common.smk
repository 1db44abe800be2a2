# Helpers that rules share: the checked configuration, paths, tracked code. No rule stands here.
import atexit
import collections
import hashlib
import json
import math
import os
import re

import yaml
from snakemake.utils import update_config

from workflow_scripts.config import folders, programs, settings
from workflow_scripts.config.languages import GENERIC_COLUMNS, GENERIC_TABLE, languages
from workflow_scripts.config.needs import lacking, translatable
from workflow_scripts.config.systems import KINDS
from workflow_scripts.core import finished, gpu
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.provenance import code_of, use_this_python
from workflow_scripts.core.rater_files import files_by_language
from workflow_scripts.corpora.sources import licensed as licences
from workflow_scripts.corpora.sources.registry import accepted, unpinned
from workflow_scripts.corpora.sources.registry import load as load_registry
from workflow_scripts.leaves.registry import load as load_leaves
from workflow_scripts.leaves.registry import load_papers
from workflow_scripts.translation import apertium

use_this_python(CHECKOUT)


def resource(path):
    """A file of the checkout, such as one of resources/ or envs/, from any working directory."""
    return os.path.relpath(CHECKOUT / path)


def shared(folder):
    """What the experiments of a checkout share: a folder relative to it, not to the working directory."""
    return folder if os.path.isabs(folder) else resource(folder)


def untracked(value):
    """A param whose change reruns nothing, since it is no part of the result: a place, a limit, a device.

    Snakemake compares the params of a finished job with those of now, but leaves out what a function of
    `input` returns, because it compares input itself. `value` may be a function of wildcards.
    """
    return lambda wildcards, input: value(wildcards) if callable(value) else value


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
    GENERIC_LANGUAGES = languages(GENERIC_TABLE, GENERIC_COLUMNS)
    REGISTRY = load_registry(Path(resource("resources/sources.csv")))
    UNPINNED = accepted(config["downloads"]["unpinned"], REGISTRY)
    PAPERS = load_papers(Path(resource("resources/papers.csv")))
    LEAVES = {leaf.name: leaf for leaf in load_leaves(Path(resource("resources/leaves.csv")))}
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
    """A file of a leaf, as `snakemake --report` shows it: by paper, with its number and what it is."""

    def leaf_of(wildcards):
        name, _, ending = path.format(**wildcards).removeprefix("results/").partition(".")
        return LEAVES[name], ending

    def category(wildcards):
        return PAPERS[leaf_of(wildcards)[0].paper].label

    def labels(wildcards):
        found, ending = leaf_of(wildcards)
        return {"leaf": found.number, "shows": found.caption, "file": ending}

    return report(
        path, caption=str(CHECKOUT / "workflow_scripts/report/leaf.rst"), category=category, labels=labels
    )


def files_of(*papers):
    """The files of all leaves of some papers: the table, the figure, the comparison with the printed numbers."""
    return [path for leaf in LEAVES.values() if leaf.paper in papers for path in leaf_files(leaf.name)]


def printed(leaf):
    """Whether the paper prints numbers of a leaf."""
    return os.path.exists(resource(f"resources/printed/{leaf.printed}"))


def leaf_files(name):
    """The files of a leaf, in the order in which its module takes them."""
    endings = [".svg"] * (LEAVES[name].kind == "figure") + [".csv"] + [".compare.csv"] * printed(LEAVES[name])
    return [f"results/{name}{ending}" for ending in endings]


# Leaves that one command makes, as papers/leaves.smk explains; each paper's file adds its own.
WIRING = {}


def words(values):
    """Values by names as the words of a command, each as it is: `{params.x:q}` in the command quotes them.

    A text or number is `--name=value`, so that it may begin with a dash; a list is the words after its option;
    a mapping is JSON; true is an option alone, false and none are left out.
    """
    found = []
    for name, value in values.items():
        option = f"--{name.replace('_', '-')}"
        if value is True:
            found.append(option)
        elif isinstance(value, dict):
            found.append(f"{option}={json.dumps(value)}")
        elif isinstance(value, (str, int, float)) and value is not False:
            found.append(f"{option}={value}")
        elif value is not None and value is not False:
            found += [option, *map(str, value)]
    return found


def as_options(values):
    """The same as a param: a function, since Snakemake takes braces in a plain text for wildcards."""
    found = words(values)
    return lambda wildcards: found


def rater_files(setting, folder, languages, **options):
    """The files of raters in a folder, by language; whatever else lies there stops the run."""
    try:
        found = files_by_language(Path(folder), languages, **options)
    except InputError as problem:
        stop(f"configuration: {setting}: {problem}")
    return {lang: list(map(str, paths)) for lang, paths in found.items()}


def described_rules():
    """Rows of all rules that make files: name, the stage or paper that the log is in, docstring."""
    for found in internals.rules_of(workflow):
        for log in found.log[:1]:
            yield [found.name, Path(log).parts[1], " ".join((found.docstring or "").split())]


# What the target of a paper makes besides its leaves.
FURTHER = {}


# The order of the tables' columns.
LANGUAGES = config["languages"]
# All systems: a row may need the output or the models of one that is no row.
SYSTEMS = config["systems"]
# The names of the rows, in their order. What the leaves show is of these.
ROWS = SETTINGS.in_rows()
# The numbers of rewrites of a dev sentence and of a test sentence.
DEV_REFERENCES = range(config["corpora"]["gyafc_references"])
REFERENCES = range(config["corpora"]["xformal_references"])
# The order in which stages read, so that another order of the columns reruns tables only.
READ_LANGUAGES = [lang for lang in ALL_LANGUAGES if lang in LANGUAGES]
LICENSED = shared(config["licensed"])
CACHE = untracked(shared(config["cache"]))


def GPU(wildcards):
    """1 if a job that can use a GPU asks for one: with `cuda` always, with `auto` where there is one.

    What there is, on this machine the driver says, and on a cluster its profile (`resources: gpu`): the
    machine that jobs are submitted from may have none. A job on a node is given what it was submitted with,
    and counts nothing again. A function, since only when a job is made it is known where jobs run.
    """
    if config["device"] != "auto":
        return int(config["device"] == "cuda")
    if internals.is_first_process(workflow) and internals.runs_here(workflow):
        return min(gpu.count(), 1)
    return min(internals.limit(workflow, "gpu") or 0, 1)


# The priority of long jobs: they come first, so that none of them is left alone at the end.
LONG = 10
TORCH = words({key: config[key] for key in ("precision", "threads")})
# Untracked: `auto` is in the end `cpu` or `cuda`, which only the machine of a job knows, and not the head of a cluster.
DEVICE = untracked(words({"device": config["device"]}))


wildcard_constraints:
    lang="|".join(ALL_LANGUAGES),
    system=r"[\w-]+",
    run=r"\d+",
    style="informal|formal",
    seed=r"\d+",
    shard=r"\d+",
    target="de|es|fr|hi|it|ja|pt",


def systems_of(*kinds):
    """A pattern for the systems of some kinds; with no such system it matches nothing."""
    names = [name for name, system in SYSTEMS.items() if system["kind"] in kinds]
    return "|".join(names) or "(?!)"


def options(section, *keys):
    """Some settings of a section as a param."""
    return as_options({key: section[key] for key in keys})


def has(lang, system):
    """Whether a system exists in a language: some exist only in French."""
    own = SYSTEMS[system]["languages"]
    return own is None or lang in own


def rows_in(lang):
    """The rows of a language."""
    return [name for name in ROWS if has(lang, name)]


def scored_systems(lang):
    """The systems that are scored: the rows, and the baseline that they are tested against."""
    baseline = config["evaluation"]["baseline"]
    return [name for name in SYSTEMS if name in (*ROWS, baseline) and has(lang, name)]


def runs(lang, system):
    """The output files of a system: a reference set each for GOLD STANDARD, a seed each for kinds with reruns."""
    kind = SYSTEMS[system]["kind"]
    if kind == "gold":
        count = len(REFERENCES)
    else:
        count = len(SYSTEMS[system]["seeds"]) if KINDS[kind].reruns else 1
    stage = "unsupervised" if kind == "unsupervised" else "transfer"
    return [f"build/{stage}/{lang}/{system}/run{run}.txt" for run in range(count)]


def scored_runs(lang):
    """The runs of all scored systems of a language: (system, run, output file)."""
    return [
        (system, os.path.basename(path).removesuffix(".txt"), path)
        for system in scored_systems(lang)
        for path in runs(lang, system)
    ]


def outputs_in(lang):
    """The output files of all scored systems of a language."""
    return [path for *_, path in scored_runs(lang)]


def scored_in(metric, lang):
    """The files of sentence scores that belong to `outputs_in`."""
    return [f"build/{metric}/{lang}/systems/{system}/{run}.txt" for system, run, _ in scored_runs(lang)]


# Minutes; many clusters let no job run longer. What takes longer goes on from its checkpoint in the next attempt.
DAY = 1440


def growing(amount, limit=math.inf):
    """Megabytes or minutes that grow with the attempt of a job, up to a limit."""
    return lambda wildcards, attempt: min(amount * attempt, limit)


def megabytes(memory):
    """A job's memory for a tool's own limit such as 512M or 16G; a share of the machine says nothing."""
    units = {"K": 1 / 1024, "M": 1, "G": 1024, "T": 1024**2}
    return 2000 + int(int(memory[:-1]) * units[memory[-1]]) if memory[-1] in units else 8000


# A tool's environment is named after its lock file, so that a new lock makes a new one.
VENVS = shared(".venvs")
TOOLS = {
    tool: f"{VENVS}/{tool}-{hashlib.sha256(Path(resource(f'envs/{tool}.txt')).read_bytes()).hexdigest()[:10]}/.done"
    for tool in ("align", "bicleaner", "kenlm", "langdetect", "llama", "sentences", "spacy")
}


PACK = config["filtering"]["bicleaner"]["pack"]


def pack_option(wildcards, input):
    """The classifier's model pack, where one is configured, and what identifies languages for it."""
    return words({"pack": input.pack or None, "identifier": input.identifier or None})


BACKEND = config["translation"]["backend"]
NMT = config["translation"]["nmt"]


def backend_input(wildcards):
    """What the configured backend needs before it can translate: its models, of this workflow or of the hub."""
    if BACKEND == "hf" and not os.path.isdir(config["translation"]["hf"]["checkpoint"]):
        return {"fetched": "build/translation/hf"}
    if BACKEND != "nmt":
        return {}
    folder = f"build/translation/nmt/{wildcards.lang}"
    return {"text": f"{folder}/text", "model": f"{folder}/model.safetensors"}


# Snakemake compares only params that do not depend on input: a function that reads settings takes none.
def backend_options(wildcards):
    """The configured backend as command-line options."""
    section = config["translation"][BACKEND]
    match BACKEND:
        case "nmt":
            needed = backend_input(wildcards)
            given = {"text_model": needed["text"], "models": [needed["model"]], **section["decoding"]}
            return words({"backend": BACKEND, **given}) + TORCH
        case "hf":
            codes = [f"{wildcards.lang}={ALL_LANGUAGES[wildcards.lang]['nllb']}"]
            fetched = backend_input(wildcards)
            return words({"backend": BACKEND, **section, "codes": codes, **fetched}) + TORCH
        case "apertium":
            return words({"backend": BACKEND, **section, "batch_size": 1000, "threads": 1})
        case _:
            # Each sentence is cached before the next one is paid for.
            return words({"backend": BACKEND, **section, "batch_size": 1})


# How the backend runs, which is no part of a translation: on which device, or for how much at most.
BACKEND_RUN = {
    "nmt": DEVICE,
    "hf": DEVICE,
    "aws": untracked(words({"max_cost": config["translation"]["max_cost"]})),
}.get(BACKEND, [])


# The languages whose requests are translated into English for classifiers of English.
REQUESTS_TRANSLATED = translatable(config["politeness"]["translated"], ALL_LANGUAGES, config["translation"])


CONTROL = config["control"]
# CoCoA-MT's languages in the paper's order; Portuguese is released, but not in the paper.
TARGETS = ["de", "es", "fr", "hi", "it", "ja", "pt"]


ENCODER = config["formality"]["encoder"]


# The text from which the regressors' encoder is built here.
FORMALITY_TEXTS = [
    *(f"build/translation/pt16/{lang}/train.txt" for lang in READ_LANGUAGES),
    *(f"build/filtering/bitext/{lang}/train.{lang}.txt" for lang in READ_LANGUAGES),
]


def encoder_texts(encoder, texts):
    """The texts that an encoder is built from; none if it is not built here."""
    return texts if encoder["kind"] == "scratch" else []


def encoder_options(encoder, max_length, texts):
    """What the configured kind of encoder needs to know."""
    keys = {
        "hub": ["checkpoint", "revision"],
        "package": ["package", "sha256"],
        "folder": ["path"],
        "ngrams": [],
        "sentences": ["package"],
        "scratch": ["vocabulary_size", "layers", "hidden", "heads", "lowercase"],
    }[encoder["kind"]]
    given = {key: encoder[key] for key in ["kind", *keys]}
    match encoder["kind"]:
        case "ngrams":
            given |= encoder["ngrams"]
        case "scratch":
            given |= {"max_length": max_length, "seed": config["seed"], "texts": texts}
    return words(given)


def rated_sentences(part):
    """The rated sentences in a rule's language: English ones are the originals."""
    return lambda wildcards: (
        f"build/corpora/pt16/{part}.sentences.txt"
        if wildcards.lang == "en"
        else f"build/translation/pt16/{wildcards.lang}/{part}.txt"
    )
