import json
import re
from pathlib import Path
from typing import ClassVar, Literal

from workflow_scripts.config.settings import KINDS_OF
from workflow_scripts.config.systems import OtherInput, Trained

from .conftest import Job, Wired


def test_the_models_of_a_kind_vote_or_are_runs():
    assert {name for name, kind in KINDS_OF["systems"].items() if kind.trainer == "seq2seq"} == {
        *("translate_train_tag", "multi_task", "backtranslate"),
    }
    assert not any(kind.votes and kind.reruns for kind in KINDS_OF["systems"].values())


class Neural(Trained):
    """A kind of one's own: an ensemble that nothing here trains."""

    votes: ClassVar[bool] = True
    kind: Literal["neural"]


def test_a_neural_system_of_ones_own_is_left_to_its_own_rules():
    systems = Wired({}).systems
    named = systems.named
    named["neural"] = Neural(label="NEURAL", kind="neural", input="copy")  # type: ignore[assignment]
    named["neural-raw"] = OtherInput(label="RAW", kind="other_input", of="neural", input="copy")
    named["tag-raw"] = OtherInput(
        label="TAG, RAW", kind="other_input", of="translate-train-tag", input="copy"
    )
    trained, decoded = systems.trained_by("seq2seq"), systems.decoded_by("seq2seq")
    assert not any(re.fullmatch(trained, name) for name in ("neural", "neural-raw", "tag-raw", "unmt"))
    assert not any(re.fullmatch(decoded, name) for name in ("neural", "neural-raw", "unmt"))
    assert re.fullmatch(trained, "translate-train-tag") and re.fullmatch(decoded, "tag-raw")


def test_a_run_for_each_reference_set_and_for_each_seed_of_what_does_not_vote(wired):
    settings = wired(systems={"unmt": {"seeds": [1, 2]}})
    counts = {name: len(settings.systems.runs("fr", name)) for name in settings.systems.named}
    assert counts["unmt"] == 2
    for name, count in counts.items():
        own = settings.systems.named[name]
        expected = len(own.seeds) if own.kind == "unsupervised" else 1
        assert count == (len(settings.corpora.references) if own.kind == "gold" else expected), name


def test_the_baseline_is_scored_though_it_is_no_row(wired):
    systems = wired(rows=["copy"], evaluation={"baseline": "rule-based"}).systems
    assert systems.rows_in("fr") == ["copy"]
    assert set(systems.scored_in("fr")) == {"copy", "rule-based"}


def test_figure_4_has_each_model_of_an_ensemble_and_no_reference(demo):
    tag = next(name for name, one in demo.systems.named.items() if one.kind == "translate_train_tag")
    rows = [row[:3] for row in demo.systems.evaluated("reruns", "fr")]
    folder = f"build/transfer/fr/{tag}"
    for seed in demo.systems.named[tag].seeds:
        assert (tag, f"seed{seed}", f"{folder}/seed{seed}.txt") in rows
    assert (tag, "run0", f"{folder}/run0.txt") not in rows
    assert not any(demo.systems.named[name].kind == "gold" for name, *_ in rows)
    assert (tag, "run0", f"{folder}/run0.txt") in [row[:3] for row in demo.systems.evaluated("scores", "fr")]


def test_an_ablation_decodes_with_the_models_of_the_system_that_it_names(wired):
    more = {"label": "RAW", "kind": "other_input", "of": "translate-train-tag", "input": "copy"}
    systems = wired(systems={"raw": more}).systems
    assert systems.decoder("raw") == "translate-train-tag" == systems.decoder("translate-train-tag")
    seeds = systems.named["translate-train-tag"].seeds
    assert [run for name, run, _ in systems.seeds_in("fr") if name == "raw"] == [f"seed{s}" for s in seeds]


def test_pairs_of_ones_own_take_the_place_of_translated_gyafc(wired):
    own = {"label": "MINE", "kind": "translate_train_tag", "seeds": [1], "input": "copy"}
    systems = wired(systems={"mine": {**own, "pairs": "build/pairs/{lang}"}}).systems
    mine, tag = (Job(lang="fr", system=name) for name in ("mine", "translate-train-tag"))
    assert systems.own_pairs(mine, "dev") == [
        f"build/pairs/fr/dev.{style}.txt" for style in ("informal", "formal")
    ]
    assert systems.own_text(mine) == "build/transfer/fr/mine/text"
    assert systems.own_text(tag) == "build/transfer/fr/translate_train/text"
    assert {path.split("/")[3] for path in systems.pieces(mine)} == {"{system}"}
    assert {path.split("/")[3] for path in systems.pieces(tag)} == {"translate_train"}
    # Table 6 has no column for them.
    labels = {label for label, *_ in systems.trained_on()}
    assert "MINE" not in labels and "TRANSL. TRAIN TAG" in labels


