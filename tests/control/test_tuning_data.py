"""The tuning data of a generic model: pairs, copies, tags."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflow_scripts.control.tuning_data import (
    Segment,
    balanced,
    contrastive,
    drawn_again,
    labelled_sources,
    single,
)
from workflow_scripts.control.tuning_pairs import tuning_pairs
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.text.grow_tags import grow_tags
from workflow_scripts.text.learn import learn
from workflow_scripts.text.levels import LEVELS
from workflow_scripts.text.pipeline import Pipeline

TAGS = ["<2formal>", "<2informal>"]
SEGMENTS = [Segment(f"en {n}", f"formal {n}", f"informal {n}") for n in range(40)]
SIZES = st.integers(1, 20).map(lambda half: 2 * half)


@given(SIZES, st.integers())
def test_contrastive_points_come_in_pairs_and_smaller_sizes_are_parts_of_larger_ones(size, seed):
    points = contrastive(SEGMENTS, size, Random(seed))
    assert len(set(points)) == size
    assert {point.source: point.level for point in points[::2]} == dict.fromkeys(
        {point.source for point in points}, "formal"
    )
    assert all(point.target == f"{point.level} {point.source.split()[1]}" for point in points)
    assert set(contrastive(SEGMENTS, 2, Random(seed))) <= set(points)


@given(SIZES, st.integers())
def test_single_points_have_a_source_each_and_both_levels_alike(size, seed):
    points = single(SEGMENTS, size, Random(seed))
    assert len({point.source for point in points}) == size == len(points)
    assert Counter(point.level for point in points) == dict.fromkeys(LEVELS, size // 2)
    assert all(point.target == f"{point.level} {point.source.split()[1]}" for point in points)


def test_without_a_size_all_segments_count_in_their_order():
    points = contrastive(SEGMENTS, None, Random(1))
    assert [point.source for point in points] == [one.source for one in SEGMENTS for _ in LEVELS]
    assert len(single(SEGMENTS[:7], None, Random(1))) == 6


@given(st.lists(st.sampled_from(["formal", "informal", ""]), max_size=60), SIZES, st.integers())
def test_rules_give_half_of_each_level_or_say_that_there_are_too_few(labels, size, seed):
    if min(labels.count(level) for level in LEVELS) < size // 2:
        with pytest.raises(
            InputError, match=f"{size // 2} (in)?formal sentences are asked for, but there are"
        ):
            balanced(labels, size, Random(seed))
        return
    chosen = balanced(labels, size, Random(seed))
    assert Counter(chosen.values()) == dict.fromkeys(LEVELS, size // 2)
    assert all(labels[line] == level for line, level in chosen.items())


@given(st.integers(1, 30), st.integers(0, 90), st.integers())
def test_nothing_is_drawn_again_before_all_else_was(count, size, seed):
    drawn = drawn_again(count, size, Random(seed))
    times = Counter(drawn)
    assert drawn == sorted(drawn) and len(drawn) == size and set(drawn) <= set(range(count))
    assert max(times.values(), default=0) - min((times[n] for n in range(count)), default=0) <= 1


def test_labelled_sources_are_those_behind_a_tag(tmp_path):
    write_lines(
        tmp_path / "source", ["<2formal> a b c", "d <2formal> e", "<2informal> f", "<2formal>g h", ""]
    )
    assert list(labelled_sources(tmp_path / "source")) == ["a b c", "f"]


@pytest.mark.parametrize(("size", "message"), [(3, "3 labelled pairs cannot be half"), (82, "41 segments")])
def test_sizes_that_cannot_be(size, message):
    with pytest.raises(InputError, match=message):
        contrastive(SEGMENTS, size, Random(1))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A text model with tags, segments, generic pieces and labelled generic text."""
    folder = tmp_path_factory.mktemp("tuning")
    texts = {
        "en": [f"you see {n} dogs" for n in range(30)],
        "formal": [f"Lei vede {n} cani" for n in range(30)],
        "informal": [f"tu vedi {n} cani" for n in range(30)],
        "labels": ["formal", "informal", ""] * 10,
    }
    found = {name: folder / f"{name}.txt" for name in texts}
    for name, path in found.items():
        write_lines(path, texts[name])
    sides = [found["en"], found["formal"], found["informal"]]
    learn(folder / "old", texts=sides, languages=["en", "it", "it"], vocabulary_size=330, tags=[], seed=1)
    grow_tags(folder / "old", folder / "text", tags=TAGS)
    generic = [folder / "generic.source", folder / "generic.target"]
    for path, side in zip(generic, ("g{} a", "h{} b"), strict=True):
        write_lines(path, (side.format(n) for n in range(50)))
    return {
        **found,
        "old": folder / "old",
        "text": folder / "text",
        "source": generic[0],
        "target": generic[1],
    }


def written(files: dict[str, Path], folder: Path, **options: Any) -> list[tuple[str, str]]:
    """What the command writes: both sides of each pair."""
    given = {
        "generic": [files["source"], files["target"]],
        "language": "it",
        "max_length": 95,
        "seed": 1,
        **{name: [files[file]] for name, file in (("sources", "en"), ("formal", "formal"))},
        "informal": [files["informal"]],
        "labelled": [files["en"], files["formal"], files["labels"]],
        **options,
    }
    tuning_pairs(files["text"], folder / "source", folder / "target", **given)
    return list(zip(read_lines(folder / "source"), read_lines(folder / "target"), strict=True))


