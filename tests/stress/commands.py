"""The commands of the package, and jobs that run them: of the tiny run and of the leaves of released data.

The command lines are the rules' own, asked of Snakemake; only commands that no rule of these runs calls have
a command line here.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tests.conftest import ROOT
from tests.control.conftest import release
from tests.corpora.archives import archive
from tests.politeness.conftest import REQUESTS, WORDS
from tests.tables import put
from workflow_scripts.config.prompted import Model, Prompting
from workflow_scripts.core.cache import Cache
from workflow_scripts.core.counts import write_counts
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.files import digest, read_lines, write_lines
from workflow_scripts.corpora.jparacrawl import MEMBER
from workflow_scripts.corpora.tydip_requests import crawled_file
from workflow_scripts.leaves.registry import load, load_papers
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.database import load_database
from workflow_scripts.politeness.prompted import likeliest
from workflow_scripts.prompting.answers import Answer
from workflow_scripts.prompting.models import backend_of
from workflow_scripts.prompting.templates import read_template
from workflow_scripts.responders.prompted import (
    BELIEF_EXAMPLE,
    BELIEF_HOLES,
    RESPONSE_EXAMPLE,
    RESPONSE_HOLES,
    Asked,
    forms_of,
)
from workflow_scripts.responders.sessions import rollout

# Commands that are given no file of another's, or are no part of a run.
UNTESTED = {
    "core.manifest": "reads no file",
    "core.tools": "builds environments, from lock files of the checkout",
    "core.conda": "for developers: from the requirements of the checkout",
    "config.reference": "for developers: reads no file",
    "report.resolved": "reads no file",
    "control.winomt": "runs in an environment of its own (fast_align)",
    "politeness.align": "runs in an environment of its own (fast_align)",
    "papers.cocoa_mt.table3": "runs in an environment of its own (spaCy)",
    "corpora.identify": "runs in an environment of its own (langdetect)",
    "corpora.sources.make_mirror": "calls the two downloads: see the campaign of states",
    "corpora.sources.download_files": "downloads: see the campaign of states",
    "core.fetch": "downloads a model of the hub",
    "core.fetch_packaged": "downloads a package",
    "responders.released": "downloads a model of the hub",
    "encoders.released": "takes over a checkpoint of the hub",
    "fluency.lmplz": "compiles a tool",
    "progress.install": "calls pip, before any package is there",
    "progress.measure": "for developers: reads a log of Snakemake",
    "papers.tydip.picture": "for developers: draws a finished table for a document",
}


@dataclass(frozen=True)
class Job:
    """One call of a command: its module below the package, its arguments, what it reads and writes."""

    module: str
    arguments: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def put_released_data(folder: Path) -> None:
    """Small files in the layouts of released corpora, where the downloads of a run lie."""
    downloads = folder / "build/corpora/downloads"
    tydip = downloads / "tydip"
    english = [
        ("Please help. Can you?", 1.0),
        ("A bad idea. Why?", -1.0),
        ("Well. Do you?", 0.1),
        ("So. You?", -0.2),
    ]
    wanted = [row for _, row in read_rows(ROOT / "resources/printed/tydip/table11.csv", ("strategy", "word"))]
    words = {strategy: list(known) for strategy, known in WORDS.items()}
    for row in wanted:
        known = words.setdefault(row["strategy"], [])
        if row["word"] not in [word for word, _ in known]:
            known.append((row["word"], [("bitte", 9)]))
    strategies: list[tuple[str, str, str]] = []
    for strategy, listed in words.items():
        strategies.append((f"Strategy - {strategy}", "", ""))
        strategies += [(word, str(found), str(bool(found))) for word, found in listed]
    for line in (ROOT / "resources/sources/tydip.sha256").read_text(encoding="utf-8").splitlines():
        path = tydip / line.split("  ", 1)[1]
        rows = english if path.name.startswith("en_") else REQUESTS
        if path.parent.name == "strategies":
            put(path, ("0", "1", "2"), strategies)
        else:
            put(path, ("sentence", "score"), rows[:2] if "binary" in path.name else rows)
    for language in ("de", "es", "fr", "hi", "it", "ja", "pt"):
        release(downloads / "cocoa-mt", language)
    for path in (downloads / "cocoa-mt/CoCoA-MT/train/en-es").glob("*.en"):
        # Segments that no tested language knows.
        write_lines(path, [f"{line} Again." for line in read_lines(path)])
    for vendor in ("google", "bing", "aws", "systran"):
        # What is made in the environment of fast_align.
        rows = [(metric, "50.0", "winomt") for metric in ("accuracy", "f1_female", "f1_male")]
        write_csv(folder / f"build/control/winomt/{vendor}.csv", ("metric", "value", "signature"), rows)
    for system in ("none", "cocoa-mt", "feminine"):
        scores = folder / f"build/control/winomt/{system}/fr/run0.csv"
        write_csv(scores, ("metric", "value", "signature"), rows)
    for genre in ("answers", "blog", "email", "news"):
        target = downloads / "pt16" / genre
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(folder / "build/corpora/demo/pt16/answers", target)
    for code in ("eng", "fra"):
        write_lines(
            downloads / f"tatoeba/data/tatoeba/v1/tatoeba.fra-eng.{code}", [f"{code} {n}." for n in range(9)]
        )
    # What langdetect, in an environment of its own, would have counted.
    for language in ("hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"):
        counts = {f"language:{language}": 8, "language:en": 1}
        write_counts(folder / f"build/corpora/talk/identified/{language}.counts.tsv", counts)
        # And what fast_align would have linked.
        aligned = folder / "build/politeness/lexicons/aligned"
        write_lines(aligned / f"{language}.tsv", ["please , why ?\tbitte , warum ?\t0-0 1-1 2-2 2-3"] * 4)
        write_lines(aligned / "aligner.txt", ["systran-align-0"])
    write_lines(crawled_file(downloads / "tydip-requests", "hi"), [f"So {n}. Why?" for n in range(9)])
    write_lines(downloads / "ntrex/NTREX-128/newstest2019-src.eng.txt", [f"News {n}." for n in range(9)])
    write_lines(downloads / "ntrex/NTREX-128/newstest2019-ref.fra.txt", [f"Nouvelle {n}." for n in range(9)])
    pairs = "".join(f"a.org\t0.7\tNews {n}.\t{n} です\n" for n in range(9))
    sides = {f"set.{code}": f'<seg id="1">{code}</seg>\n<seg id="2">two</seg>\n' for code in ("en", "ja")}
    (downloads / "web").mkdir()
    archive(downloads / "web/pairs.tar.gz", {MEMBER: pairs.encode()})
    archive(downloads / "web/set.tar.gz", {f"{name}.sgm": text.encode() for name, text in sides.items()})


def jobs_of_rules(folder: Path, configfiles: list[str]) -> list[Job]:
    """The jobs of all leaves in the order in which they run, as Snakemake would call them."""
    papers = [paper.name for paper in load_papers(ROOT / "resources/papers.csv").values()]
    leaves = [leaf for leaf in load(ROOT / "resources/leaves.csv") if leaf.paper in papers]
    goals = [f"results/{leaf.name}.csv" for leaf in leaves] + ["results/index.html", "results/sources.csv"]
    goals += [
        "results/human/rewriting/en.html",
        "results/human/fr.spreadsheet.csv",
        "results/human/fr.html",
        "results/human/fr.qualification.html",
    ]
    words = [
        json.dumps(value)
        for value in ({}, ["config.yaml", *(str(folder / name) for name in configfiles)], goals)
    ]
    done = subprocess.run(
        [sys.executable, "-m", "tests.workflow.dag", str(folder), *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    # In the same order each time, since a case is named after the job's place in it.
    found = sorted((json.loads(line) for line in done.stdout.splitlines()), key=lambda one: one["output"])
    # Downloads would ask the network; further_jobs has one from a mirror.
    jobs = [
        job for one in found if (job := _job(one)) and not job.module.startswith("corpora.sources.download")
    ]
    return list(_in_order(jobs))


def _job(found: dict) -> Job | None:
    """A job of Snakemake that calls a command in the main environment; None for any other."""
    words = shlex.split(found["shell"] or "")
    if words[:2] != ["python", "-m"] or not words[2].startswith("workflow_scripts."):
        return None
    end = next((at for at, word in enumerate(words) if word.startswith("2>")), len(words))
    module = words[2].removeprefix("workflow_scripts.")
    return Job(module, tuple(words[3:end]), tuple(found["input"]), tuple(found["output"]))


def _in_order(jobs: list[Job]) -> Iterator[Job]:
    """Jobs after those whose outputs they read."""
    makers = {output: job for job in jobs for output in job.outputs}
    seen: set[Job] = set()

    def visit(job: Job) -> Iterator[Job]:
        if job in seen:
            return
        seen.add(job)
        for path in job.inputs:
            if path in makers:
                yield from visit(makers[path])
        yield job

    for job in jobs:
        yield from visit(job)


def further_jobs(folder: Path) -> list[Job]:
    """Calls of the commands that no rule of the tiny run calls."""
    answers = "build/corpora/demo/pt16/answers"
    downloads = "build/corpora/downloads"
    cocoa = f"{downloads}/cocoa-mt"
    xformal = "build/corpora/xformal/fr"
    hypotheses = "build/corpora/cocoa-mt/fr/test.call_center"
    registry = "resources/sources.csv"
    sum_of_answers = digest(folder / answers)
    layout = [f"{s}.{style}" for s in ("train", "dev") for style in ("informal", "formal")]
    layout += ["dev.informal.ref0", "dev.formal.ref0"]
    domains = ("topical_chat", "telephony", "call_center")
    asked = [
        line
        for domain in domains
        for line in read_lines(folder / f"build/corpora/cocoa-mt/fr/test.{domain}.en.txt")
    ]
    write_lines(folder / "shared.en", asked)
    write_lines(folder / "submission.txt", [f"Phrase {number}." for number in range(len(asked))])
    lines: list[tuple[str, str, list[str]]] = [
        ("corpora.cocoa_eval", f"{cocoa} eval --language fr", ["eval/informal.txt", "eval/formal.ref0.txt"]),
        (
            "corpora.cocoa_train",
            f"{cocoa} pairs --language es --tested fr --held-out 1 --seed 1",
            [f"pairs/{name}.txt" for name in layout],
        ),
        (
            "corpora.open_bitext",
            "open.en.txt.gz open.fr.txt.gz --language fr --corpora tatoeba=fra ntrex=fra"
            f" --folders {downloads}/tatoeba {downloads}/ntrex",
            ["open.en.txt.gz", "open.fr.txt.gz"],
        ),
        (
            "corpora.tydip_requests",
            f"{downloads}/tydip-requests crawled.txt --language hi",
            ["crawled.txt"],
        ),
        (
            "politeness.drawn",
            f"drawn.txt --requests {crawled_file(Path(downloads) / 'tydip-requests', 'hi')}"
            f" --corpus {downloads}/tydip --language hi --size 2 --seed 1",
            ["drawn.txt"],
        ),
        ("transfer.outputs", f"{xformal}/informal.txt {xformal}/formal.ref1.txt mine.txt", ["mine.txt"]),
        (
            "corpora.sources.unpack",
            "build/corpora/demo/opus/Demo/v1/moses/en-fr.txt.zip unpacked",
            ["unpacked"],
        ),
        (
            "corpora.sources.download",
            f"answers --url https://127.0.0.1/answers --sha256 {sum_of_answers} --partial partial --mirror"
            " build/corpora/demo --mirror-path pt16/answers --retries 0",
            ["answers"],
        ),
        (
            "corpora.sources.licensed",
            f"build/corpora/demo stamp.txt --entry gyafc --registry {registry}",
            ["stamp.txt"],
        ),
        (
            "corpora.sources.states",
            f"{registry} --downloads {downloads} --generated build/corpora/demo --licensed licensed",
            [],
        ),
        (
            "corpora.jparacrawl",
            f"{downloads}/web/pairs.tar.gz web.en.txt web.ja.txt",
            ["web.en.txt", "web.ja.txt"],
        ),
        (
            "corpora.test_sets",
            f"set.en.txt set.ja.txt --archives {downloads}/web/set.tar.gz --members set.en.sgm set.ja.sgm",
            ["set.en.txt", "set.ja.txt"],
        ),
        (
            "responders.own_responses",
            "own.json --responses build/responders/mintl/polite.json"
            " --dialogues build/dialogue/sets/polite.jsonl",
            ["own.json"],
        ),
        (
            "politeness.own_scores",
            "own-scores --files build/politeness/requests/fr.test.scores.txt"
            " --sentences build/politeness/requests/fr.test.sentences.txt --inputs target --languages fr",
            ["own-scores"],
        ),
        (
            "corpora.multiwoz21",
            "build/corpora/demo/MultiWOZ/data.json multiwoz21.jsonl",
            ["multiwoz21.jsonl"],
        ),
        (
            "corpora.iwslt2022",
            "shared.txt --submission submission.txt --source shared.en --corpus build/corpora/cocoa-mt/fr",
            ["shared.txt"],
        ),
        (
            "control.rule_labels",
            "shared.en submission.txt levels.txt --lists resources/levels/fr.tsv",
            ["levels.txt"],
        ),
        (
            "control.m_acc",
            f"m-acc.csv --hypotheses {hypotheses}.formal.txt --formal {hypotheses}.formal.annotated.txt"
            f" --informal {hypotheses}.informal.annotated.txt --mode paper --language fr --labels labels.txt",
            ["m-acc.csv", "labels.txt"],
        ),
    ]
    # Two experiments are two folders; that a folder is beside itself makes no difference.
    experiment = ("evaluation", "corpora/xformal", "transfer", "unsupervised", "formality/fr", "fluency/fr")
    jobs = [
        Job(
            "evaluation.changes",
            ("changes.csv", ".", ".", "--languages", "fr", "--resamples", "100"),
            tuple(f"build/{name}" for name in experiment),
            ("changes.csv",),
        )
    ]
    nmt = "build/translation/nmt/fr"
    lines.append(
        (
            "seq2seq.train_transformer",
            f"{nmt}/text/vocabulary.txt {nmt}/train.source.txt {nmt}/train.target.txt"
            f" ssru.safetensors ssru.tsv --dev-source={nmt}/dev.source.txt --dev-target={nmt}/dev.target.txt"
            f" --checkpoints=states --precision=float32 --device=cpu --threads=1 --seed=1"
            f" --settings={_transformer()}",
            ["ssru.safetensors", "ssru.tsv"],
        )
    )
    rated = "build/corpora/pt16/test"
    lines.append(
        (
            "politeness.sides",
            f"low.txt high.txt --sentences {rated}.sentences.txt --scores {rated}.scores.txt",
            ["low.txt", "high.txt"],
        )
    )
    lines.append(
        (
            "politeness.scores",
            "rated --corpus build/corpora/demo/TyDiP --sheets results/politeness/hi.csv --ratings"
            " build/politeness/raters/hi.csv --numbered numbered.csv",
            ["rated", "numbered.csv"],
        )
    )
    train, made = "build/corpora/multiwoz/train.jsonl", "build/users"
    lines += [
        (
            "users.drawn_words",
            f"drawn.jsonl drawn.txt --folds {train} --sizes 2 --seed 1",
            ["drawn.jsonl", "drawn.txt"],
        ),
        (
            "users.made_corpus",
            f"made.jsonl --dialogues {made}/pairs/rest.jsonl --words {made}/t5/rest.txt",
            ["made.jsonl"],
        ),
    ]
    lines.append(_prompted(folder, f"{xformal}/informal.txt"))
    lines.append(_asked(folder, "build/politeness/requests/fr.test"))
    lines.append(_answered(folder))
    cache = min(folder.glob("cache/*.sqlite")).relative_to(folder).as_posix()
    lines.append(("translation.rescue", f"{cache} rescued.sqlite", ["rescued.sqlite"]))
    lines += _planning(folder)
    for module, line, outputs in lines:
        words = tuple(line.split())
        # Settings are longer than any name may be.
        inputs = [
            word for word in words if len(word) < 200 and word not in outputs and (folder / word).exists()
        ]
        jobs.append(Job(module, words, tuple(inputs), tuple(outputs)))
    return jobs


def _transformer() -> str:
    """The settings of a Transformer that is trained for two updates."""
    sizes = {"units": 8, "heads": 2, "feed_forward": 8, "encoder_layers": 1, "decoder_layers": 1}
    schedule = {"learning_rate": 0.01, "warmup_updates": 1, "batch_size": 100, "accumulate": 1, "epochs": 0}
    ends = {"checkpoint_every": 1, "reduce_after": 1, "reduce_factor": 0.5, "stop_after": 5, "stop_gain": 0}
    rest = {"dropout": 0.1, "label_smoothing": 0.1, "average": 1, "max_updates": 2}
    return json.dumps({**sizes, **schedule, **ends, **rest}, separators=(",", ":"))


def _planning(folder: Path) -> list[tuple[str, str, list[str]]]:
    """A plan, rates and a check of a finished run in which one job took long and all others a second."""
    measured = folder / "measured"
    shutil.copytree(folder / "build/benchmarks", measured / "build/benchmarks")
    (measured / "results").mkdir()
    shutil.copy2(folder / "results/settings.json", measured / "results/settings.json")
    leaf = "results/table2.csv"
    made = sorted((measured / "build/benchmarks").rglob("*.tsv"))
    for path in made:
        names, values = (line.split("\t") for line in read_lines(path)[:2])
        values[names.index("cpu_time")] = "99.0" if path.stem.startswith("curate") else "1.0"
        write_lines(path, ["\t".join(names), "\t".join(values)])
    rates = "--rates resources/rates.csv"
    return [
        (
            "planning.plan",
            f"plan.csv --targets {leaf} {rates} --volumes resources/volumes.csv --configfile tiny.yaml",
            ["plan.csv", "plan.nodes.csv"],
        ),
        ("planning.check", f"check.csv --folder measured --targets {leaf} {rates}", ["check.csv"]),
        (
            "planning.rates_of",
            f"rates.csv --runs measured --targets {leaf} --machine this --old resources/rates.csv",
            ["rates.csv"],
        ),
    ]


def _prompted(folder: Path, source: str) -> tuple[str, str, list[str]]:
    """A job of a language model whose answers are all in its cache: what is asked anew finds no server."""
    shutil.copy2(ROOT / "resources/prompts/formal.txt", folder / "prompt.txt")
    form = read_template(folder / "prompt.txt", ("source", "language"), ("informal", "formal"))
    given: dict[str, Any] = {"kind": "endpoint", "name": "m", "address": "http://127.0.0.1:9/v1"}
    asked = {
        "max_cost": 1,
        "prices": {"m": {"input": 0, "output": 0}},
        "parallel": 2,
        "timeout": 5,
        "retries": 0,
    }
    where: dict[str, Any] = {"precision": "float32", "device": "cpu", "threads": 1}
    backend = backend_of(Model(**given), Prompting.model_validate(asked), seed=1, **where)
    prompts = [
        form.filled({"language": "French", "source": text}, []) for text in read_lines(folder / source)
    ]
    with closing(
        Cache(folder / "prompts.sqlite", backend.name, backend.model, backend.parameters.key())
    ) as cache:
        cache.keep({prompt: Answer("Une phrase.", "stop", 1, 1, None).kept() for prompt in prompts})
    words = [
        f"--{name}={value}" for name, value in {**where, "examples": 0, "seed": 1, "system": "m"}.items()
    ]
    settings = [json.dumps(value, separators=(",", ":")) for value in (given, asked)]
    line = (
        f"{source} prompted.txt prompted.csv --template prompt.txt --language French --cache prompts.sqlite"
        f" --model={settings[0]} --settings={settings[1]} {' '.join(words)}"
    )
    return "transfer.prompt", line, ["prompted.txt", "prompted.csv"]


def _asked(folder: Path, requests: str) -> tuple[str, str, list[str]]:
    """The same of a language model that is asked whether requests are polite."""
    shutil.copy2(ROOT / "resources/prompts/polite.txt", folder / "polite.txt")
    form = read_template(folder / "polite.txt", ("source",), ())
    given: dict[str, Any] = {"kind": "endpoint", "name": "m", "address": "http://127.0.0.1:9/v1"}
    asked = {"max_cost": 1, "prices": {"m": {"input": 0, "output": 0}}, "parallel": 2, "timeout": 5}
    asked["retries"] = 0
    where: dict[str, Any] = {"precision": "float32", "device": "cpu", "threads": 1}
    settings = Prompting.model_validate(asked)
    model = Model(**given)
    backend = backend_of(model, settings, seed=1, probabilities=likeliest(model), **where)
    prompts = [form.filled({"source": text}, []) for text in read_lines(folder / f"{requests}.sentences.txt")]
    with closing(
        Cache(folder / "asked.sqlite", backend.name, backend.model, backend.parameters.key())
    ) as cache:
        answer = Answer("Yes", "stop", 1, 1, {"Yes": -0.5, "No": -1.5})
        cache.keep({prompt: answer.kept() for prompt in prompts})
    words = [f"--{name}={value}" for name, value in {**where, "seed": 1}.items()]
    told, limits = (json.dumps(value, separators=(",", ":")) for value in (given, asked))
    line = (
        f"asked --sentences {requests}.sentences.txt --gold {requests}.scores.txt --inputs target"
        f" --languages fr --template polite.txt --cache asked.sqlite --model={told} --settings={limits}"
        f" {' '.join(words)}"
    )
    return "politeness.prompted", line, ["asked"]


def _answered(folder: Path) -> tuple[str, str, list[str]]:
    """The same of a language model that answers dialogues, and always says `none`."""
    names = {"belief": "state", "response": "response"}
    for name in names.values():
        shutil.copy2(ROOT / f"resources/prompts/{name}.txt", folder / f"{name}.txt")
    given: dict[str, Any] = {"kind": "endpoint", "name": "m", "address": "http://127.0.0.1:9/v1"}
    asked = {"max_cost": 1, "prices": {"m": {"input": 0, "output": 0}}, "parallel": 2, "timeout": 5}
    asked["retries"] = 0
    where: dict[str, Any] = {"precision": "float32", "device": "cpu", "threads": 1}
    settings = Prompting.model_validate(asked)
    backend = backend_of(Model(**given), settings, seed=1, **where)
    forms = (
        read_template(folder / "state.txt", BELIEF_HOLES, BELIEF_EXAMPLE),
        read_template(folder / "response.txt", RESPONSE_HOLES, RESPONSE_EXAMPLE),
    )
    files = sorted((folder / "build/corpora/demo/MultiWOZ/db").iterdir())
    train, answered = "build/corpora/multiwoz/train.jsonl", "build/dialogue/sets/polite.jsonl"
    database = load_database(*files)
    prompts = forms_of(*forms, read_dialogues(folder / train), database, 1, 1)
    system = _Silent(backend, folder / "answered.sqlite", settings, prompts)
    list(
        rollout(
            system,
            read_dialogues(folder / answered),
            database,
            history="generated",
            oracle_domain=False,
            oracle_booking=False,
        )
    )
    with closing(
        Cache(folder / "answered.sqlite", backend.name, backend.model, backend.parameters.key())
    ) as cache:
        cache.keep({prompt: Answer("none", "stop", 1, 1, None).kept() for prompt in system.prompts})
    words = [f"--{name}={value}" for name, value in {**where, "seed": 1, "examples": 1}.items()]
    told, limits = (json.dumps(value, separators=(",", ":")) for value in (given, asked))
    line = (
        f"answered.json answered.csv --system m --dialogues {answered} --train {train} --databases"
        f" {' '.join(path.relative_to(folder).as_posix() for path in files)} --belief state.txt"
        f" --response response.txt --history generated --cache answered.sqlite --model={told}"
        f" --settings={limits} {' '.join(words)}"
    )
    return "responders.prompted", line, ["answered.json", "answered.csv"]


class _Silent(Asked):
    """Says `none` to each prompt, and keeps it."""

    prompts: ClassVar[list[str]] = []

    def _lines(self, prompts: Sequence[str], label: str) -> list[str]:
        self.prompts.extend(prompts)
        return ["none"] * len(prompts)


def chosen(jobs: list[Job]) -> dict[str, Job]:
    """Of each command, a job for each set of options that it is called with; by name."""
    found: dict[tuple[str, ...], Job] = {}
    for job in jobs:
        options = sorted({word.split("=")[0] for word in job.arguments if word.startswith("--")})
        if job.module in ("transfer.decode", "seq2seq.train", "encoders.score"):
            options = []
        if job.module == "encoders.train":
            # What learns classes may be of n-grams, which is another training.
            options.append(job.arguments[job.arguments.index("--objective") + 1])
        found.setdefault((job.module, *options), job)
    names: dict[str, Job] = {}
    for (module, *_), job in found.items():
        number = sum(1 for name in names if name.split(":")[0] == module)
        names[module if not number else f"{module}:{number + 1}"] = job
    return names