def test_the_directions_of_backtranslate_choose_its_pairs(wired):
    name = next(name for name, one in Wired({}).systems.named.items() if one.kind == "backtranslate")
    tags = {}
    for directions in ("both", "back", "self"):
        options = wired(systems={name: {"directions": directions}}).systems.synthetic(
            Job(lang="fr", system=name)
        )
        start = options.index("--tags") + 1
        tags[directions] = options[start : options.index("--source-languages")]
    assert tags["self"][2:] == ["<2formal>"] and tags["back"][2:] == ["<2informal>"]
    assert tags["both"][2:] == ["<2formal>", "<2informal>"]


def test_only_dlsm_reads_language_models(demo):
    for name, one in demo.systems.named.items():
        if one.kind == "unsupervised":
            priors = demo.systems.priors(Job(lang="fr", system=name))
            assert len(priors) == (2 if one.lm_weight else 0), name


def test_a_fine_tuned_model_learns_both_directions_and_rewrites_formally(wired):
    model = {"kind": "hub", "checkpoint": "someone/mt5", "revision": "a1" * 20}
    tuned = {"label": "MINE", "kind": "finetuned", "input": "copy", "model": model, "seeds": [4, 5]}
    tuned["codes"] = {"fr": "fr_XX"}
    rewriters = wired(systems={"mine": tuned}).rewriters
    job = Job(system="mine", lang="fr", run="1", seed="4")
    learned = rewriters.fine_tuning(job)
    place = learned.index("--sources")
    assert [Path(path).name for path in learned[place + 1 : place + 3]] == [
        "train.informal.txt",
        "train.formal.txt",
    ]
    place = learned.index("--targets")
    assert [Path(path).name for path in learned[place + 1 : place + 3]] == [
        "train.formal.txt",
        "train.informal.txt",
    ]
    place = learned.index("--prompts")
    assert learned[place + 1 : place + 3] == ["formal: ", "informal: "]
    told = rewriters.rewriting(job)
    assert {"--prompt=formal: ", "--made=finetuned:someone/mt5@a1a1a1a1a1a1", "--beam-size=5"} <= set(told)
    assert rewriters.checkpoint(job) == ["build/transfer/pretrained/mine"]
    assert not any(word.startswith("--lora") for word in learned)
    adapted = wired(systems={"mine": {**tuned, "lora": {"rank": 8}}}).rewriters
    (given,) = set(adapted.fine_tuning(job)) - set(learned)
    name, _, value = given.partition("=")
    assert name == "--lora"
    assert json.loads(value) == {"rank": 8, "alpha": 32, "dropout": 0.05, "layers": None}
    own = wired(systems={"mine": {**tuned, "model": {"kind": "folder", "path": "build/{lang}/it"}}}).rewriters
    assert own.checkpoint(job) == ["build/transfer/pretrained/mine.fr"]
    assert "--initial=build/transfer/pretrained/mine.fr" in own.fine_tuning(job)
    # What the workflow makes is input as it is.
    assert own.given_checkpoint(Job(system="mine", ending=".fr")) == ["build/fr/it"]
    assert own.checkpoint_source(Job(system="mine", ending=".fr"))[-1] == "--path=build/fr/it"
    scratch = wired(systems={"mine": {**tuned, "model": {"kind": "scratch"}}}).rewriters
    assert scratch.checkpoint(job) == []
    assert "--made=finetuned:scratch" in scratch.rewriting(job)


def test_a_released_model_rewrites_as_it_is(wired):
    model = {"kind": "hub", "checkpoint": "someone/formal", "revision": "a1" * 20}
    row = {"label": "RELEASED", "kind": "finetuned", "model": model, "training": None}
    told = {**row, "label": "TOLD", "prompt": "to {style}: "}
    rewriters = wired(systems={"mine": row, "told": told}).rewriters
    job = Job(system="mine", lang="fr", run="0")
    assert rewriters.fine_tuned(job) == "build/transfer/pretrained/mine"
    assert {"--prompt=", "--made=pretrained:someone/formal@a1a1a1a1a1a1"} <= set(rewriters.rewriting(job))
    assert "--prompt=to formal: " in rewriters.rewriting(Job(job, system="told"))
    assert rewriters.systems.runs("fr", "mine") == ["build/transfer/fr/mine/run0.txt"]
    # Table 6 lists what systems are trained on.
    assert "RELEASED" not in {label for label, *_ in rewriters.systems.trained_on()}
    own = wired(systems={"mine": {**row, "model": {"kind": "folder", "path": "build/{lang}/it"}}}).rewriters
    assert own.fine_tuned(job) == "build/transfer/pretrained/mine.fr"