def test_copies_are_tagged_and_as_many_generic_pairs_are_not(files, tmp_path):
    pairs = written(files, tmp_path, data="contrastive", size=20, copies=2)
    labelled = [pair for pair in pairs if pair[0].startswith("<2")]
    generic = [pair for pair in pairs if not pair[0].startswith("<2")]
    assert set(Counter(labelled).values()) == {2} and len(labelled) == len(generic) == 40
    # Without replacement, and the two sides belong together.
    assert len(set(generic)) == 40 and all(one[1:-2] == other[1:-2] for one, other in generic)
    pipeline = Pipeline.load(files["text"])
    for source, target in labelled:
        tag, _, pieces = source.partition(" ")
        number = pipeline.decode([pieces.split()], "en")[0].split()[2]
        verb = {"<2formal>": "Lei vede", "<2informal>": "Tu vedi"}[tag]
        assert pipeline.decode([target.split()], "it") == [f"{verb} {number} cani"]


def test_rules_add_labelled_pairs(files, tmp_path):
    pairs = written(files, tmp_path, data="rules", size=12, copies=1)
    assert Counter(source.split()[0] for source, _ in pairs)["<2formal>"] == 6
    assert len(pairs) == 24
    assert len(written(files, tmp_path, data="both", size=12, copies=1)) == 48
    # More than there are: they are drawn again.
    assert len(written(files, tmp_path, data="single", copies=3)) == 180


def test_the_seed_says_what_is_drawn(files, tmp_path):
    options: dict[str, Any] = {"data": "both", "size": 10, "copies": 2}
    first, again = (written(files, tmp_path, **options) for _ in range(2))
    assert first == again != written(files, tmp_path, **options, seed=2)


def test_long_pairs_are_dropped(files, tmp_path, capsys):
    assert not written(files, tmp_path, data="contrastive", copies=1, max_length=2)
    assert "60 labelled pairs, 60 of them dropped" in capsys.readouterr().err
    # Each side can be the one that is too long.
    texts = {
        "sources": ["you see 1 dogs " * 3, "you see 2 dogs", "you see 3 dogs"],
        "formal": ["Lei vede 1 cani", "Lei vede 2 cani " * 3, "Lei vede 3 cani"],
        "informal": ["tu vedi 1 cani", "tu vedi 2 cani " * 3, "tu vedi 3 cani"],
    }
    for name, text in texts.items():
        write_lines(tmp_path / name, text)
    longest = len(Pipeline.load(files["text"]).encode(["Lei vede 3 cani"], "it")[0])
    options = {"data": "contrastive", "copies": 1, "max_length": longest}
    found = written(files, tmp_path / "out", **options, **{name: [tmp_path / name] for name in texts})
    assert len(found) == 4 and "6 labelled pairs, 4 of them dropped" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"copies": 0}, "0 copies"),
        ({"generic": []}, "0 generic files"),
        ({"informal": []}, "1 sources, 1 formal and 0 informal"),
        ({"data": "rules", "labelled": []}, "0 labelled files"),
        ({"data": "rules", "size": 40}, r"[\w.]+: 20 formal sentences are asked for, but there are 10"),
        ({"size": 400}, r"[\w.]+: 200 segments are asked for, but there are \d+"),
    ],
)
def test_what_does_not_fit(files, tmp_path, options, message):
    with pytest.raises(InputError, match=message):
        written(files, tmp_path, **{"data": "contrastive", "copies": 1, "size": 4, **options})
    assert not (tmp_path / "source").exists()


def test_a_model_without_tags_is_refused(files, tmp_path):
    with pytest.raises(InputError, match="no tag '<2formal>'"):
        written({**files, "text": files["old"]}, tmp_path, data="contrastive", copies=1)


def test_tags_come_last_and_change_nothing_else(files, tmp_path):
    old, new = Pipeline.load(files["old"]), Pipeline.load(files["text"])
    assert new.vocabulary == [*old.vocabulary, *TAGS] and new.tags == TAGS and not old.tags
    text = ["you see <2formal> dogs"]
    assert new.encode(text, "en") == old.encode(text, "en") and not set(TAGS) & set(new.encode(text, "en")[0])
    pieces = new.encode(["Lei vede"], "it")
    assert new.decode([[TAGS[0], *pieces[0], TAGS[1]]], "it") == old.decode(pieces, "it")
    with pytest.raises(InputError, match="already has a piece '<2formal>'"):
        grow_tags(files["text"], tmp_path / "again", tags=TAGS)
    with pytest.raises(InputError, match="'formal' cannot be a tag"):
        grow_tags(files["old"], tmp_path / "again", tags=["formal"])
    assert not (tmp_path / "again").exists()


def test_a_vocabulary_with_anything_else_behind_it_is_refused(files, tmp_path):
    grow_tags(files["old"], tmp_path / "text", tags=TAGS)
    listed = tmp_path / "text/vocabulary.txt"
    for more in ("formal", "<s>", TAGS[0]):
        write_lines(listed, [*read_lines(files["text"] / "vocabulary.txt"), more])
        with pytest.raises(InputError, match=r"does not list the pieces of subwords\.model"):
            Pipeline.load(tmp_path / "text")


def test_an_empty_line_of_a_segment_is_named(files, tmp_path):
    lines = read_lines(files["formal"])
    write_lines(tmp_path / "formal.it", [lines[0], "", *lines[2:]])
    with pytest.raises(InputError, match=r"formal\.it:2: empty line"):
        written(files, tmp_path, data="contrastive", copies=1, size=4, formal=[tmp_path / "formal.it"])
