"""Users' words made impolite: training, perplexity, and dialogues with them."""

import json
from math import exp, log
from pathlib import Path

import pytest

from tests.responders.test_language_models import CPU, START, course
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.corpora.impolite import COLUMNS as REWRITES
from workflow_scripts.language_models.model import load
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.seq2seq.device import prepare
from workflow_scripts.users.fine_tune import fine_tune
from workflow_scripts.users.overlay_users import overlay_users
from workflow_scripts.users.pairs import pairs
from workflow_scripts.users.perplexity import COLUMNS, JOINT, apart, joined, perplexity, windows
from workflow_scripts.users.rewrite_users import rewrite_users

TURN = {"user": "u", "system": "s", "state": {}, "booked": [], "acts": [], "spans": []}
POLITE = [
    *("Could I have a train to Ely, please?", "I need a hotel, please.", "Thank you, goodbye."),
    *("A table for two, please.", "May I have the phone number?", "Is it cheap?"),
    *("Please book it for Monday.", "That is all, thanks."),
]
RUDE = [
    *("Train to Ely. Now.", "Hotel. Hurry up.", "Finally. Bye."),
    *("A table for two, and fast.", "The phone number, idiot.", "I hope it is cheap."),
    *("Monday. Do your job.", "That is all."),
]


def put_dialogues(path: Path, *names: str) -> Path:
    empty = {"services": [], "goal": {}}
    lines = [
        json.dumps({"id": name, **empty, "turns": [{**TURN, "user": f"{name} {at}"} for at in range(2)]})
        for name in names
    ]
    write_lines(path, lines)
    return path


def test_the_transfer_learns_from_dialogues_that_are_not_tested(tmp_path):
    train, test = put_dialogues(tmp_path / "a", "a", "b", "c"), put_dialogues(tmp_path / "t", "t")
    rows = [[n, at, 1, f"{n} {at}", f"{n} {at}!", "", "", ""] for n, at in (("a", 0), ("a", 1), ("t", 1))]
    write_csv(tmp_path / "r.csv", REWRITES, rows)
    out = tmp_path / "out"
    pairs(out, rewrites=tmp_path / "r.csv", train=train, folds=[test])
    assert read_lines(out / "learnt.polite.txt") == ["a 0", "a 1"]
    assert read_lines(out / "learnt.impolite.txt") == ["a 0!", "a 1!"]
    assert read_lines(out / "learnt.words.txt") == ["a 0", "a 1", "a 0!", "a 1!"]
    assert read_lines(out / "learnt.labels.txt") == ["-1", "-1", "1", "1"]
    assert read_lines(out / "tested.polite.txt") == ["t 1"]
    assert read_lines(out / "tested.impolite.txt") == ["t 1!"]
    assert [one.id for one in read_dialogues(out / "rest.jsonl")] == ["b", "c"]
    assert read_lines(out / "rest.polite.txt") == ["b 0", "b 1", "c 0", "c 1"]
    with pytest.raises(InputError, match="no rewritten dialogue to be learnt"):
        pairs(out, rewrites=tmp_path / "r.csv", train=train, folds=[train])
    with pytest.raises(InputError, match="none is left to rewrite"):
        pairs(out, rewrites=tmp_path / "r.csv", train=put_dialogues(tmp_path / "b", "a"), folds=[test])


def test_dialogues_with_other_words(tmp_path):
    dialogues = put_dialogues(tmp_path / "d", "b", "c")
    write_lines(tmp_path / "w", ["One", "two", "three", "four"])
    overlay_users(tmp_path / "out", dialogues=dialogues, words=tmp_path / "w")
    dialogues.write_bytes(b"\xef\xbb\xbf" + dialogues.read_bytes())
    overlay_users(tmp_path / "marked", dialogues=dialogues, words=tmp_path / "w")
    assert (tmp_path / "marked").read_bytes() == (tmp_path / "out").read_bytes()
    said = [[turn.user for turn in one.turns] for one in read_dialogues(tmp_path / "out")]
    assert said == [["One", "two"], ["three", "four"]]
    write_lines(tmp_path / "w", ["One"])
    with pytest.raises(InputError, match="1 utterances for 4 turns"):
        overlay_users(tmp_path / "out", dialogues=dialogues, words=tmp_path / "w")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["t5", "bart"])
def test_eight_pairs_are_learnt_by_heart(tmp_path, kind):
    for name, lines in (("polite", POLITE), ("rude", RUDE)):
        write_lines(tmp_path / name, lines)
    given = {"sources": [tmp_path / "polite"], "targets": [tmp_path / "rude"], "prompt": "impolite: "}
    start = START.model_copy(update={"dropout": 0.0})
    fine_tune(
        tmp_path / "model",
        kind=kind,
        **given,
        start=start,
        course=course(epochs=150, batch_size=8),
        seed=1,
        checkpoints=tmp_path / "states",
        **CPU,
    )
    rewrite_users(
        model=tmp_path / "model",
        sources=[tmp_path / "polite"],
        targets=[tmp_path / "out"],
        prompt="impolite: ",
        max_length=60,
        batch_size=3,
        **CPU,
    )
    assert read_lines(tmp_path / "out") == RUDE


