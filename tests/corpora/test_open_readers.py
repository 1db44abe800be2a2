"""Readers of open corpora: CoCoA-MT as evaluation set and as pairs, Tatoeba and others as bitext."""

import json
from pathlib import Path
from typing import Any

import pytest

from workflow_scripts.config.languages import languages
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, write_lines
from workflow_scripts.corpora.bcontrast import HELD_OUT, read_bcontrast
from workflow_scripts.corpora.cocoa_eval import read_cocoa_eval
from workflow_scripts.corpora.cocoa_pairs import DOMAINS, read_segments
from workflow_scripts.corpora.cocoa_train import read_cocoa_train
from workflow_scripts.corpora.diabla import read_dialogue
from workflow_scripts.corpora.open_bitext import read_open_bitext
from workflow_scripts.corpora.sources.sums import read_sums

ROOT = Path(__file__).parents[2]
LAYOUT = {
    *(f"{split}.{style}" for split in ("train", "dev") for style in ("informal", "formal")),
    "dev.formal.ref0",
    "dev.informal.ref0",
}


def make_cocoa(root: Path, language: str, sources: dict[str, list[str]]) -> Path:
    """CoCoA-MT in its two ways of naming files, with the given sources in every domain of a split."""
    for split, texts in sources.items():
        long = split == "train" or language == "pt"
        for domain in DOMAINS[split]:
            pair = "en-ptpt" if language == "pt" else f"en-{language}"
            stem = root / "CoCoA-MT" / split / f"en-{language}" / f"formality-control.{split}.{domain}.{pair}"
            write_lines(Path(f"{stem}.en" if long else f"{stem}"), (f"{text} {domain}" for text in texts))
            for style in ("informal", "formal"):
                name = f"{stem}.{style}" + (f".{language}" if long else "")
                write_lines(Path(name), (f"{language} {style} {text} {domain}" for text in texts))
    return root


@pytest.mark.parametrize("language", ["fr", "pt"])
def test_cocoa_eval(tmp_path, language, capsys):
    make_cocoa(tmp_path / "c", language, {"test": ["a", "b"]})
    for folder in (tmp_path / "c", tmp_path / "c" / "CoCoA-MT"):
        read_cocoa_eval(folder, tmp_path / "out", language=language)
        assert {path.name for path in (tmp_path / "out").iterdir()} == {"informal.txt", "formal.ref0.txt"}
        for name, style in (("informal", "informal"), ("formal.ref0", "formal")):
            assert read_lines(tmp_path / "out" / f"{name}.txt") == [
                f"{language} {style} {text} {domain}"
                for domain in ("telephony", "topical_chat", "call_center")
                for text in ("a", "b")
            ]
    assert f"{language}: 6 segments, 0 alike in both" in capsys.readouterr().err


def test_cocoa_pairs_are_laid_out_like_gyafc(tmp_path):
    make_cocoa(tmp_path / "c", "es", {"train": [f"s{i}" for i in range(10)]})
    make_cocoa(tmp_path / "c", "it", {"test": ["none"]})
    found = []
    for seed in (1, 1, 2):
        out = tmp_path / str(len(found))
        read_cocoa_train(tmp_path / "c", out, language="es", tested=["it"], held_out=6, seed=seed)
        found.append({path.stem: read_lines(path) for path in out.iterdir()})
    assert found[0] == found[1] != found[2]
    texts = found[0]
    assert texts.keys() == LAYOUT
    assert (
        texts["dev.formal"] == texts["dev.formal.ref0"]
        and texts["dev.informal"] == texts["dev.informal.ref0"]
    )
    assert len(texts["train.informal"]) == 14 and len(texts["dev.informal"]) == 6
    for part in ("train", "dev"):
        pairs = zip(texts[f"{part}.informal"], texts[f"{part}.formal"], strict=True)
        assert all(informal.replace("informal", "formal") == formal for informal, formal in pairs)
    both = {*texts["train.formal"], *texts["dev.formal"]}
    assert both == {f"es formal s{i} {domain}" for i in range(10) for domain in DOMAINS["train"]}
    whole = [f"es formal s{i} {domain}" for domain in DOMAINS["train"] for i in range(10)]
    assert texts["train.formal"] == [text for text in whole if text in texts["train.formal"]]


