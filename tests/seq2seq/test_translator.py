import pytest

from tests.seq2seq.reference import random_translators
from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq import translator as module
from workflow_scripts.seq2seq.model import Model
from workflow_scripts.seq2seq.translator import Translator

SETTINGS = {
    "beam_size": 3,
    "length_penalty": 1.0,
    "batch_size": 4,
    "precision": "float32",
    "device": "cpu",
    "threads": 1,
}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A text model, and two random models for it."""
    folder = tmp_path_factory.mktemp("world")
    texts = [
        f"The {a} cat sees {n} dogs, and the {a} dog runs." for a in ("old", "new", "red") for n in range(9)
    ]
    (folder / "en.txt").write_text("".join(f"{text}\n" for text in texts))
    random_translators(folder, folder / "en.txt")
    return folder, texts


def translator(folder, *names, **changed):
    return Translator(folder / "text", [folder / name for name in names], **{**SETTINGS, **changed})


def test_texts_go_through_the_text_model_with_the_tag_in_front(world):
    folder, texts = world
    ours = translator(folder, "1.safetensors", "2.safetensors")
    seen = []
    search = ours.search

    def copy(sources, batch_size):
        seen.extend(sources)
        found = search(sources, batch_size)
        return [type(one)(source[1:], one.score) for one, source in zip(found, sources, strict=True)]

    ours.search = copy
    # What a model that copies would answer.
    assert ours.translate([texts[3], "", texts[0]], "en", "en", "<2informal>") == [texts[3], "", texts[0]]
    assert [source[0] for source in seen] == [ours.pipeline.vocabulary.index("<2informal>")] * 2


def test_outputs_keep_the_order(world):
    folder, texts = world
    ours = translator(folder, "1.safetensors")
    found = ours.translate(texts, "en", "en", "<2formal>")
    assert len(found) == len(texts)
    assert found[7:9] == ours.translate(texts[7:9], "en", "en", "<2formal>")
    # Mean and twice the deviation of the lengths' ratio.
    assert ours.search.max_ratio == pytest.approx(1.2)


def test_one_tag_is_not_another(world):
    folder, texts = world
    ours = translator(folder, "1.safetensors")
    assert ours.translate(texts, "en", "en", "<2formal>") != ours.translate(texts, "en", "en", "<2informal>")
    with pytest.raises(InputError, match="no tag"):
        ours.translate(texts, "en", "en", "<2fr>")


def test_a_model_with_another_vocabulary_is_an_input_error(world, tmp_path):
    folder, _ = world
    model, facts = Model.read(folder / "1.safetensors")
    model.write(tmp_path / "other.safetensors", {**facts, "vocabulary": "0" * 64})
    with pytest.raises(InputError, match=r"other\.safetensors.*another vocabulary"):
        translator(folder, "1.safetensors", str(tmp_path / "other.safetensors"))


def test_no_model_is_an_input_error(world):
    with pytest.raises(InputError, match="no model"):
        translator(world[0])


def test_pieces_that_make_no_visible_text_leave_the_text_as_it_was(world):
    folder, texts = world
    ours = translator(folder, "1.safetensors")
    search = ours.search
    ours.search = lambda sources, size: [
        type(one)([ours.ids["▁"]], one.score) for one in search(sources, size)
    ]
    assert ours.pipeline.decode([["▁"]], "en") == [""]
    assert ours.translate([texts[0], ""], "en", "en", None) == [texts[0], ""]


def test_a_line_that_is_no_sentence_is_named(world, monkeypatch):
    folder, texts = world
    monkeypatch.setattr(module, "LONGEST", 30)
    ours = translator(folder, "1.safetensors")
    assert ours.translate(texts[:2], "en", "en", None)
    long = " ".join(texts)
    with pytest.raises(
        InputError, match=r"^'The old cat .*\.\.\.' has \d+ pieces, but a sentence has at most 30; "
    ):
        ours.translate([texts[0], long], "en", "en", None)
