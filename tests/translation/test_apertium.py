"""Apertium: the real one if it is installed, and a stand-in for failures."""

import os
import random
import shutil
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.translation import apertium
from workflow_scripts.translation.apertium import Apertium, decode, encode, parse_chains
from workflow_scripts.translation.translate import translate

CHAINS = [
    *("es-fr=es-fr", "en-es=eng-spa", "en-fr=eng-spa,es-fr", "fr-en=fr-es,spa-eng"),
    *("es-pt=es-pt", "pt-en=pt-es,spa-eng", "es-it=spa-ita", "it-en=ita-spa,spa-eng"),
]


def installed(direction: tuple[str, str]) -> Apertium:
    """A real backend, or no test."""
    try:
        return Apertium(direction, chains=CHAINS, threads=2)
    except InputError as error:
        pytest.skip(str(error))


def test_chains():
    assert parse_chains(["en-es=eng-spa", "en-pt=eng-spa,es-pt_BR"]) == {
        "en-es": ["eng-spa"],
        "en-pt": ["eng-spa", "es-pt_BR"],
    }
    for chain in ("en-fr", "en-fr=", "en-fr=a,,b", "=a", "en-fr=a b"):
        with pytest.raises(InputError, match="is not of the form en-fr=eng-spa,es-fr"):
            parse_chains([chain])
    with pytest.raises(InputError, match="two chains for en-fr"):
        parse_chains(["en-fr=a", "en-fr=b"])
    with pytest.raises(InputError, match=r"no chain of Apertium for fr-en; did you mean 'fr-es'\?"):
        Apertium(("fr", "en"), chains=["fr-es=fr-es", "en-it=eng-spa,spa-ita"], threads=1)


@hypothesis_settings(max_examples=300)
@given(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("[]{}^$/\\@<>~.\n"), max_size=20))
def test_what_is_encoded_can_be_decoded(text):
    stream = encode(text)
    assert b"\0" not in stream and b"\n" not in stream
    assert decode(stream) == " ".join(text.replace("\0", " ").split())


# --- the real one ---


@pytest.mark.slow
def test_real_sentences():
    texts = ["Where is your house?", "The xyzzy is on the table.", "Good morning"]
    spanish, french = (installed(("en", target)).translate(texts) for target in ("es", "fr"))
    assert spanish[0] == "Dónde es vuestra casa?" and "xyzzy" in spanish[1] and "*" not in spanish[1]
    assert french == installed(("es", "fr")).translate(spanish), "a chain is its links"
    back = installed(("fr", "en")).translate(french)
    assert "house" in back[0] and "xyzzy" in back[1]


HARD = [
    *("[", "]", "x [y", "^a/b$", "@", "*star", "#", "~", "a~b", "\\", "\\[", "{{x}}", "<b>", ".[]", "a.[]b"),
    *(
        "...",
        "¿",
        "a\0b",
        "\0",
        "  two  spaces ",
        "no\u00a0break",
        "\u2028",
        "😀",
        "\ufeff",
        "\x01",
        "$5 @ 3/4",
    ),
    *("[<STREAMCMD:SETVAR:x>]", "[[t:i:123456]]", "a" * 3000, "la casa " * 400, "^x<n>$"),
]


@pytest.mark.slow
def test_real_hard_text():
    backend = installed(("es", "fr"))
    texts = [f"{text} gato" for text in HARD] + HARD + ["la casa [roja"]
    found = backend.translate(texts)
    assert len(found) == len(texts)
    assert found[-1].lower() == "la maison [rouge"
    for text, translated in zip(HARD, found, strict=False):
        assert translated.split()[-1].lower() == "chat"
        # What is no word stays.
        signs = [c for c in text if c in "[]{}^$/\\@<>*#~+"]
        assert [c for c in translated if c in "[]{}^$/\\@<>*#~+"] == signs
    for text, translated in zip(HARD, found[len(HARD) :], strict=False):
        assert translated.strip() or not text.strip()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("direction", "path"),
    [
        (("es", "fr"), "cocoa-mt/CoCoA-MT/train/en-es/formality-control.train.telephony.en-es.informal.es"),
        (("es", "it"), "cocoa-mt/CoCoA-MT/train/en-es/formality-control.train.telephony.en-es.formal.es"),
        (("en", "es"), "tatoeba/data/tatoeba/v1/tatoeba.fra-eng.eng"),
        (("pt", "en"), "cocoa-mt/CoCoA-MT/test/en-pt/formality-control.test.telephony.en-ptpt.informal.pt"),
        (("it", "en"), "cocoa-mt/CoCoA-MT/test/en-it/formality-control.test.telephony.en-it.informal"),
    ],
)
def test_real_sentences_do_not_depend_on_their_neighbours(mirror, direction, path):
    backend = installed(direction)
    texts = read_lines(mirror / path)[:40]
    found = dict(zip(texts, backend.translate(texts), strict=True))
    random.Random(1).shuffle(texts)
    assert dict(zip(texts, backend.translate(texts), strict=True)) == found
    for text in texts[:3]:
        alone = text
        for mode in backend.modes:
            done = subprocess.run(
                ["apertium", "-u", mode], input=alone.encode(), capture_output=True, check=True
            )
            alone = done.stdout.decode()
        assert found[text].split() == alone.split()


def test_real_identity():
    one, other, chain = (installed(pair) for pair in (("en", "es"), ("es", "fr"), ("en", "fr")))
    assert len({one.model, other.model, chain.model}) == 3
    assert Apertium(("en", "es"), chains=["en-es=eng-spa"], threads=7).model == one.model