def test_what_is_tested_is_not_learned(tmp_path, capsys):
    make_cocoa(tmp_path / "c", "es", {"train": ["One, two", "three", "four"]})
    make_cocoa(tmp_path / "c", "it", {"test": ["one two!"]})
    make_cocoa(tmp_path / "c", "pt", {"test": ["four"]})
    options: dict[str, Any] = {"language": "es", "held_out": 1, "seed": 1}
    read_cocoa_train(tmp_path / "c", tmp_path / "out", tested=["it", "pt"], **options)
    texts = [*read_lines(tmp_path / "out/train.formal.txt"), *read_lines(tmp_path / "out/dev.formal.txt")]
    assert sorted(texts) == ["es formal three telephony", "es formal three topical_chat"]
    assert "6 segments, 4 of them in the test data of it pt; train 1" in capsys.readouterr().err
    with pytest.raises(
        InputError, match="2 of 6 segments are not in the test data of it pt: cannot hold out 2"
    ):
        read_cocoa_train(tmp_path / "c", tmp_path / "no", tested=["it", "pt"], **{**options, "held_out": 2})
    with pytest.raises(InputError, match="cannot hold out 0; hold out at least one"):
        read_cocoa_train(tmp_path / "c", tmp_path / "no", tested=["it", "pt"], **{**options, "held_out": 0})
    assert not (tmp_path / "no").exists()


def test_pairs_in_a_tested_language_have_no_source_of_any_test_set(mirror, tmp_path, capsys):
    tested = ["pt", "it", "fr"]
    folder = mirror / "cocoa-mt"
    sources = {segment.source for language in tested for segment in read_segments(folder, "test", language)}
    kept = {}
    for language in tested:
        read_cocoa_train(folder, tmp_path, language=language, tested=tested, held_out=30, seed=1)
        pairs = zip(
            *(
                read_lines(tmp_path / f"train.{style}.txt") + read_lines(tmp_path / f"dev.{style}.txt")
                for style in ("informal", "formal")
            ),
            strict=True,
        )
        segments = read_segments(folder, "train", language)
        allowed = {(s.informal, s.formal) for s in segments if s.source not in sources}
        found = list(pairs)
        assert set(found) <= allowed
        kept[language] = len(found)
    # Of 400 in each: a source that is tested in another language is left out too.
    assert kept == {"pt": 162, "it": 227, "fr": 219}
    assert "400 segments, 238 of them in the test data of pt it fr" in capsys.readouterr().err


def test_cocoa_with_bad_files(tmp_path):
    make_cocoa(tmp_path / "c", "it", {"test": ["a", "b"]})
    place = tmp_path / "c" / "CoCoA-MT" / "test" / "en-it"
    formal = place / "formality-control.test.topical_chat.en-it.formal"
    with pytest.raises(InputError, match=r"no test data for language 'ti'; did you mean 'it'\?"):
        read_cocoa_eval(tmp_path / "c", tmp_path / "out", language="ti")
    write_lines(Path(f"{formal}.it"), ["a"])
    with pytest.raises(InputError, match=r"there is also a file .*en-it\.formal"):
        read_segments(tmp_path / "c", "test", "it")
    Path(f"{formal}.it").unlink()
    write_lines(formal, ["a"])
    with pytest.raises(InputError, match=r"not parallel.*en-it has 2 lines.*en-it\.formal has 1 lines"):
        read_segments(tmp_path / "c", "test", "it")
    write_lines(formal, ["a", "\u2028"])
    with pytest.raises(InputError, match=r"en-it\.formal:2: empty line"):
        read_segments(tmp_path / "c", "test", "it")
    formal.unlink()
    with pytest.raises(InputError, match=r"topical_chat\.en-it\.formal: no such file, nor one called"):
        read_segments(tmp_path / "c", "test", "it")
    assert not (tmp_path / "out").exists()


