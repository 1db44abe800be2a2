"""The command that adds a language to a text model."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, write_lines
from workflow_scripts.text.bitext import bitext
from workflow_scripts.text.grow import grow
from workflow_scripts.text.learn import learn
from workflow_scripts.text.pipeline import Pipeline
from workflow_scripts.text.symbols import SPECIAL

from .corpus import LINES

TAGS = ["<2formal>", "<2informal>"]
OLD = ["it", "pt"]
SHARED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def models(text_files, tmp_path_factory):
    """A text model of Portuguese and Italian, and the one that English was added to."""
    folder = tmp_path_factory.mktemp("grown")
    texts = [text_files[language] for language in OLD]
    learn(folder / "old", texts=texts, languages=OLD, vocabulary_size=400, tags=TAGS, seed=1)
    english = [text_files["en"]]
    grow(folder / "old", folder / "new", texts=english, languages=["en"], vocabulary_size=400, seed=1)
    return folder / "old", folder / "new"


@pytest.fixture(scope="module")
def pipelines(models):
    """Both loaded."""
    return Pipeline.load(models[0]), Pipeline.load(models[1])


def test_the_folder_holds_the_old_files_and_the_new_language(models):
    old, new = models
    before, after = ({path.name for path in folder.iterdir()} for folder in models)
    assert after - before == {"subwords.en.model", "truecase.en.txt"} and before <= after
    for name in before - {"vocabulary.txt"}:
        assert digest(old / name) == digest(new / name), name


def test_the_old_vocabulary_is_the_beginning_of_the_new_one(models):
    old, new = (path / "vocabulary.txt" for path in models)
    before, after = old.read_bytes(), new.read_bytes()
    assert after.startswith(before) and len(after) > len(before)
    lines = read_lines(new)
    assert len(set(lines)) == len(lines)
    # Only what was missing was added, in the order of the new subwords.
    pipeline = Pipeline.load(models[1])
    known = set(read_lines(old))
    assert lines[len(known) :] == [p for p in pipeline.own["en"].vocabulary if p not in known]
    assert pipeline.digest == digest(new)
    assert pipeline.tags == TAGS and pipeline.languages == ["en", "it", "pt"]


@pytest.mark.slow
@SHARED
@given(st.text(max_size=60), st.sampled_from(OLD))
def test_old_languages_are_split_as_before(pipelines, text, language):
    before, after = pipelines
    pieces = before.encode([text], language)
    assert after.encode([text], language) == pieces
    assert after.decode(pieces, language) == before.decode(pieces, language)


def test_bitext_of_the_old_languages_is_the_same_to_the_byte(models, text_files, tmp_path):
    pair = [text_files[language] for language in OLD]
    for model in models:
        bitext(
            model,
            tmp_path / f"{model.name}.source",
            tmp_path / f"{model.name}.target",
            sources=pair,
            targets=pair[::-1],
            source_languages=OLD,
            target_languages=OLD[::-1],
            tags=TAGS,
            max_length=50,
        )
    for side in ("source", "target"):
        assert (tmp_path / f"old.{side}").read_bytes() == (tmp_path / f"new.{side}").read_bytes()


def test_english_is_split_by_its_own_subwords_and_comes_back(pipelines):
    _, grown = pipelines
    pieces = grown.encode(LINES["en"], "en")
    assert pieces == grown.own["en"].encode(grown.tokens(LINES["en"], "en"))
    assert pieces != grown.subwords.encode(grown.tokens(LINES["en"], "en"))
    expected = [line.replace("is: the", "is: The") for line in LINES["en"]]
    assert grown.decode(pieces, "en") == expected


@SHARED
@given(st.text(max_size=60))
def test_any_english_gives_known_pieces(pipelines, text):
    _, grown = pipelines
    (pieces,) = grown.encode([text + " <2formal> </s>"], "en")
    assert set(pieces) <= set(grown.vocabulary) - {*SPECIAL, *TAGS}
    assert grown.subwords.decode([pieces]) == grown.tokens([text + " <2formal> </s>"], "en")


def test_text_that_looks_like_a_tag_teaches_no_tag(models, tmp_path):
    write_lines(tmp_path / "en.txt", ["x <2formal> <2formal> x<2formal>"] * 20)
    grow(
        models[0], tmp_path / "m", texts=[tmp_path / "en.txt"], languages=["en"], vocabulary_size=400, seed=1
    )
    pipeline = Pipeline.load(tmp_path / "m")
    assert pipeline.tags == TAGS
    (pieces,) = pipeline.encode(["x <2formal>"], "en")
    assert not set(TAGS) & set(pieces)


def test_a_grown_model_grows_again_with_a_language_that_sorts_first(models, text_files, tmp_path):
    write_lines(tmp_path / "de.txt.gz", ["Ich weiß nicht, was du meinst.", "Vielen Dank für die Antwort."])
    german = [tmp_path / "de.txt.gz"]
    grow(models[1], tmp_path / "m", texts=german, languages=["de"], vocabulary_size=320, seed=1)
    before, after = Pipeline.load(models[1]), Pipeline.load(tmp_path / "m")
    assert after.vocabulary[: len(before.vocabulary)] == before.vocabulary
    assert after.languages == ["de", "en", "it", "pt"]
    assert after.encode(LINES["en"], "en") == before.encode(LINES["en"], "en")
    (back,) = after.decode(after.encode(["Vielen Dank für die Antwort."], "de"), "de")
    assert back == "Vielen Dank für die Antwort."


def test_several_languages_at_once_and_any_order_of_files(models, text_files, tmp_path):
    for name, languages in (("a", ["en", "fr"]), ("b", ["fr", "en", "fr"])):
        texts = [text_files[language] for language in languages]
        grow(models[0], tmp_path / name, texts=texts, languages=languages, vocabulary_size=400, seed=1)
    for path in sorted((tmp_path / "a").iterdir()):
        assert digest(path) == digest(tmp_path / "b" / path.name), path.name
    assert {"subwords.en.model", "subwords.fr.model"} <= {path.name for path in (tmp_path / "a").iterdir()}


@pytest.mark.parametrize(
    ("languages", "message"),
    [(["pt"], r"old: the text model already has 'pt'"), (["en", "fr"], "1 texts but 2 languages")],
)
def test_bad_arguments_of_grow(models, text_files, tmp_path, languages, message):
    with pytest.raises(InputError, match=message):
        grow(
            models[0],
            tmp_path / "m",
            texts=[text_files["en"]],
            languages=languages,
            vocabulary_size=400,
            seed=1,
        )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[:-1],
        lambda lines: [*lines, lines[-1]],
        lambda lines: [*lines, "other"],
        lambda lines: [*lines[:5], lines[6], lines[5], *lines[7:]],
    ],
)
def test_a_vocabulary_of_other_subwords_is_refused(models, tmp_path, change):
    for path in models[1].iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    write_lines(tmp_path / "vocabulary.txt", change(read_lines(models[1] / "vocabulary.txt")))
    with pytest.raises(InputError, match=r"list the pieces of subwords\.model, subwords\.en\.model"):
        Pipeline.load(tmp_path)


def test_command_line_of_grow(models, text_files, tmp_path, module):
    options = ("--texts", text_files["en"], "--languages", "en", "--vocabulary-size", 400, "--seed", 1)
    finished = module("text.grow", models[0], tmp_path / "m", *options)
    assert finished.returncode == 0, finished.stderr
    assert digest(tmp_path / "m" / "vocabulary.txt") == digest(models[1] / "vocabulary.txt")
    finished = module("text.grow", tmp_path, tmp_path / "n", *options)
    assert (finished.returncode, finished.stdout) == (2, "")


def test_real_english_comes_back(models, mirror, tmp_path):
    folder = mirror / "tatoeba/data/tatoeba/v1"
    english = read_lines(folder / "tatoeba.por-eng.eng")[:3000]
    portuguese = read_lines(folder / "tatoeba.por-eng.por")[:1000]
    write_lines(tmp_path / "en.txt", english)
    options = {"texts": [tmp_path / "en.txt"], "languages": ["en"], "vocabulary_size": 2000, "seed": 1}
    grow(models[0], tmp_path / "m", **options)  # type: ignore[arg-type]
    before, after = Pipeline.load(models[0]), Pipeline.load(tmp_path / "m")
    back = after.decode(after.encode(english, "en"), "en")
    assert sum(a == b for a, b in zip(back, english, strict=True)) >= 0.99 * len(english)
    assert after.encode(portuguese, "pt") == before.encode(portuguese, "pt")