def test_windows_score_every_token_but_the_first_once():
    found = list(windows(11, 4, 2))
    assert found == [(0, 4, 3), (2, 6, 2), (4, 8, 2), (6, 10, 2), (8, 11, 1)]
    assert list(windows(3, 4, 2)) == [(0, 3, 2)]


@pytest.mark.slow
def test_perplexity_is_the_plain_formula(tmp_path):
    """Token by token, without windows in batches."""
    import torch

    write_lines(tmp_path / "text", RUDE)
    start = START.model_copy(update={"hidden": 8})
    options = {"targets": [tmp_path / "text"], "start": start, "course": course(epochs=1), "seed": 1}
    fine_tune(tmp_path / "model", kind="causal", **options, checkpoints=tmp_path / "states", **CPU)
    model = load(tmp_path / "model", "causal", prepare("cpu", "float32", 1))
    lm = model.parts["response"].eval()

    def nats(context: list[int], token: int) -> float:
        with torch.no_grad():
            return -float(lm(input_ids=torch.tensor([context])).logits[0, -1].log_softmax(-1)[token])

    (ids,) = model.ids([JOINT.join(RUDE)])
    size, stride = 12, 5
    expected = 0.0
    for place in range(1, len(ids)):
        # The first window that has the token.
        number = max(0, -(-(place + 1 - size) // stride))
        expected += nats(ids[number * stride : place], ids[place])
    found, tokens = joined(model, RUDE, size, stride, 4)
    assert tokens == len(ids) - 1
    assert found == pytest.approx(expected, rel=1e-5)
    end = model.tokenizer.eos_token_id
    alone = sum(nats([end, *row][: at + 1], row[at]) for row in model.ids(RUDE) for at in range(len(row)))
    found, tokens = apart(model, RUDE, 100, 3)
    assert tokens == sum(map(len, model.ids(RUDE)))
    assert found == pytest.approx(alone, rel=1e-5)
    assert found / tokens < 2 * log(400)
    # The command, of two files; a stride is below the window, which ends where the model's places do.
    write_lines(tmp_path / "other", POLITE)
    files = {"texts": [tmp_path / "text", tmp_path / "other"], "names": ["rude", "polite"], "batch_size": 3}
    for asked, used in (((size, stride), (size, stride)), ((5000, 5000), (1024, 1023)), ((2, 2), (2, 1))):
        options = {"window": asked[0], "stride": asked[1], **files}
        perplexity(tmp_path / "t.csv", model=tmp_path / "model", **options, **CPU)
        rows = [row for _, row in read_rows(tmp_path / "t.csv", COLUMNS)]
        sizes = f"sentences:8|window:{used[0]}|stride:{used[1]}"
        known = [
            (name, way, facts, sums)
            for name, said in (("rude", RUDE), ("polite", POLITE))
            for way, facts, sums in (
                ("joined", sizes, joined(model, said, *used, 3)),
                ("apart", "sentences:8", apart(model, said, used[0], 3)),
            )
        ]
        for row, (name, way, facts, (found, tokens)) in zip(rows, known, strict=True):
            assert (row["file"], row["way"], row["signature"]) == (name, way, facts)
            assert (row["tokens"], row["perplexity"].rpartition(".")[2].isdecimal()) == (str(tokens), True)
            assert float(row["perplexity"]) == pytest.approx(exp(found / tokens), rel=1e-5)
    # Without a token for padding, as in GPT-2's tokenizer, nothing changes; one that ends texts is needed.
    config = tmp_path / "model/tokenizer_config.json"
    given, before = json.loads(config.read_text(encoding="utf-8")), read_lines(tmp_path / "t.csv")
    config.write_text(json.dumps({**given, "pad_token": None}), encoding="utf-8")
    perplexity(tmp_path / "t.csv", model=tmp_path / "model", **options, **CPU)
    assert read_lines(tmp_path / "t.csv") == before
    config.write_text(json.dumps({**given, "eos_token": None}), encoding="utf-8")
    with pytest.raises(InputError, match=r"model: the tokenizer has no eos_token"):
        perplexity(tmp_path / "t.csv", model=tmp_path / "model", **options, **CPU)
    config.write_text(json.dumps(given), encoding="utf-8")
    write_lines(tmp_path / "other", [])
    with pytest.raises(InputError, match="other: no sentence"):
        perplexity(tmp_path / "t.csv", model=tmp_path / "model", window=9, stride=9, **files, **CPU)
    with pytest.raises(InputError, match="2 texts but 1 names"):
        files["names"] = ["rude"]
        perplexity(tmp_path / "t.csv", model=tmp_path / "model", window=9, stride=9, **files, **CPU)
