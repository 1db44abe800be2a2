"""Outputs of models, in chunks: complete, in order, and the same after a kill."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from tests.killing import check_keys, command_of, kill_once, run_to_the_end
from tests.seq2seq.reference import random_translators
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.core.job_parts import JobParts
from workflow_scripts.seq2seq import translator
from workflow_scripts.seq2seq.model import Model, Sizes
from workflow_scripts.text.grow import grow
from workflow_scripts.text.pipeline import Pipeline
from workflow_scripts.transfer import decode as decode_command
from workflow_scripts.transfer.decode import decode

SETTINGS: dict[str, Any] = {
    "language": "en",
    "tag": "<2formal>",
    "beam_size": 3,
    "length_penalty": 1.0,
    "batch_size": 4,
    "precision": "float32",
    "device": "cpu",
    "threads": 1,
}
TEXTS = [
    f"The {a} cat sees {n} dogs{b}." for a in ("old", "new", "") for n in range(9) for b in ("", ", too")
]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A folder with a text model, two random models for it, and sentences."""
    folder = tmp_path_factory.mktemp("world")
    write_lines(folder / "in.txt", [*TEXTS[:20], "", *TEXTS[20:]])
    random_translators(folder, folder / "in.txt")
    return folder


def rewrite(world: Path, target: Path, source: Path | None = None, **changed: Any) -> bytes:
    """What `decode` writes."""
    options = {"models": [world / "1.safetensors", world / "2.safetensors"], **SETTINGS, **changed}
    decode(world / "text", source or world / "in.txt", target, **options)
    return target.read_bytes()


def command(world: Path, target: Path, *further: object) -> list[str]:
    """The command line of the same."""
    models = ["--models", world / "1.safetensors", world / "2.safetensors"]
    words = [world / "text", world / "in.txt", target, *models, *further]
    return command_of("transfer.decode", *words, **SETTINGS)


class Upper:
    """A translator that writes capitals, and notes what it is given."""

    calls: list[Any]

    def __init__(self, *positional: Any, **options: Any) -> None:
        self.calls.append((positional, options))

    def translate(self, texts: list[str], source: str, target: str, tag: str) -> list[str]:
        self.calls.append((list(texts), source, target, tag))
        return [text.upper() for text in texts]


@pytest.fixture
def calls(monkeypatch):
    """What a translator that writes capitals was given."""
    monkeypatch.setattr(Upper, "calls", [], raising=False)
    monkeypatch.setattr(translator, "Translator", Upper)
    return Upper.calls


def test_decode_passes_everything_on_chunk_by_chunk(tmp_path, calls):
    write_lines(tmp_path / "in.txt.gz", ["oi", "tudo bem", "sim"])
    settings = {**SETTINGS, "models": [tmp_path / "a", tmp_path / "b"], "language": "pt"}
    decode(tmp_path / "model", tmp_path / "in.txt.gz", tmp_path / "out.txt", **settings, chunk_size=2)
    assert read_lines(tmp_path / "out.txt") == ["OI", "TUDO BEM", "SIM"]
    names = ("beam_size", "length_penalty", "batch_size", "precision", "device", "threads")
    models = (tmp_path / "model", [tmp_path / "a", tmp_path / "b"])
    assert calls == [
        (models, {name: settings[name] for name in names}),
        (["oi", "tudo bem"], "pt", "pt", "<2formal>"),
        (["sim"], "pt", "pt", "<2formal>"),
    ]


@pytest.mark.slow
def test_chunks_keep_order_and_empty_lines(world, tmp_path):
    whole = rewrite(world, tmp_path / "whole.txt")
    lines = whole.decode().splitlines()
    assert len(lines) == len(TEXTS) + 1
    assert [number for number, line in enumerate(lines) if not line] == [20]
    # Single sentences, so that no chunk decides with whom a sentence is decoded.
    one = rewrite(world, tmp_path / "a.txt", batch_size=1)
    assert rewrite(world, tmp_path / "b.txt", batch_size=1, chunk_size=7) == one
    assert rewrite(world, tmp_path / "c.txt", checkpoints=tmp_path / "states") == whole
    assert not any((tmp_path / "states").iterdir())


