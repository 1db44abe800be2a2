"""Everything that the documents name exists: files, folders, rules, make targets, modules and settings."""

import fnmatch
import json
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from tests.commands import PACKAGE
from tests.conftest import ROOT
from tests.named import Name, comments_of, docstrings_of, names_of
from tests.shown import DOCUMENTS, WALKED
from tests.workflow import forks
from tests.workflow.walk import made

# Only the comments of these are read.
COMMENTED = [
    "Makefile",
    "Snakefile",
    "config.yaml",
    *sorted(f"config/{p.name}" for p in (ROOT / "config").glob("*.yaml")),
]
GENERATED = "docs/configuration.md"
# Its settings are compared with those of the paper's scale by tests/config/test_settings.py.
SETTINGS = "docs/settings.md"

# Named, but neither a file of the repository nor the output of a rule.
ELSEWHERE = {
    "mine.yaml": "an overlay of the reader",
    "path/to/tuvous/Snakefile": "a clone of the reader",
    "results/plan.csv": "a plan, which no rule makes",
    "build/site/index.html": "the site, which make docs makes",
    "report.html": "a report of Snakemake, where the reader wants it",
    "results/politeness/rated": "a corpus that the workflow makes where people have rated requests of dumps",
    "build/politeness/xlmr/rated.csv": "what a classifier makes of it",
    "polite.yaml": "an overlay of the reader",
    "raw.yaml": "an overlay of the reader",
    "Qwen/Qwen2.5-0.5B-Instruct": "a checkpoint of the hub",
    **{f"{name}.yaml": "an overlay of the reader" for name in ("service", "server", "gpu", "gguf")},
    "runs/polite": "translations of the reader",
    "runs/polite/it.formal.txt": "translations of the reader",
    "runs/polite/it.informal.txt": "translations of the reader",
    "runs/mine/ko-2023.formal.txt": "translations of the reader",
    "runs/mine/ko-2023.informal.txt": "translations of the reader",
    "runs/llm": "outputs of the reader",
    "runs/llm/$lang.txt": "outputs of the reader",
    "docs/gallery/leaves.csv": "the table of the gallery, which make gallery writes",
    "runs/open": "directory of an experiment",
    "runs/hub": "directory of an experiment",
    "runs/mine": "directory of an experiment",
    "results/lengths/table1.csv": "the leaf of an example",
    "licensed/MINE/xformal_eval/fr/informal": "a corpus of the reader",
    "licensed/impolite/impolite.jsonl": "a corpus of the reader",
    "mine.json": "responses of the reader",
    **{f"runs/mine/{users}.json": "responses of the reader" for users in ("polite", "impolite")},
    **{
        f"build/corpora/demo/MultiWOZ/db/{domain}_db.json": "a file in a folder that a rule makes"
        for domain in ("hotel", "restaurant", "train")
    },
    "path/to/de_core_news_lg": "a spaCy pipeline of the reader",
    "{lang}.csv": "ratings and annotations of the reader",
    "fr.csv": "ratings of the reader",
    "fr-NAME.csv": "ratings of the reader",
    ".venv/": "the environment, made by make",
    ".venvs/": "environments of tools, made by rules under the hash of their versions",
    ".venv/bin/activate": "the environment, made by make",
    "build/": "made by the workflow",
    "build/finished": "leaves while jobs make them again, which are no outputs",
    "build/checkpoints": "states of unfinished jobs, which are no outputs",
    "logs/": "what jobs say, made by the workflow",
    ".snakemake/log": "Snakemake's logs",
    "cache/": "translations, which are no outputs",
    "cache/prompts.sqlite": "answers of language models, which are no outputs",
    "models/llm.gguf": "a language model of the reader",
    "models/": "models of the reader",
    "models/model.en-de": "a translator of the reader",
    "vocab.src.0.json": "a file of Sockeye",
    "vocab.trg.0.json": "a file of Sockeye",
    "prompted.csv": "beside the outputs of a system that is a language model",
    "licensed/": "corpora of the reader",
    "X.csv": "any leaf, any sheet",
    "X.spreadsheet.csv": "the copy of any sheet",
    "X.html": "the page of any sheet",
    "X.compare.csv": "the comparison of any leaf",
    ".compare.csv": "the comparison of any leaf",
    "strategies/learnt_strategies.xlsx": "a file of TyDiP's release",
    "run0.txt": "the output of a system's first run",
    "run1.txt": "the output of a system's second run",
    "subwords.en.model": "a file in the folder of a text model",
}
# What stands in a path for any value.
VALUES = {
    "lang": "fr",
    "language": "fr",
    "system": "translate-train-tag",
    "run": "0",
    "N": "7",
    "$lang": "fr",
}
WRONG = (
    "[text](docs/missing.md)",
    "[text](docs/architecture.md#no-such-heading)",
    "see `workflow_scripts/control/phrases.py`",
    "`results/table99.csv`",
    "`results/table7.csv.gz`",
    "`build/nowhere/{lang}/x.txt`",
    "`rules/papers/nobody.smk`",
    "the rule `train_translate_train_tag`",
    "the rules `table7` and `table99`",
    "`make nothing`",
    "`python -m workflow_scripts.core.nothing`",
    "`human.sentinels`",
    "`leaves.nothing`",
    "```\nrooms/   a folder\n```",
    "```bash\nsnakemake --cores 8 --configfile config/none.yaml -- results/table7.csv\n```",
    "    snakemake --cores 8 tydip no_such_rule",
)
RIGHT = (
    "[text](docs/architecture.md#folders) `rules/papers/xformal.smk` `results/table7.compare.csv`"
    " `envs/*.txt` the rule `table7`, `make test`, `translation.max_cost`, `core.files`,"
    " `build/transfer/{lang}/copy/run0.txt`\n"
    '```bash\nsnakemake -n --config evaluation="{resamples: 500}" -- results/table7.csv tydip\n```\n'
)


