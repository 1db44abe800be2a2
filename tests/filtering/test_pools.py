import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflow_scripts.core.counts import read_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.filtering.candidates import candidates
from workflow_scripts.filtering.pools import pools
from workflow_scripts.filtering.sample import sample
from workflow_scripts.filtering.sampling import choose


def split(folder, scores):
    for name in ("en", "pt"):
        write_lines(folder / name, (f"{name} {i}" for i in range(len(scores))))
    write_lines(folder / "scores", scores)
    outs = {pool: [folder / f"{pool}.{side}.gz" for side in ("en", "pt")] for pool in ("formal", "informal")}
    texts = [folder / name for name in ("en", "pt")]
    pools(folder / "scores", folder / "counts", texts=texts, **outs, informal_below=-1.0)
    return {
        f"{pool}_{side}": read_lines(path)
        for pool, paths in outs.items()
        for side, path in zip(("en", "l"), paths, strict=True)
    }


def test_informal_is_below_the_threshold(tmp_path):
    found = split(tmp_path, ["-1.0001", "-1.0000", "0.5000", "-3.2000"])
    assert found["informal_en"] == ["en 0", "en 3"]
    assert found["informal_l"] == ["pt 0", "pt 3"]
    assert found["formal_en"] == ["en 1", "en 2"]
    assert found["formal_l"] == ["pt 1", "pt 2"]
    assert read_counts(tmp_path / "counts") == {"scored": 4, "formal": 2, "informal": 2}


@pytest.mark.parametrize("field", ["nan", "", "high", "inf"])
def test_scores_that_are_none(tmp_path, field):
    with pytest.raises(InputError, match=r"scores:2: .* is not a score"):
        split(tmp_path, ["0.1", field])


def draw(folder, total, sizes, seed):
    write_lines(folder / "en", (f"en {i}" for i in range(total)))
    write_lines(folder / "pt", (f"pt {i}" for i in range(total)))
    outs = [[folder / f"{side}{i}.gz" for i in range(len(sizes))] for side in ("en", "l")]
    names = [f"sample{i}" for i in range(len(sizes))]
    sample(
        pool=[folder / "en", folder / "pt"],
        names=names,
        sizes=sizes,
        out=[path for both in zip(*outs, strict=True) for path in both],
        seed=seed,
    )
    rows = [[int(line.split()[1]) for line in read_lines(path)] for path in outs[0]]
    assert rows == [[int(line.split()[1]) for line in read_lines(path)] for path in outs[1]]
    return rows


def test_samples_are_seeded_and_disjoint(tmp_path, capsys):
    first = draw(tmp_path, 1000, [300, 500], seed=3)
    assert [len(set(rows)) for rows in first] == [300, 500]
    assert not set(first[0]) & set(first[1])
    assert all(rows == sorted(rows) for rows in first)
    assert first == draw(tmp_path, 1000, [300, 500], seed=3)
    assert first != draw(tmp_path, 1000, [300, 500], seed=4)
    assert "shares" not in capsys.readouterr().err
    # Neither end of the pool is preferred: the mean of 300 of 0..999 has a standard deviation of 14.
    assert 430 < sum(first[0]) / 300 < 570


def test_small_pools_are_used_again_and_that_is_reported(tmp_path, capsys):
    rows = draw(tmp_path, 10, [8, 5, 20], seed=1)
    assert [len(set(taken)) for taken in rows] == [8, 5, 10]
    assert len(set(rows[0]) | set(rows[1])) == 10
    said = capsys.readouterr().err
    assert "the sample sample1 shares 3 lines" in said
    assert "only 10 lines for the sample sample2 of 20" in said


def test_an_empty_pool_is_named(tmp_path):
    with pytest.raises(InputError, match="en: no sentences to draw from"):
        draw(tmp_path, 0, [3], seed=1)


@given(st.integers(0, 30), st.lists(st.integers(0, 20), min_size=1, max_size=4), st.integers(0, 5))
def test_samples_overlap_no_more_than_they_must(total, sizes, seed):
    chosen = list(choose(total, {str(i): size for i, size in enumerate(sizes)}, seed, "pool").values())
    assert [len(set(rows.tolist())) for rows in chosen] == [min(size, total) for size in sizes]
    union = set().union(*(rows.tolist() for rows in chosen))
    assert len(union) == min(total, sum(min(size, total) for size in sizes))


@given(st.integers(1, 30), st.lists(st.integers(1, 20), min_size=1, max_size=4), st.integers(0, 5))
def test_strictly_disjoint_samples_have_what_is_left(total, sizes, seed):
    named = {str(place): size for place, size in enumerate(sizes)}
    if sum(sizes[:-1]) >= total:
        with pytest.raises(InputError, match="no line is left"):
            choose(total, named, seed, "pool", draws="strict")
        return
    chosen = choose(total, named, seed, "pool", draws="strict")
    drawn = [row for rows in chosen.values() for row in rows.tolist()]
    assert len(drawn) == len(set(drawn)) == min(total, sum(sizes))
    assert [len(rows) for rows in chosen.values()][:-1] == sizes[:-1]