def test_a_grown_text_model_decodes_its_old_language_alike(world, tmp_path):
    write_lines(tmp_path / "pt.txt", ["Eu não sei o que você quer dizer.", "O gato viu o cachorro."])
    texts = [tmp_path / "pt.txt"]
    grow(world / "text", tmp_path / "text", texts=texts, languages=["pt"], vocabulary_size=300, seed=1)
    before, after = Pipeline.load(world / "text"), Pipeline.load(tmp_path / "text")
    for name in ("1", "2"):
        model, facts = Model.read(world / f"{name}.safetensors")
        wider = Model(Sizes(len(after.vocabulary), 8, 8, 8))
        wider.initialise(torch.Generator().manual_seed(9))
        with torch.no_grad():
            for key, parameter in model.named_parameters():
                wider.get_parameter(key)[: len(parameter)].copy_(parameter)
            # The further pieces can never be chosen.
            wider.output_bias[len(before.vocabulary) :] = -1e9
        wider.write(tmp_path / f"{name}.safetensors", {**facts, "vocabulary": after.digest})
    write_lines(tmp_path / "in.txt", TEXTS)
    narrow = rewrite(world, tmp_path / "narrow.txt", tmp_path / "in.txt")
    assert rewrite(tmp_path, tmp_path / "wide.txt") == narrow


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_was(world, tmp_path):
    target, states = tmp_path / "out.txt", tmp_path / "states"
    words = command(world, target, "--checkpoints", states, "--chunk-size", 1)
    kill_once(words, lambda: len(list(states.glob("*/[0-9]*.txt"))) >= 3)
    done = {path: path.stat().st_mtime_ns for path in states.glob("*/[0-9]*.txt")}
    assert 3 <= len(done) < len(TEXTS) and not target.exists()

    told = run_to_the_end(words)
    assert f"{len(done)} of 55 sentences: were decoded before" in told
    assert len(re.findall("sentences decoded, [0-9.]+ sentences/s", told)) == 55 - len(done)
    assert not any(states.iterdir())
    assert target.read_bytes() == rewrite(world, tmp_path / "whole.txt", chunk_size=1)


def test_the_key_tells_the_output_and_the_device(world, tmp_path, monkeypatch):
    options = {"device": "auto", "precision": "auto", "checkpoints": tmp_path / "states"}
    check_keys(monkeypatch, decode_command, lambda name: rewrite(world, tmp_path / name, **options))


class Broken(Exception):
    """A run ends here."""


def test_finished_chunks_are_not_decoded_again(tmp_path, calls, monkeypatch):
    (tmp_path / "text").mkdir()
    write_lines(tmp_path / "in.txt", ["a", "b", "c"])
    write_lines(tmp_path / "m", ["model"])
    settings = {**SETTINGS, "models": [tmp_path / "m"], "chunk_size": 1, "checkpoints": tmp_path / "states"}

    def run(**changed: Any) -> list[str]:
        calls.clear()
        arguments = tmp_path / "text", tmp_path / "in.txt", tmp_path / "out.txt"
        decode(*arguments, **{**settings, **changed})
        return [call[0][0] for call in calls[1:]]

    def broken(self: Upper, texts: list[str], *rest: str) -> list[str]:
        if texts == ["b"]:
            raise Broken
        return [text.upper() for text in texts]

    with monkeypatch.context() as patch:
        patch.setattr(Upper, "translate", broken)
        with pytest.raises(Broken):
            run()
    kept = {path: path.read_bytes() for path in tmp_path.glob("states/*/*")}
    assert [text.split(b"\n")[1:] for text in kept.values()] == [[b"A", b""]]
    # Another option, model or sentence is another run, which leaves this one alone.
    assert run(beam_size=4) == run(tag="<2informal>") == ["a", "b", "c"]
    write_lines(tmp_path / "m", ["other"])
    assert run() == ["a", "b", "c"]
    write_lines(tmp_path / "m", ["model"])
    write_lines(tmp_path / "text/vocabulary.txt", ["piece"])
    assert run() == ["a", "b", "c"]
    (tmp_path / "text/vocabulary.txt").unlink()
    assert {path: path.read_bytes() for path in tmp_path.glob("states/*/*")} == kept
    assert run() == ["b", "c"]
    assert read_lines(tmp_path / "out.txt") == ["A", "B", "C"]
    assert not any((tmp_path / "states").iterdir())


def test_finished_parts_leave_other_jobs_alone(tmp_path):
    one, other = JobParts(tmp_path / "states", {"seed": 1}), JobParts(tmp_path / "states", {"seed": 2})
    one.save(0, ["a", "b"])
    one.save(1, ["c"])
    other.save(0, ["x"])
    assert one.read(1, 1) == ["c"] and other.read(1, 1) is None
    assert JobParts(tmp_path / "states", {"seed": 1}).read(0, 2) == ["a", "b"]
    one.remove()
    assert one.read(0, 2) is None and other.read(0, 1) == ["x"]
    other.remove()
    assert list((tmp_path / "states").iterdir()) == []