def make_bitext(root: Path) -> dict[str, Path]:
    tatoeba, ntrex = root / "t" / "data" / "tatoeba" / "v1", root / "n" / "NTREX-128"
    write_lines(tatoeba / "tatoeba.por-eng.eng", ["Hi\tyou", "t2"])
    write_lines(tatoeba / "tatoeba.por-eng.por", ["Oi\u00a0", ""])
    write_lines(ntrex / "newstest2019-src.eng.txt", ["\ufeffn1\r", "n\u20282\r"])
    write_lines(ntrex / "newstest2019-ref.por-BR.txt", ["N1\r", "N2\r"])
    return {"tatoeba": root / "t", "ntrex": root / "n"}


def make_dialogue(path: Path, *utterances: tuple[str, Any, Any]) -> Path:
    keys = ("language", "original_text", "reference_translation")
    chat = {str(i): dict(zip(keys, utterance, strict=True)) for i, utterance in enumerate(utterances)}
    write_lines(path, [json.dumps({"utterances": chat, "start_time": None})])
    return path


def test_open_bitext(tmp_path, module):
    folders = make_bitext(tmp_path)
    sides = (tmp_path / "en.txt.gz", tmp_path / "pt.txt.gz")
    codes = {"ntrex": "por-BR", "tatoeba": "por"}
    for names in (["ntrex", "tatoeba"], ["tatoeba", "ntrex"]):
        corpora = [f"{name}={codes[name]}" for name in names]
        arguments = ("--corpora", *corpora, "--folders", *(folders[name] for name in names))
        done = module("corpora.open_bitext", *sides, "--language", "pt", *arguments)
        assert done.returncode == 0, done.stderr
        texts = {"ntrex": (["n1", "n\u20282"], ["N1", "N2"]), "tatoeba": (["Hi you", "t2"], ["Oi\u00a0", ""])}
        for number, side in enumerate(sides):
            expected = [line for name in names for line in texts[name][number]]
            assert read_lines(side) == expected
    assert "ntrex: 2 pairs en-pt" in done.stderr


def test_open_bitext_with_diabla(tmp_path):
    place = tmp_path / "DiaBLa-corpus" / "dialogues"
    make_dialogue(place / "b.json", ("french", "Bonjour\u00a0!", "Hello!"))
    make_dialogue(place / "a.json", ("english", "Two\nlines", "Deux\tlignes"), ("french", "Oui.", ""))
    options: dict[str, Any] = {"corpora": ["diabla=french"], "folders": [tmp_path]}
    read_open_bitext(tmp_path / "en", tmp_path / "fr", language="fr", **options)
    assert read_lines(tmp_path / "en") == ["Two lines", "", "Hello!"]
    assert read_lines(tmp_path / "fr") == ["Deux lignes", "Oui.", "Bonjour\u00a0!"]
    options["corpora"] = ["diabla=italian"]
    with pytest.raises(InputError, match="DiaBLa has no language 'italian'; known: french"):
        read_open_bitext(tmp_path / "en2", tmp_path / "it", language="it", **options)
    with pytest.raises(InputError, match="no pair in language 'it' in no corpus"):
        read_open_bitext(tmp_path / "en2", tmp_path / "it", language="it", corpora=[], folders=[])
    assert not (tmp_path / "en2").exists()


def chats(*further: Any) -> dict[str, Any]:
    """Held-out chats in the layout of BConTrasT, each of one short answer, and further ones."""
    short = [{"utteranceID": 0, "speaker": "agent", "source": " Yes.", "target": "Ja."}]
    return {f"dlg-{number}": chat for number, chat in enumerate([short] * HELD_OUT + list(further))}


def said(speaker: str, source: Any, target: Any) -> dict[str, Any]:
    return {"utteranceID": 1, "speaker": speaker, "source": source, "target": target}