@given(
    st.integers(2, 40),
    st.lists(st.integers(0, 30), min_size=1, max_size=4),
    st.integers(0, 5),
    st.integers(0, 1),
)
def test_independent_samples_know_nothing_of_each_other(total, sizes, seed, dev):
    """But for those that are held out."""
    named = {str(place): size for place, size in enumerate(sizes)}
    chosen = choose(total, {**named, "dev": dev}, seed, "pool", draws="independent", apart=["dev"])
    assert list(chosen) == [*named, "dev"]
    for name, size in named.items():
        rows = chosen[name].tolist()
        assert rows == sorted(set(rows)) and set(rows) <= set(range(total))
        assert len(rows) == min(size, total - dev)
        assert not set(rows) & set(chosen["dev"].tolist())
        alone = choose(total, {"dev": dev, name: size}, seed, "pool", draws="independent", apart=["dev"])
        assert rows == alone[name].tolist()


def test_independent_samples_share_what_chance_wants(tmp_path):
    """Table 12: of 4.1 million formal sentences two samples of two million share about half of one."""
    write_lines(tmp_path / "text", map(str, range(4100)))
    sizes = {"lm": 2000, "multi_task": 2000, "dev": 10}
    outs = [tmp_path / name for name in sizes]
    sample(
        pool=[tmp_path / "text"],
        names=list(sizes),
        sizes=list(sizes.values()),
        out=outs,
        seed=1,
        draws="independent",
        apart=["dev"],
        counts=tmp_path / "counts.tsv",
    )
    first, second, dev = (set(read_lines(path)) for path in outs)
    assert read_counts(tmp_path / "counts.tsv") == {
        "pool": 4100,
        **sizes,
        "lm and multi_task": len(first & second),
        "lm and dev": 0,
        "multi_task and dev": 0,
    }
    # 978 are expected, with a standard deviation of 16.
    assert 900 < len(first & second) < 1050
    assert not dev & (first | second)


def test_counts_of_dealt_samples_say_what_they_share(tmp_path):
    write_lines(tmp_path / "text", map(str, range(10)))
    outs = [tmp_path / name for name in "ab"]
    sample(
        pool=[tmp_path / "text"],
        names=["a", "b"],
        sizes=[8, 5],
        out=outs,
        seed=1,
        counts=tmp_path / "counts.tsv",
    )
    assert read_counts(tmp_path / "counts.tsv") == {"pool": 10, "a": 8, "b": 5, "a and b": 3}


def test_one_file_is_a_pool_too(tmp_path):
    write_lines(tmp_path / "text", map(str, range(50)))
    sample(pool=[tmp_path / "text"], names=["a"], sizes=[7], out=[tmp_path / "out.gz"], seed=1)
    assert len(set(read_lines(tmp_path / "out.gz"))) == 7


def test_options_of_samples_must_agree(tmp_path):
    with pytest.raises(InputError, match="1 names, 2 sizes"):
        sample(pool=[tmp_path], names=["a"], sizes=[1, 2], out=[tmp_path], seed=1)
    with pytest.raises(InputError, match="differ in length"):
        pools(tmp_path, tmp_path, texts=[tmp_path], formal=[], informal=[tmp_path], informal_below=0.0)


@pytest.mark.slow
def test_memory_of_candidates_does_not_grow_with_texts(tmp_path):
    arguments = [tmp_path / name for name in ("sentences", "scores", "out", "counts")]
    peaks = []
    for size in (2_000, 20_000):
        write_lines(
            tmp_path / "sentences", (f"uma frase longa, número {i} " + "e mais " * 20 for i in range(size))
        )
        write_lines(tmp_path / "scores", ["-2.0000"] * size)
        tracemalloc.start()
        candidates(*arguments, informal_below=-1.0, size=20, seed=1)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # Numbers of lines, in two arrays.
    assert peaks[1] - peaks[0] < 24 * size


def test_candidates_are_informal(tmp_path):
    write_lines(tmp_path / "text", (f"sentence {i}" for i in range(100)))
    write_lines(tmp_path / "scores", (f"{-2 + i / 50:.4f}" for i in range(100)))
    arguments = [tmp_path / name for name in ("text", "scores", "out", "counts")]
    candidates(*arguments, informal_below=-1.0, size=20, seed=1)
    drawn = [int(line.split()[1]) for line in read_lines(tmp_path / "out")]
    assert len(set(drawn)) == 20
    assert max(drawn) < 50
    assert read_counts(tmp_path / "counts") == {"informal": 50, "candidates": 20}
    candidates(*arguments, informal_below=-1.0, size=80, seed=1)
    assert len(read_lines(tmp_path / "out")) == 50
