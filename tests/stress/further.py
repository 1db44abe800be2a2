"""Jobs of the commands that no rule of the tiny run calls, with a command line for each."""

import json
import shutil
from pathlib import Path

from tests.stress import asked
from tests.stress.asked import Line
from tests.stress.commands import Job
from workflow_scripts.config.pretrained import Checkpoint, FineTuning
from workflow_scripts.core.files import digest, read_lines, write_lines
from workflow_scripts.corpora.tydip_requests import crawled_file


def further_jobs(folder: Path) -> list[Job]:
    """Calls of the commands that no rule of the tiny run calls."""
    answers = "build/corpora/demo/pt16/answers"
    downloads = "build/corpora/downloads"
    cocoa = f"{downloads}/cocoa-mt"
    xformal = "build/corpora/xformal/fr"
    hypotheses = "build/corpora/cocoa-mt/fr/test.call_center"
    registry = "resources/sources.csv"
    nmt = "build/translation/nmt/fr"
    train, made = "build/corpora/multiwoz/train.jsonl", "build/users"
    cache = min(folder.glob("cache/*.sqlite")).relative_to(folder).as_posix()
    rated = "build/corpora/pt16/test"
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
    lines: list[Line] = [
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
        (
            "seq2seq.train_transformer",
            f"{nmt}/text/vocabulary.txt {nmt}/train.source.txt {nmt}/train.target.txt"
            f" ssru.safetensors ssru.tsv --dev-source={nmt}/dev.source.txt --dev-target={nmt}/dev.target.txt"
            f" --checkpoints=states --precision=float32 --device=cpu --threads=1 --seed=1"
            f" --settings={_transformer()}",
            ["ssru.safetensors", "ssru.tsv"],
        ),
        (
            "politeness.sides",
            f"low.txt high.txt --sentences {rated}.sentences.txt --scores {rated}.scores.txt",
            ["low.txt", "high.txt"],
        ),
        (
            "politeness.scores",
            "rated --corpus build/corpora/demo/TyDiP --sheets results/politeness/hi.csv --ratings"
            " build/politeness/raters/hi.csv --numbered numbered.csv",
            ["rated", "numbered.csv"],
        ),
        (
            "seq2seq.read_sockeye",
            "models/model.en-fr sockeye sockeye.safetensors --language fr",
            ["sockeye", "sockeye.safetensors"],
        ),
        (
            "corpora.sources.given",
            "given.sha256 --folder models/model.en-fr --names params.best config --record",
            ["given.sha256", "models/model.en-fr.sha256"],
        ),
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
        *_scored(f"{xformal}/informal.txt", f"{xformal}/formal.ref1.txt"),
        *_fine_tuned(f"{xformal}/informal.txt", f"{xformal}/formal.ref1.txt"),
        asked.prompted(folder, f"{xformal}/informal.txt"),
        asked.judged(folder, "build/politeness/requests/fr.test"),
        asked.rated(folder, f"{xformal}/informal.txt", f"{xformal}/formal.ref1.txt"),
        asked.answered(folder),
        ("translation.rescue", f"{cache} rescued.sqlite", ["rescued.sqlite"]),
        *_planning(folder),
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


def _scored(informal: str, formal: str) -> list[Line]:
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


def _fine_tuned(informal: str, formal: str) -> list[Line]:
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


def _planning(folder: Path) -> list[Line]:
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