def test_bcontrast_has_english_first_and_nothing_of_held_out_chats(tmp_path):
    chat = [said("agent", "How many?", "Wie viele?"), said("customer", "Zwei\nStück.", "Two\tof them.")]
    answers = [said("customer", "Ja!", "Yes. "), said("agent", "Bye.", "")]
    write_lines(tmp_path / "train.json", [json.dumps(chats(chat, answers))])
    given: dict[str, Any] = {"corpora": ["bcontrast=german"], "folders": [tmp_path]}
    read_open_bitext(tmp_path / "en", tmp_path / "de", language="de", **given)
    assert read_lines(tmp_path / "en") == ["How many?", "Two of them.", "Bye."]
    assert read_lines(tmp_path / "de") == ["Wie viele?", "Zwei Stück.", ""]
    with pytest.raises(InputError, match="BConTrasT has no language 'french'; known: german"):
        read_bcontrast(tmp_path, "french")


def test_chats_that_are_no_json_are_told(tmp_path):
    (tmp_path / "train.json").write_text("{")
    with pytest.raises(InputError, match=r"train\.json:1: not JSON .*; get the corpus again"):
        read_bcontrast(tmp_path, "german")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "not an object of chats"),
        (chats(), f"no sentence after the first {HELD_OUT} chats"),
        (chats([said("customer", "Ja.", "Yes.")]), "no sentence after"),
        (chats({}), f"chat 'dlg-{HELD_OUT}': no list of utterances"),
        (chats(["hello"]), "utterance 0: speaker is not agent or customer"),
        (chats([said("agent", "a", "b"), said("robot", "a", "b")]), "utterance 1: speaker is not"),
        (chats([said("agent", "a", None)]), "no text 'source' or 'target'"),
    ],
)
def test_wrong_chats_of_bcontrast_are_told(tmp_path, content, message):
    write_lines(tmp_path / "train.json", [json.dumps(content)])
    with pytest.raises(InputError, match=message) as error:
        read_bcontrast(tmp_path, "german")
    assert error.value.path == tmp_path / "train.json"


def test_bcontrast_as_it_is_released(mirror):
    """550 chats of 13,845 utterances, of which 35 chats of 816 are held out; none is tested by CoCoA-MT."""
    chats_of = json.loads((mirror / "bcontrast/train.json").read_text(encoding="utf-8"))
    counts = [len(chat) for chat in chats_of.values()]
    assert (len(counts), sum(counts), sum(counts[:HELD_OUT])) == (550, 13_845, 816)
    found = read_bcontrast(mirror / "bcontrast", "german")
    assert len(found) == 13_845 - 816 - 1_912 and all(map(all, found))
    place = mirror / "cocoa-mt/CoCoA-MT/test/en-de"
    tested = {
        line.strip() for path in place.iterdir() if "formal." not in path.name for line in read_lines(path)
    }
    assert len(tested) > 500 and not tested & {english.strip() for english, _ in found}