@pytest.mark.slow
def test_real_files(tmp_path, module):
    installed(("en", "fr"))
    write_lines(tmp_path / "in", ["The house", "", "a [dog", "The house"])
    done = module(
        "translation.translate",
        *("--backend", "apertium", "--source-language", "en", "--target-language", "fr"),
        *("--sources", tmp_path / "in", "--targets", tmp_path / "out", "--cache", tmp_path / "cache"),
        *("--batch-size", 100, "--threads", 1, "--chains", *CHAINS),
    )
    assert done.returncode == 0, done.stderr
    found = read_lines(tmp_path / "out")
    assert found[0] == found[3] == "La maison" and found[1] == "" and "[" in found[2]
    assert "2 sentences to translate" in done.stderr


# --- a stand-in ---

PROGRAM = (
    f"#!{sys.executable}\n"
    + """
import os, signal, sys, time
name = os.path.basename(sys.argv[0])
with open(sys.argv[0] + ".calls", "a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
parts = sys.stdin.buffer.read().split(b"\\0")[:-1]
what = sys.argv[-1]
if what == "fail":
    sys.exit("cannot\\nread it")
if what == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
if what == "hang":
    time.sleep(60)
if what == "lose":
    parts = parts[1:]
if what == "merge":
    parts = [b" ".join(parts)]
if what == "more":
    parts.append(b"text")
if what == "nothing":
    parts = [b".[]" for _ in parts]
sys.stdout.buffer.write(b"".join(part.upper() + b"\\0" for part in parts) + b"\\0\\0")
"""
)


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """An Apertium that makes capitals, and where each mode does what its name says."""
    for name in ("apertium", "lt-proc", "apertium-tagger"):
        path = tmp_path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(PROGRAM)
        path.chmod(0o755)
    modes = tmp_path / "share" / "apertium" / "modes"
    for mode in ("good", "fail", "crash", "hang", "lose", "merge", "more", "nothing"):
        write_lines(
            modes / f"{mode}.mode",
            [f"lt-proc '{modes / 'd.bin'}' | apertium-tagger -g $2 'x y' | lt-proc $1 {mode}"],
        )
    write_lines(modes / "missing.mode", ["lt-proc x | cg-proc -w y"])
    write_lines(modes / "d.bin", ["data"])
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("APERTIUM_DATADIR", raising=False)
    return tmp_path


def one(mode: str, **options: Any) -> Apertium:
    return Apertium(("en", "fr"), chains=[f"en-fr={mode}"], **{"threads": 1, **options})


def test_how_programs_are_called(fake):
    texts = ["a [b", "c", "d~"]
    assert one("good", threads=2).translate(texts) == ["A [B", "C", "D~"]
    data = fake / "share" / "apertium" / "modes" / "d.bin"
    calls = read_lines(fake / "bin" / "lt-proc.calls")
    assert calls == [f"-z {data}", "-z -n good"], "one call for all, without marks"
    assert read_lines(fake / "bin" / "apertium-tagger.calls") == ["-z -g x y"] * 3, "no memory"
    assert one("good,good").translate(["x"]) == ["X"]


def test_nothing_is_left_of_a_text(fake):
    assert one("nothing").translate(["¿", "b"]) == ["¿", "b"]


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("fail", r"Apertium's lt-proc fail failed \(exit code 1\): cannot read it"),
        ("crash", r"failed \(exit code -11\): it said nothing"),
        ("hang", "has not finished after 0.5 seconds"),
        ("lose", "lt-proc lose mixed sentences up: 2 in, 1 out"),
        ("merge", "lt-proc merge mixed sentences up: 2 in, 1 out"),
        ("more", "lt-proc more mixed sentences up: 2 in, 3 out"),
    ],
)
def test_programs_that_fail(fake, monkeypatch, mode, message):
    if mode == "hang":
        monkeypatch.setattr(apertium, "PATIENCE", 0.5)
    with pytest.raises(InputError, match=message):
        one(mode).translate(["a", "b"])


def test_the_identity_is_what_is_installed(fake):
    first = one("good").model
    assert one("good", threads=3).model == first and one("more").model != first
    shutil.move(fake / "share", fake / "elsewhere")
    os.environ["APERTIUM_DATADIR"] = str(fake / "elsewhere" / "apertium")
    modes = fake / "elsewhere" / "apertium" / "modes"
    mode = (modes / "good.mode").read_text()
    (modes / "good.mode").write_text(mode.replace(str(fake / "share"), str(fake / "elsewhere")))
    assert one("good").model == first, "wherever it is"
    write_lines(modes / "d.bin", ["other data"])
    changed = one("good").model
    (fake / "bin" / "lt-proc").write_text(PROGRAM + "\n")
    assert len({first, changed, one("good").model}) == 3


def test_what_is_missing(fake, monkeypatch):
    install = "sudo apt-get install apertium apertium-lex-tools cg3"
    with pytest.raises(
        InputError, match=f"no mode 'es-fr' of Apertium; modes: crash, .*; .*{install} apertium-fr-es"
    ):
        assert one("good,es-fr")
    with pytest.raises(InputError, match=f"'cg-proc', which mode missing needs, is missing; .*{install}"):
        assert one("missing")
    monkeypatch.setenv("PATH", str(fake / "empty"))
    with pytest.raises(
        InputError, match=f"Apertium is not installed; .*{install} apertium-eng-spa apertium-fr-es$"
    ):
        translate(
            backend="apertium",
            source_language="en",
            target_language="fr",
            sources=[fake / "in"],
            targets=[fake / "out"],
            cache=fake / "cache",
            batch_size=10,
            threads=1,
            chains=CHAINS,
        )
    assert not (fake / "cache").exists()
