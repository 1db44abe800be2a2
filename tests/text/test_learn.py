"""The commands that learn a text model and encode bitext."""

from pathlib import Path

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, write_lines
from workflow_scripts.text.bitext import bitext
from workflow_scripts.text.learn import learn
from workflow_scripts.text.pipeline import Pipeline
from workflow_scripts.text.punkt import learn_punkt
from workflow_scripts.unsupervised.learn_words import learn_words

from .corpus import LINES

TAGS = ["<2formal>", "<2informal>"]


def test_order_and_repetition_of_files_change_nothing(text_files, text_model, tmp_path):
    languages = [*reversed(text_files), "pt"]
    texts = [text_files[language] for language in languages]
    learn(tmp_path / "m", texts=texts, languages=languages, vocabulary_size=500, tags=TAGS, seed=1)
    for path in sorted(text_model.iterdir()):
        assert digest(path) == digest(tmp_path / "m" / path.name), path.name


def test_lines_without_a_word_teach_nothing_and_are_told(text_files, text_model, tmp_path, capsys):
    """A text model, the words of UNMT and a sentence splitter are those of the text without the lines."""
    holed = dict(text_files, pt=tmp_path / "pt.txt")
    some = read_lines(text_files["pt"])
    write_lines(holed["pt"], ["", *some[:5], " \t", *some[5:], ""])

    def learnt(files: dict[str, Path], name: str) -> dict[str, bytes]:
        both = {"texts": list(files.values()), "languages": list(files)}
        learn(tmp_path / name / "text", **both, vocabulary_size=500, tags=TAGS, seed=1)
        learn_words(tmp_path / name / "words", **both, max_words=200)
        learn_punkt(tmp_path / name / "punkt", texts=[files["pt"]])
        paths = sorted(path for path in (tmp_path / name).rglob("*") if path.is_file())
        return {str(path.relative_to(tmp_path / name)): path.read_bytes() for path in paths}

    plain = learnt(text_files, "plain")
    assert "without a word" not in capsys.readouterr().err
    assert learnt(holed, "holed") == plain
    told = [line for line in capsys.readouterr().err.splitlines() if "without a word" in line]
    assert told == [f"{holed['pt']}: {count} lines without a word are left out" for count in (3, 3, 3)]


@pytest.mark.parametrize(
    ("languages", "tags", "message"),
    [
        (["pt", "it"], TAGS, "1 texts but 2 languages"),
        (["pt"], ["2formal"], "'2formal' cannot be a tag"),
        (["pt"], ["<2 formal>"], "cannot be a tag"),
        (["pt"], ["<s>"], "cannot be a tag"),
        (["pt"], ["<a>", "<a>"], "named twice"),
    ],
)
def test_bad_arguments_of_learn(text_files, tmp_path, languages, tags, message):
    with pytest.raises(InputError, match=message):
        learn(
            tmp_path / "m",
            texts=[text_files["pt"]],
            languages=languages,
            vocabulary_size=400,
            tags=tags,
            seed=1,
        )
    assert not (tmp_path / "m").exists()


def test_bitext_in_both_directions(text_files, text_model, tmp_path, monkeypatch):
    encoded = []
    encode = Pipeline.encode
    monkeypatch.setattr(
        Pipeline, "encode", lambda self, x, lang: encoded.append(lang) or encode(self, x, lang)
    )
    pair = [text_files["en"], text_files["pt"]]
    bitext(
        text_model,
        tmp_path / "s.txt",
        tmp_path / "t.txt.gz",
        sources=pair,
        targets=pair[::-1],
        source_languages=["en", "pt"],
        target_languages=["pt", "en"],
        tags=TAGS,
        max_length=50,
    )
    assert encoded == ["en", "pt"]  # each file once
    sources = [line.split(" ") for line in read_lines(tmp_path / "s.txt")]
    targets = [line.split(" ") for line in read_lines(tmp_path / "t.txt.gz")]
    pipeline = Pipeline.load(text_model)
    english, portuguese = (encode(pipeline, LINES[language], language) for language in ("en", "pt"))
    assert sources == [[TAGS[0], *x] for x in english] + [[TAGS[1], *x] for x in portuguese]
    assert targets == portuguese + english
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.txt", "t.txt.gz"]


