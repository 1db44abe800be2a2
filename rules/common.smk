# Helpers that rules share: the checked configuration, paths, tracked code. No rule stands here.
import hashlib
import os
import re
import shlex
import sys
from pathlib import Path

sys.path.insert(0, workflow.basedir)
# Jobs find the package from any working directory, on any node.
os.environ["PYTHONPATH"] = os.pathsep.join(
    filter(None, [workflow.basedir, os.environ.get("PYTHONPATH")])
)

from workflow_scripts.corpora import licensed as licences
from workflow_scripts.corpora.registry import Entry, load as load_registry
from workflow_scripts.errors import InputError
from workflow_scripts.provenance import code_of
from workflow_scripts import settings


def stop(problem):
    """Bad input, found before the first job: one line, exit code 2, no traceback."""
    print(f"error: {problem}", file=sys.stderr)
    sys.stderr.flush()
    sys.exit(2)


def resource(path):
    """A file of resources/ or envs/, from any working directory."""
    return os.path.relpath(Path(workflow.basedir) / path)


try:
    settings.load(config)
    REGISTRY = load_registry(Path(resource("resources/registry.csv")))
except InputError as problem:
    stop(problem)

python = sys.executable
LANGUAGES = config["languages"]
SYSTEMS = config["systems"]
# Rewrites per sentence in GYAFC and XFORMAL.
REFERENCES = 4
ALL_LANGUAGES = settings.languages()
# A job that trains or decodes on a GPU asks for one; profiles say how many there are.
GPU = 1 if config["device"] == "cuda" else 0
TORCH = f"--device {config['device']} --precision {config['precision']} --threads {config['threads']}"


wildcard_constraints:
    lang="|".join(ALL_LANGUAGES),
    system=r"[\w-]+",
    run=r"\d+",
    seed=r"\d+",
    shard=r"\d+",


def systems_of(*kinds):
    """A pattern for the systems of some kinds; with no such system it matches nothing."""
    names = [name for name, system in SYSTEMS.items() if system["kind"] in kinds]
    return "|".join(names) or "(?!)"


def options(section, *keys):
    """Some settings of a section as command-line options: a text, so that a change is seen."""
    return " ".join(f"--{key.replace('_', '-')} {shlex.quote(str(section[key]))}" for key in keys)


def runs(lang, system):
    """The output files of a system: one per reference set for GOLD STANDARD, else one."""
    count = REFERENCES if SYSTEMS[system]["kind"] == "gold" else 1
    return [f"build/transfer/{lang}/{system}/run{run}.txt" for run in range(count)]


def scored(metric, lang, system):
    """The files of sentence scores that belong to `runs`."""
    return [
        f"build/{metric}/{lang}/systems/{system}/{Path(path).name}" for path in runs(lang, system)
    ]


def lock_hash(tool):
    """A tool's environment is named after its lock file, so that a new lock makes a new one."""
    return hashlib.sha256(Path(resource(f"envs/{tool}.txt")).read_bytes()).hexdigest()[:10]


# The files of GYAFC in the canonical layout, without their ending.
GYAFC = [
    f"{split}.{style}"
    for split, styles in {
        "train": ["informal", "formal"],
        "dev": ["informal", "formal"]
        + [f"{style}.ref{i}" for style in ("formal", "informal") for i in range(REFERENCES)],
    }.items()
    for style in styles
]