@pytest.mark.parametrize(
    ("corpora", "message"),
    [
        (["tatoba"], r"unknown corpus 'tatoba'; did you mean 'tatoeba'\?"),
        (["ntrex=a", "ntrex=b"], "'ntrex' is given twice"),
        (["ntrex"], "'ntrex' without the language; give ntrex=CODE"),
        (["ntrex=a", "tatoeba=b", "diabla=c"], "3 corpora but 2 folders"),
    ],
)
def test_open_bitext_with_bad_options(tmp_path, corpora, message):
    folders = [tmp_path] * min(2, len(corpora))
    with pytest.raises(InputError, match=message):
        read_open_bitext(tmp_path / "a", tmp_path / "b", language="fr", corpora=corpora, folders=folders)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"c\.json:1: not JSON"),
        (b'{\n"utterances":\n{]', r"c\.json:3: not JSON"),
        (b"{}\n\xff", r"c\.json:2: not UTF-8"),
        (b"[" * 100_000, "not usable JSON .*recursion"),
        (b'{"utterances": ' + b"1" * 5000 + b"}", "not usable JSON"),
        (b'{"utterances": []}', "no object 'utterances'"),
        (b'{"utterances": {"0": 1, "1": 2, "0": 3}}', "'0' stands twice"),
        (b'{"utterances": {"7": []}}', "utterance '7': language is not english or french"),
        (b'{"utterances": {"7": {"language": ["english"]}}}', "utterance '7': language is not"),
        (b'{"utterances": {"7": {"language": "french"}}}', "utterance '7': no text 'original_text'"),
        (
            b'{"utterances": {"7": {"language": "french", "original_text": "", "reference_translation": 1}}}',
            "utterance '7': no text 'reference_translation'",
        ),
        (b'{"utterances": {"7": {"language": "french", "original_text": "\\ud800"}}}', "half a character"),
    ],
)
def test_dialogues_that_are_none(tmp_path, content, message):
    (tmp_path / "c.json").write_bytes(content)
    with pytest.raises(InputError, match=message) as error:
        list(read_dialogue(tmp_path / "c.json"))
    assert error.value.path == tmp_path / "c.json"
    assert error.value.fix == ("" if "language is not" in message else "get the corpus again")


def test_a_folder_without_dialogues(tmp_path):
    with pytest.raises(InputError, match=r"DiaBLa-corpus/dialogues: no \*\.json in it"):
        read_open_bitext(
            tmp_path / "a", tmp_path / "b", language="fr", corpora=["diabla=french"], folders=[tmp_path]
        )


@pytest.mark.parametrize(
    ("source", "count"), [("tatoeba", 24), ("ntrex", 13), ("diabla", 144), ("bcontrast", 1)]
)
def test_sums_of_open_corpora(mirror, source, count):
    sums = read_sums(ROOT / "resources" / "sources" / f"{source}.sha256")
    assert len(sums) == count
    assert all(digest(mirror / source / path) == sha256 for path, sha256 in sums.items())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "size", "bitext"), [("fr", 600, 8745), ("it", 600, 2997), ("pt", 599, 2997)]
)
def test_open_corpora_real(mirror, tmp_path, language, size, bitext):
    read_cocoa_eval(mirror / "cocoa-mt", tmp_path, language=language)
    informal, formal = (read_lines(tmp_path / f"{n}.txt", filled=True) for n in ("informal", "formal.ref0"))
    assert len(informal) == len(formal) == size
    assert sum(one == two for one, two in zip(informal, formal, strict=True)) == (language == "it")
    row = languages()[language]
    names = [name for name in ("tatoeba", "ntrex", "diabla") if row[name]]
    read_open_bitext(
        tmp_path / "en.txt.gz",
        tmp_path / "l.txt.gz",
        language=language,
        corpora=[f"{name}={row[name]}" for name in names],
        folders=[mirror / name for name in names],
    )
    sides = [read_lines(tmp_path / f"{side}.txt.gz", filled=True) for side in ("en", "l")]
    assert len(sides[0]) == len(sides[1]) == bitext
    assert not any(mark in line for side in sides for line in side for mark in "\r\t\ufeff")


def test_cocoa_train_real(mirror, tmp_path):
    tested = ["pt", "it", "fr"]
    options: dict[str, Any] = {"language": "es", "held_out": 40, "seed": 1}
    read_cocoa_train(mirror / "cocoa-mt", tmp_path, tested=tested, **options)
    assert [len(read_lines(tmp_path / f"{part}.formal.txt")) for part in ("train", "dev")] == [156, 40]
    unseen = {s.source for language in tested for s in read_segments(mirror / "cocoa-mt", "test", language)}
    seen = {s.informal for s in read_segments(mirror / "cocoa-mt", "train", "es") if s.source in unseen}
    assert len(seen) == 203
    assert not seen & {
        *read_lines(tmp_path / "train.informal.txt"),
        *read_lines(tmp_path / "dev.informal.txt"),
    }
