"""Any bytes into the readers of open corpora: all lines come out, or a message with file and line does."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.corpora.fuzzing import FILE, TWO, filled, folder, fuzz, names_place, parsed, put, sentences
from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.bcontrast import HELD_OUT, read_bcontrast
from workflow_scripts.corpora.cocoa_eval import read_cocoa_eval
from workflow_scripts.corpora.cocoa_pairs import DOMAINS
from workflow_scripts.corpora.cocoa_train import read_cocoa_train
from workflow_scripts.corpora.diabla import read_dialogue
from workflow_scripts.corpora.ntrex import read_ntrex
from workflow_scripts.corpora.open_bitext import read_open_bitext
from workflow_scripts.corpora.tatoeba import read_tatoeba


def cocoa_file(root: Path, split: str, language: str, domain: str, kind: str) -> Path:
    place = root / split / f"en-{language}" / f"formality-control.{split}.{domain}.en-{language}"
    return Path(f"{place}.{kind}" + ("" if kind == "en" else f".{language}"))


def check_pairs(
    read: Callable[[Path, str], list[tuple[str, str]]], files: list[str], data: list[bytes]
) -> None:
    with folder() as root:
        for name, content in zip(files, data, strict=True):
            put(root / name, content)
        expected = [sentences(content) for content in data]
        readable = all(expected) and len(expected[0] or []) == len(expected[1] or [])
        try:
            found = read(root, "fra")
        except InputError as error:
            assert names_place(error, root) and not readable
        else:
            assert readable
            assert [list(side) for side in zip(*found, strict=True)] == expected


TATOEBA = [f"data/tatoeba/v1/tatoeba.fra-eng.{code}" for code in ("eng", "fra")]
NTREX = [f"NTREX-128/newstest2019-{name}.txt" for name in ("src.eng", "ref.fra")]


@fuzz
@given(TWO)
def test_fuzz_tatoeba(data):
    check_pairs(read_tatoeba, TATOEBA, list(data))


@fuzz
@given(TWO)
def test_fuzz_ntrex(data):
    check_pairs(read_ntrex, NTREX, list(data))


@fuzz
@given(TWO)
def test_fuzz_open_bitext(data):
    with folder() as root:
        for name, content in zip([*TATOEBA, *NTREX], [*data, b"n\n", b"N\n"], strict=True):
            put(root / name, content)
        outs = root / "out" / "en.gz", root / "out" / "fr"
        try:
            read_open_bitext(*outs, language="fr", corpora=["ntrex=fra", "tatoeba=fra"], folders=[root, root])
        except InputError as error:
            assert names_place(error, root) and not (root / "out").exists()
        else:
            assert parsed(outs[1]) == ["N", *(sentences(data[1]) or [])]


@pytest.mark.slow
@fuzz
@given(st.sampled_from(DOMAINS["test"]), st.tuples(FILE, FILE) | FILE.map(lambda data: (data, data)))
def test_fuzz_cocoa_eval(domain, data):
    styles = dict(zip(("informal", "formal"), data, strict=True))
    expected = {style: filled(content) for style, content in styles.items()}
    count = len(expected["informal"] or [])
    readable = all(expected.values()) and len(expected["formal"] or []) == count
    with folder() as root:
        for other in DOMAINS["test"]:
            put(cocoa_file(root, "test", "fr", other, "en"), b"s\n" * (count if other == domain else 1))
            for style, content in styles.items():
                content = content if other == domain else b"plain\n"
                put(cocoa_file(root, "test", "fr", other, style), content)
        try:
            read_cocoa_eval(root, root / "out", language="fr")
        except InputError as error:
            assert names_place(error, root) and not readable and not (root / "out").exists()
        else:
            assert readable
            for name, style in (("informal", "informal"), ("formal.ref0", "formal")):
                whole = [
                    line
                    for other in DOMAINS["test"]
                    for line in ((expected[style] or []) if other == domain else ["plain"])
                ]
                assert parsed(root / "out" / f"{name}.txt") == whole


@fuzz
@given(st.tuples(FILE, FILE) | FILE.map(lambda data: (data, data)), st.integers(-1, 5), st.integers(0, 9))
def test_fuzz_cocoa_train(data, held_out, seed):
    expected = [filled(content) for content in data]
    count = len(expected[0] or [])
    readable = all(expected) and len(expected[1] or []) == count
    with folder() as root:
        for domain in DOMAINS["train"]:
            first = domain == DOMAINS["train"][0]
            put(cocoa_file(root, "train", "es", domain, "en"), b"s\n" * (count if first else 2))
            for style, content in zip(("informal", "formal"), data, strict=True):
                put(cocoa_file(root, "train", "es", domain, style), content if first else b"p\nq\n")
        try:
            read_cocoa_train(root, root / "out", language="es", tested=[], held_out=held_out, seed=seed)
        except InputError as error:
            assert names_place(error, root) and not (root / "out").exists()
            assert not readable or not 0 < held_out < count + 2
        else:
            assert readable
            for style, lines in zip(("informal", "formal"), expected, strict=True):
                parts = [parsed(root / "out" / f"{part}.{style}.txt") for part in ("train", "dev")]
                assert sorted(parts[0] + parts[1]) == sorted([*(lines or []), "p", "q"])
                assert len(parts[1]) == held_out


ANY_JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
WORDS = st.text(max_size=8) | st.sampled_from(["a\nb", "\u2028", "\ufeff", "\ud800", "x" * 70_000])
UTTERANCE = st.fixed_dictionaries(
    {
        "language": st.sampled_from(["english", "french"]),
        "original_text": WORDS,
        "reference_translation": WORDS,
    }
)
CHAT = st.dictionaries(
    st.integers(0, 9).map(str), UTTERANCE | UTTERANCE | UTTERANCE | ANY_JSON, max_size=4
).map(lambda utterances: {"utterances": utterances})


def is_text(text: Any) -> bool:
    """Whether something is a text that UTF-8 can hold."""
    return isinstance(text, str) and not any("\ud800" <= character <= "\udfff" for character in text)


@fuzz
@given(CHAT | CHAT | ANY_JSON, st.sampled_from([b"", b"\xef\xbb\xbf"]), st.booleans())
def test_fuzz_dialogue(chat, mark, ascii_only):
    with folder() as root:
        data = json.dumps(chat, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
        path = put(root / "chat.json", mark + data)
        try:
            found = list(read_dialogue(path))
        except InputError as error:
            assert names_place(error, path)
            utterances = chat.get("utterances") if isinstance(chat, dict) else None
            fields = ("original_text", "reference_translation")
            assert not isinstance(utterances, dict) or not all(
                isinstance(one, dict) and all(is_text(one.get(field)) for field in fields)
                for one in utterances.values()
            )
        else:
            assert len(found) == len(chat["utterances"])
            for pair, one in zip(found, chat["utterances"].values(), strict=True):
                texts = [" ".join(_parts(one[f])) for f in ("original_text", "reference_translation")]
                assert list(pair) == (texts if one["language"] == "english" else texts[::-1])


def _parts(text: str) -> list[str]:
    """A text cut at what cannot be in a line."""
    return text.replace("\r", "\n").replace("\t", "\n").split("\n")


@fuzz
@given(FILE | st.integers(1, 200_000).map(lambda depth: b"[" * depth))
def test_fuzz_dialogue_of_bytes(data):
    with folder() as root:
        path = put(root / "chat.json", data)
        try:
            assert list(read_dialogue(path)) == []
        except InputError as error:
            assert names_place(error, path)


SAID = st.fixed_dictionaries(
    {"speaker": st.sampled_from(["agent", "customer"]), "source": WORDS, "target": WORDS}
)


@fuzz
@given(st.lists(st.lists(SAID | SAID | ANY_JSON, max_size=3) | ANY_JSON, max_size=2), FILE | st.none())
def test_fuzz_bcontrast(further, raw):
    chats = {str(number): chat for number, chat in enumerate([[]] * HELD_OUT + further)}
    data = json.dumps(chats).encode("utf-8", "surrogatepass") if raw is None else raw
    with folder() as root:
        path = put(root / "train.json", data)
        try:
            found = read_bcontrast(root, "german")
        except InputError as error:
            assert names_place(error, path)
        else:
            said = [one for chat in further for one in chat]
            assert len(found) == len(said) > 0
            for pair, one in zip(found, said, strict=True):
                texts = [" ".join(_parts(one[side])) for side in ("source", "target")]
                assert list(pair) == (texts if one["speaker"] == "agent" else texts[::-1])