def prose(text: str) -> str:
    """A document without its code blocks, line by line."""
    lines, inside = [], False
    for line in text.splitlines():
        fence = line.startswith("```")
        lines.append("" if inside or fence else line)
        inside ^= fence
    return "\n".join(lines)


@cache
def every_name() -> list[Name]:
    found = []
    for document in DOCUMENTS:
        text = (ROOT / document).read_text(encoding="utf-8")
        names = names_of(document, text)
        if document == WALKED:
            names = (name for name in names_of(document, prose(text)) if name.text not in made(text))
        # Settings and their values are checked where that page is generated.
        names = (name for name in names if document != SETTINGS or name.kind != "setting or module")
        found += [name for name in names if document != GENERATED or name.kind == "path"]
    for document in COMMENTED:
        found += comments_of(document, (ROOT / document).read_text(encoding="utf-8"))
    for path in sorted(PACKAGE.rglob("*.py")):
        found += docstrings_of(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
    return found


@cache
def workflow() -> tuple[frozenset[str], frozenset[str]]:
    """All rules, and the paths of all documents and examples that the workflow makes."""
    examples = (name for text in (*WRONG, RIGHT) for name in names_of("README.md", text))
    names = (name for name in (*every_name(), *examples) if name.kind == "path")
    paths = [place for name in names for place in places(name)]
    done = forks.run(ROOT, [str(ROOT), json.dumps(paths)], module="tests.made")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    return frozenset(found["rules"]), frozenset(found["made"])


def places(name: Name) -> list[str]:
    """Where a path may be: below the root, the package or the document's own folder."""
    text = re.sub(
        r"\{(\w+)\}|(\$lang)|(?<=table)N", lambda m: VALUES.get(m[1] or m[2] or "N", "x"), name.text
    )
    folder = Path(name.document).parent
    below = ["workflow_scripts", *([] if folder == Path() else [str(folder)])]
    return [text, *(f"{base}/{text}" for base in below)]


@cache
def tracked() -> tuple[str, ...]:
    """The files of the checkout, and their folders, without what is made."""
    made = {".git", ".venv", ".venvs", ".snakemake", "build", "cache", "licensed", "logs", "runs"}
    files = [
        path.relative_to(ROOT).as_posix()
        for top in ROOT.iterdir()
        if top.name not in made
        for path in (top, *(top.rglob("*") if top.is_dir() else ()))
        if path.relative_to(ROOT).parts[0] != "results" or path.name == "README.md"
    ]
    return (*files, "results")


def exists(name: Name) -> bool:
    match name.kind:
        case "link":
            target, _, heading = name.text.partition("#")
            file = (ROOT / name.document).parent / target if target else ROOT / name.document
            return file.exists() and (not heading or heading in headings(file))
        case "path":
            if name.text in ELSEWHERE:
                return True
            if "*" in name.text:
                patterns = [pattern for place in places(name) for pattern in (place, f"*/{place}")]
                leaves = [
                    f"results/{leaf}{ending}" for leaf in leaf_names() for ending in (".csv", ".compare.csv")
                ]
                return any(fnmatch.fnmatch(file, p) for p in patterns for file in (*tracked(), *leaves))
            # A key that ends as a file does, such as encoder.sha256.
            if is_setting(name.text):
                return True
            found = {place.rstrip("/") for place in places(name)}
            return not found.isdisjoint(tracked()) or any(place in workflow()[1] for place in places(name))
        case "rule":
            return name.text in workflow()[0]
        case "make target":
            return (
                re.search(rf"^{re.escape(name.text)}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
                is not None
            )
        case "module":
            return is_module(name.text.removeprefix("workflow_scripts."))
        case _:
            module = name.text.removeprefix("workflow_scripts.")
            return is_setting(module) or is_module(module)
    raise AssertionError(name.kind)


def leaf_names() -> list[str]:
    rows = (ROOT / "resources/leaves.csv").read_text(encoding="utf-8").splitlines()
    return [row.partition(",")[0] for row in rows[1:]]


def headings(file: Path) -> set[str]:
    """The anchors of a document, as the hosts of repositories make them."""
    found = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found}


def is_setting(text: str) -> bool:
    """Whether the configuration, or a section of it, has a key of this name, sections joined by dots."""

    def has(section: object, keys: list[str]) -> bool:
        return not keys or (
            isinstance(section, dict) and keys[0] in section and has(section[keys[0]], keys[1:])
        )

    def anywhere(section: object) -> bool:
        found = isinstance(section, dict) and any(anywhere(part) for part in section.values())
        return found or has(section, text.split("."))

    return anywhere(settings())


@cache
def settings() -> dict[str, object]:
    """The configuration as it stands."""
    found: dict[str, object] = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    return found


def is_module(text: str) -> bool:
    """Whether the package, or a paper, has such a module, or a module with such a name in it."""
    *folders, last = text.split(".")
    for base in (PACKAGE, PACKAGE / "papers"):
        folder = base.joinpath(*folders)
        if (folder / f"{last}.py").exists() or (folder / last / "__init__.py").exists():
            return True
        file = folder.with_suffix(".py")
        if (
            folders
            and file.exists()
            and re.search(rf"^(def |class )?{last}\b", file.read_text(), re.MULTILINE)
        ):
            return True
    return False


def test_everything_that_documents_name_exists():
    wrong = [str(name) for name in every_name() if not exists(name)]
    assert not wrong, "\n".join(wrong)


def test_every_exception_is_still_named():
    assert sorted(ELSEWHERE.keys() - {name.text for name in every_name()}) == []


@pytest.mark.parametrize("text", WRONG)
def test_what_does_not_exist_is_found(text):
    assert not all(map(exists, names_of("README.md", text)))


def test_what_docstrings_name_and_does_not_exist_is_found():
    text = 'def f():\n    """See `core.files`, `transfer.nothing`; what evaluation.nothing\n    wrote."""\n'
    names = list(docstrings_of("x.py", text))
    assert [name.text for name in names if not exists(name)] == ["transfer.nothing", "evaluation.nothing"]
    assert [name.text for name in names if exists(name)] == ["core.files"]


def test_what_exists_is_not_found():
    names = list(names_of("README.md", RIGHT))
    assert len(names) == 11 and all(map(exists, names))


def tables(text: str) -> list[list[list[str]]]:
    """The tables of a document: rows of cells, heads first."""
    found: list[list[list[str]]] = []
    before = False
    for line in text.splitlines():
        if line.startswith("|"):
            if not before:
                found.append([])
            if not set(line) <= set("|-"):
                found[-1].append([cell.strip() for cell in line.strip("|").split(" | ")])
        before = line.startswith("|")
    return found


def test_the_architecture_has_every_folder_of_the_package():
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    kinds = {table[0][0]: [row[0].strip("`") for row in table[1:]] for table in tables(text)}
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - {"papers"}
    assert {*kinds["library"], *kinds["stage"]} == packages
    assert len(kinds["library"]) + len(kinds["stage"]) == len(packages)
    # Stages have rules of their own, libraries have none.
    rules = {path.stem for path in (ROOT / "rules").iterdir()}
    assert rules >= {*kinds["stage"]} - {"planning"}
    assert not rules.intersection(kinds["library"])


def test_every_decision_is_listed_and_has_its_parts():
    folder = ROOT / "docs/decisions"
    listed = re.findall(
        r"^\* \[(.+)\]\((.+)\)$", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {name for _, name in listed} == {path.name for path in folder.glob("*.md")} - {"README.md"}
    for title, name in listed:
        head, *parts = (folder / name).read_text(encoding="utf-8").strip().split("\n\n")
        assert head == f"# {title}"
        assert [part.partition(".** ")[0] for part in parts] == ["**Context", "**Choice", "**Consequence"], (
            name
        )


def test_every_dependency_has_its_purpose():
    text = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    # The last table is of checkpoints.
    environments, *purposes, _ = tables(text)
    for table, file in zip(purposes, ("envs/main.in", "envs/dev.in"), strict=True):
        wanted = {re.split(r"[=\[<>]", line)[0] for line in _requirements(file)}
        named = {
            name.partition("[")[0] for row in table[1:] for name in re.split(r", | \(.*\)", row[0]) if name
        }
        assert {n for n in wanted - named if not n.startswith("types-") and not n.endswith("-stubs")} == set()
        assert named <= wanted | {re.split(r"[=\[<>]", line)[0] for line in _requirements("envs/main.in")}
    names = {row[0].strip("`") for row in environments[1:]}
    assert names == {path.stem for path in (ROOT / "envs").glob("*.in")} - {"dev"}


def _requirements(file: str) -> list[str]:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_the_glossary_is_linked():
    for document in ("README.md", "docs/architecture.md"):
        assert "glossary.md)" in (ROOT / document).read_text(encoding="utf-8")
