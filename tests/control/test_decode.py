"""Translations at levels: the tag of a sentence, repeated files, and killed runs."""

from typing import Any

import pytest

from tests.killing import check_keys
from tests.seq2seq.reference import random_translators
from workflow_scripts.control import decode as decode_command
from workflow_scripts.control.decode import decode
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.seq2seq import translator
from workflow_scripts.seq2seq.translator import Translator

SEARCH: dict[str, Any] = {
    **{"beam_size": 2, "length_penalty": 1.0, "batch_size": 4},
    **{"precision": "float32", "device": "cpu", "threads": 1},
}
SETTINGS = {**SEARCH, "language": "de"}
SENTENCES = [f"You {verb} {thing}." for verb in ("see", "bring", "want") for thing in ("it", "a cat", "that")]


class Noting:
    """A translator that writes the tag before a sentence, and notes what it is given."""

    given: list[tuple[list[str], str | None]]

    def __init__(self, *positional: Any, **options: Any) -> None:
        pass

    def translate(self, texts: list[str], source: str, target: str, tag: str | None) -> list[str]:
        assert (source, target) == ("en", "de")
        self.given.append((list(texts), tag))
        return [f"{tag} {text}" for text in texts]


@pytest.fixture
def given(monkeypatch):
    """What the translator is given, sentences and tag."""
    monkeypatch.setattr(Noting, "given", [], raising=False)
    monkeypatch.setattr(translator, "Translator", Noting)
    return Noting.given


@pytest.fixture
def run(tmp_path):
    """A run whose levels stand as names behind sources: it gives the lines of each target."""
    (tmp_path / "text").mkdir()
    for name in ("m", "a", "b"):
        write_lines(tmp_path / name, [f"{name}{number}" for number in (1, 2, 3)])

    def decoded(*asked: tuple[str, str], **changed: Any) -> list[list[str]]:
        targets = [tmp_path / f"{number}.txt" for number in range(len(asked))]
        options = {"models": [tmp_path / "m"], "checkpoints": tmp_path / "states", **SETTINGS, **changed}
        sources, levels = [tmp_path / source for source, _ in asked], [level for _, level in asked]
        decode(tmp_path / "text", sources=sources, targets=targets, levels=levels, **options)
        return [read_lines(target) for target in targets]

    return decoded


def test_each_file_has_the_tag_of_its_level(run, given):
    """`none` has no tag; a file with the same level as before is translated once."""
    asked = [("a", "formal"), ("a", "informal"), ("b", "none"), ("a", "formal"), ("b", "formal")]
    found = run(*asked, chunk_size=2)
    tags = {"formal": "<2formal>", "informal": "<2informal>", "none": None}
    assert found == [[f"{tags[level]} {name}{n}" for n in (1, 2, 3)] for name, level in asked]
    once = list(dict.fromkeys(asked))
    assert given == [
        (chunk, tags[level]) for name, level in once for chunk in ([f"{name}1", f"{name}2"], [f"{name}3"])
    ]


def test_a_killed_run_goes_on_behind_its_last_chunk(run, given, tmp_path, monkeypatch):
    asked = [("a", "formal"), ("a", "formal"), ("a", "informal"), ("b", "none")]
    translate = Noting.translate

    def killed(self: Noting, texts: list[str], source: str, target: str, tag: str | None) -> list[str]:
        if tag == "<2informal>" and texts == ["a2"]:
            raise KeyboardInterrupt
        return translate(self, texts, source, target, tag)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Noting, "translate", killed)
        run(*asked, chunk_size=1)
    assert [texts for texts, _ in given] == [["a1"], ["a2"], ["a3"], ["a1"]]
    # Other levels or another search are other runs.
    given.clear()
    run(*asked[:-1], ("b", "formal"), chunk_size=1)
    run(*asked, chunk_size=1, beam_size=3)
    assert len(given) == 2 * 9
    given.clear()
    found = run(*asked, chunk_size=1)
    assert [texts for texts, _ in given] == [["a2"], ["a3"], ["b1"], ["b2"], ["b3"]]
    assert found[0] == found[1] == ["<2formal> a1", "<2formal> a2", "<2formal> a3"]
    assert found[2:] == [[f"<2informal> a{n}" for n in (1, 2, 3)], [f"None b{n}" for n in (1, 2, 3)]]
    assert not any((tmp_path / "states").iterdir())


def test_one_level_and_one_target_per_source(tmp_path, run, given):
    with pytest.raises(InputError, match="0 sources, 0 targets, 0 levels"):
        run()
    sources = [tmp_path / "a", tmp_path / "b"]
    options = {**SETTINGS, "models": [tmp_path / "m"], "checkpoints": tmp_path / "states", "sources": sources}
    with pytest.raises(InputError, match="2 sources, 1 targets, 2 levels; give as many of each"):
        decode(tmp_path / "text", targets=[tmp_path / "out"], levels=["formal", "none"], **options)
    assert given == [] and not (tmp_path / "out").exists()


def test_outputs_are_the_translators_own(tmp_path, monkeypatch):
    """Of a model with random weights, in which a tag changes what comes out; the same bytes each time."""
    write_lines(tmp_path / "in.txt", SENTENCES)
    random_translators(tmp_path, tmp_path / "in.txt")
    model = tmp_path / "1.safetensors"
    targets = {level: tmp_path / f"{level}.txt" for level in ("formal", "informal", "none")}
    options = {"models": [model], "checkpoints": tmp_path / "states", **SETTINGS, "language": "en"}
    sources = [tmp_path / "in.txt"] * len(targets)

    def run(**changed: Any) -> None:
        asked = {"sources": sources, "targets": [*targets.values()], "levels": [*targets]}
        decode(tmp_path / "text", **{**options, **asked, **changed})

    run()
    found = {level: path.read_bytes() for level, path in targets.items()}
    own = Translator(tmp_path / "text", [model], **SEARCH)
    for level, tag in (("formal", "<2formal>"), ("informal", "<2informal>"), ("none", None)):
        expected = own.translate(SENTENCES, "en", "en", tag)
        assert found[level].decode().splitlines() == expected
    assert len(set(found.values())) == 3
    run()
    assert {level: path.read_bytes() for level, path in targets.items()} == found

    def one(name: str) -> None:
        run(sources=sources[:1], targets=[tmp_path / name], levels=["none"], device="auto", precision="auto")

    key = check_keys(monkeypatch, decode_command, one)
    assert key["versions"].keys() == {"torch", "numpy", "sentencepiece", "tokenizers", "sacremoses"}