def test_bitext_drops_long_and_empty(text_model, tmp_path, capsys):
    pipeline = Pipeline.load(text_model)
    write_lines(tmp_path / "a", ["Grazie.", "", "Grazie mille per la risposta.", "Grazie."])
    write_lines(tmp_path / "b", ["Grazie.", "Grazie.", "Grazie.", " "])
    longest = len(pipeline.encode(["Grazie mille per la risposta."], "it")[0])
    for limit, kept in ((longest, 2), (longest - 1, 1)):
        bitext(
            text_model,
            tmp_path / "s",
            tmp_path / "t",
            sources=[tmp_path / "a"],
            targets=[tmp_path / "b"],
            source_languages=["it"],
            target_languages=["it"],
            tags=["<2formal>"],
            max_length=limit,
        )
        assert len(read_lines(tmp_path / "s")) == len(read_lines(tmp_path / "t")) == kept
        assert (
            f"{kept} pairs, dropped 2 with an empty side and {2 - kept} with more" in capsys.readouterr().err
        )


def test_pairs_of_files_stand_there_as_often_as_asked(text_files, text_model, tmp_path, monkeypatch, capsys):
    encoded = []
    encode = Pipeline.encode
    monkeypatch.setattr(
        Pipeline, "encode", lambda self, x, lang: encoded.append(lang) or encode(self, x, lang)
    )
    write_lines(tmp_path / "en.txt.gz", LINES["en"])
    sources, targets = [text_files["it"], tmp_path / "en.txt.gz"], [text_files["fr"], text_files["pt"]]

    def write(name: str, repeat: list[int] | None, which: slice) -> tuple[str, str]:
        paths = tmp_path / f"{name}.s", tmp_path / f"{name}.t"
        bitext(
            text_model,
            *paths,
            sources=sources[which],
            targets=targets[which],
            source_languages=["it", "en"][which],
            target_languages=["fr", "pt"][which],
            tags=TAGS[which],
            max_length=50,
            repeat=repeat,
        )
        return paths[0].read_text(encoding="utf-8"), paths[1].read_text(encoding="utf-8")

    first, second = write("first", None, slice(0, 1)), write("second", [1], slice(1, 2))
    encoded.clear()
    assert write("both", [3, 1], slice(0, 2)) == (first[0] * 3 + second[0], first[1] * 3 + second[1])
    assert encoded == ["it", "fr", "en", "pt"]
    told = capsys.readouterr().err
    assert (
        f"{TAGS[0]}: 5 pairs, dropped 0 with an empty side and 0 with more than 50 pieces; written 3" in told
    )
    assert write("once", None, slice(0, 2)) == (first[0] + second[0], first[1] + second[1])


@pytest.mark.parametrize("repeat", [[0], [1, 1], [], [-2]])
def test_repeat_needs_a_number_from_1_for_each_pair(text_files, text_model, tmp_path, repeat):
    with pytest.raises(
        InputError, match=r"--repeat .*for 1 pairs of files; give each a number of at least 1"
    ):
        bitext(
            text_model,
            tmp_path / "s",
            tmp_path / "t",
            sources=[text_files["it"]],
            targets=[text_files["fr"]],
            source_languages=["it"],
            target_languages=["fr"],
            tags=TAGS[:1],
            max_length=9,
            repeat=repeat,
        )


@pytest.mark.slow
def test_command_line_of_bitext(text_files, text_model, tmp_path, module):
    pair = ("--sources", text_files["it"], "--targets", text_files["fr"], "--source-languages", "it")
    options = (*pair, "--target-languages", "fr", "--tags", TAGS[0], "--max-length", 50)
    for repeat, kept in (((), 5), (("--repeat", 2), 10)):
        finished = module("text.bitext", text_model, tmp_path / "s", tmp_path / "t", *options, *repeat)
        assert finished.returncode == 0, finished.stderr
        assert len(read_lines(tmp_path / "s")) == len(read_lines(tmp_path / "t")) == kept


@pytest.mark.parametrize(
    ("targets", "tag", "message"),
    [
        (["b"], "<2formal>", r"a: has 2 lines but .*b has 1"),
        (["a"], "<2form>", "no tag '<2form>'"),
        (["a", "b"], "<2formal>", "1 sources, 2 targets"),
        (["c"], "<2formal>", "c: no such file"),
    ],
)
def test_bad_bitext(text_model, tmp_path, targets, tag, message):
    write_lines(tmp_path / "a", ["x", "y"])
    write_lines(tmp_path / "b", ["x"])
    with pytest.raises(InputError, match=message):
        bitext(
            text_model,
            tmp_path / "s",
            tmp_path / "t",
            sources=[tmp_path / "a"],
            targets=[tmp_path / name for name in targets],
            source_languages=["it"],
            target_languages=["it"],
            tags=[tag],
            max_length=9,
        )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