def test_a_part_in_the_place_of_another_counts_as_none(tmp_path):
    one, other = JobParts(tmp_path / "states", {"seed": 1}), JobParts(tmp_path / "states", {"seed": 2})
    for number in range(2):
        one.save(number, [f"{number}"])
    first, second = sorted(one.folder.iterdir())
    shutil.copytree(one.folder, other.folder)
    assert [one.read(number, 1) for number in range(2)] == [["0"], ["1"]]
    assert [other.read(number, 1) for number in range(2)] == [None, None]
    first.rename(tmp_path / "first")
    second.rename(first)
    (tmp_path / "first").rename(second)
    assert [one.read(number, 1) for number in range(2)] == [None, None]


def _lines(data: bytes) -> list[bytes]:
    return [line.removesuffix(b"\r") for line in data.removesuffix(b"\n").split(b"\n")]


@pytest.mark.slow
@given(place=st.integers(0, 10**6), change=st.integers(0, 255), cut=st.booleans())
@example(place=95, change=133, cut=False)
def test_a_part_that_is_not_whole_counts_as_none(tmp_path_factory, place, change, cut):
    parts = JobParts(tmp_path_factory.mktemp("states"), {})
    text = ["Bom dia.", "", "não"]
    parts.save(0, text)
    (path,) = parts.folder.iterdir()
    data = path.read_bytes()
    place %= len(data)
    path.write_bytes(data[:place] if cut else data[:place] + bytes([change]) + data[place + 1 :])
    # Where lines end is no part of them: LF may be CR LF, or missing at the end.
    same = _lines(path.read_bytes()) == _lines(data)
    assert parts.read(0, 3) == (text if same else None)
    assert parts.read(0, 2) is None and parts.read(0, 4) is None


def test_damaged_parts_are_decoded_again(tmp_path, calls, monkeypatch, capsys):
    (tmp_path / "text").mkdir()
    write_lines(tmp_path / "in.txt", ["a", "b", "c", "d"])
    settings = {**SETTINGS, "models": [], "chunk_size": 1, "checkpoints": tmp_path / "states"}
    monkeypatch.setattr(JobParts, "remove", lambda self: None)
    decode(tmp_path / "text", tmp_path / "in.txt", tmp_path / "whole.txt", **settings)
    whole = (tmp_path / "whole.txt").read_bytes()
    (folder,) = (tmp_path / "states").iterdir()
    damages = (b"", b"1 lines", b"X\n", (folder / "000002.txt").read_bytes())
    for number, damage in enumerate(damages):
        (folder / f"{number:06d}.txt").write_bytes(damage)
    calls.clear()
    decode(tmp_path / "text", tmp_path / "in.txt", tmp_path / "whole.txt", **settings)
    assert [call[0] for call in calls[1:]] == [["a"], ["b"], ["c"], ["d"]]
    assert (tmp_path / "whole.txt").read_bytes() == whole
    assert capsys.readouterr().err.count("damaged, done again") == 4


@pytest.mark.parametrize("checkpoints", [False, True])
def test_no_sentences_give_no_outputs(world, tmp_path, checkpoints):
    write_lines(tmp_path / "in.txt", [])
    changed = {"checkpoints": tmp_path / "states"} if checkpoints else {}
    assert rewrite(world, tmp_path / "out.txt", tmp_path / "in.txt", **changed) == b""


def test_bad_input_of_decode(world, tmp_path):
    with pytest.raises(InputError, match=r"nowhere: no such file"):
        rewrite(world, tmp_path / "out.txt", tmp_path / "nowhere")
    with pytest.raises(InputError, match="no tag '<2fromal>'"):
        rewrite(world, tmp_path / "out.txt", tag="<2fromal>", checkpoints=tmp_path / "states")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_command_line_of_decode(world, tmp_path):
    run_to_the_end(command(world, tmp_path / "out.txt"))
    assert (tmp_path / "out.txt").read_bytes() == rewrite(world, tmp_path / "same.txt")


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path, calls, monkeypatch):
    import tracemalloc

    monkeypatch.setattr(Upper, "translate", lambda self, texts, *rest: [text.upper() for text in texts])
    (tmp_path / "text").mkdir()
    peaks = []
    for size in (4_000, 40_000):
        write_lines(tmp_path / "in.txt", (f"sentence {number}" for number in range(size)))
        options = {**SETTINGS, "models": [], "checkpoints": tmp_path / "states", "chunk_size": 1000}
        tracemalloc.start()
        decode(tmp_path / "text", tmp_path / "in.txt", tmp_path / "out.txt", **options)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]
