"""The commands of the package, and jobs that run them: of the tiny run and of the leaves of released data.

The command lines are the rules' own, asked of Snakemake; only commands that no rule of these runs calls have
a command line here.
"""

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT
from tests.stress import asked
from workflow_scripts.config.pretrained import Checkpoint, FineTuning
from workflow_scripts.core.files import digest, read_lines, write_lines
from workflow_scripts.corpora.tydip_requests import crawled_file
from workflow_scripts.leaves.registry import load, load_papers

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
    "report.gallery": "for developers: copies a finished run into a document",
    "report.beside": "for developers: draws a finished table for a document",
}


@dataclass(frozen=True)
class Job:
    """One call of a command: its module below the package, its arguments, what it reads and writes."""

    module: str
    arguments: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


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
    sources = [
        line
        for domain in domains
        for line in read_lines(folder / f"build/corpora/cocoa-mt/fr/test.{domain}.en.txt")
    ]
    write_lines(folder / "shared.en", sources)
    write_lines(folder / "submission.txt", [f"Phrase {number}." for number in range(len(sources))])
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
            "corpora.shared_task_train",
            f"segments --folder {downloads}/iwslt2023/IWSLT2023/data/train --language ko",
            ["segments"],
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
    lines.append(
        (
            "seq2seq.read_sockeye",
            "models/model.en-fr sockeye sockeye.safetensors --language fr",
            ["sockeye", "sockeye.safetensors"],
        )
    )
    lines.append(
        (
            "corpora.sources.given",
            "given.sha256 --folder models/model.en-fr --names params.best config --record",
            ["given.sha256", "models/model.en-fr.sha256"],
        )
    )
    lines += _scored(f"{xformal}/informal.txt", f"{xformal}/formal.ref1.txt")
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
    lines += _fine_tuned(f"{xformal}/informal.txt", f"{xformal}/formal.ref1.txt")
    lines.append(asked.prompted(folder, f"{xformal}/informal.txt"))
    lines.append(asked.judged(folder, "build/politeness/requests/fr.test"))
    lines.append(asked.rated(folder, f"{xformal}/informal.txt", f"{xformal}/formal.ref1.txt"))
    lines.append(asked.answered(folder))
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


def _scored(informal: str, formal: str) -> list[tuple[str, str, list[str]]]:
    """Outputs that further models score, and ratings beside metrics of others."""
    where = "--batch-size=8 --max-length=16 --device=cpu --precision=float32 --threads=1"
    return [
        (
            "evaluation.released_agreement",
            "released.csv meta/fr.csv --language fr --resamples 20 --confidence 0.9 --seed 1",
            ["released.csv"],
        ),
        (
            "encoders.pseudo_perplexity",
            f"models/masked --sources {formal} --targets nats.txt {where}",
            ["nats.txt"],
        ),
        (
            "encoders.similarity",
            f"build/formality/encoder --informal {informal} --sources {formal} --targets cosines.txt {where}",
            ["cosines.txt"],
        ),
    ]


def _fine_tuned(informal: str, formal: str) -> list[tuple[str, str, list[str]]]:
    """A model from scratch that is fine-tuned for two updates, and another that rewrites."""
    sizes = {"vocabulary_size": 300, "layers": 1, "hidden": 8, "heads": 2}
    start = Checkpoint(kind="scratch", **sizes).model_dump_json()
    course = FineTuning(max_updates=2).model_dump_json()
    where = "--device=cpu --precision=float32 --threads=1"
    return [
        (
            "transfer.fine_tune",
            f"tuned --sources {informal} --targets {formal} --prompts formal: --family=t5"
            f" --start={start} --course={course} --seed=1 --checkpoints=states {where}",
            ["tuned"],
        ),
        (
            "transfer.rewrite",
            f"{informal} rewritten.csv --targets rewritten.txt --system=mine --made=finetuned:scratch"
            f" --prompt=formal: --model build/users/t5/model --max-length=5 --beam-size=2 --batch-size=8"
            f" {where}",
            ["rewritten.txt", "rewritten.csv"],
        ),
    ]


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
