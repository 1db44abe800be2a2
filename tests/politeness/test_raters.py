"""Raters of requests: Stanford's single ratings, HITs, simulated and own ratings, agreement and accuracy."""

import csv
import math
import random
import statistics
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.politeness.test_readers import CASES, PIECES, read_or_named
from tests.tables import put, rows_of
from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, write_lines
from workflow_scripts.corpora.demo.stanford import stanford as demo_stanford
from workflow_scripts.politeness.agreement import agreement, mean_correlation, read_agreement
from workflow_scripts.politeness.corpus import binary_file, read_requests, requests_file
from workflow_scripts.politeness.hits import read_hits
from workflow_scripts.politeness.original import original, read_original
from workflow_scripts.politeness.raters_accuracy import accuracies, raters_accuracy, read_accuracies
from workflow_scripts.politeness.ratings import read_judgments, write_judgments
from workflow_scripts.politeness.stanford import COLUMNS, by_text, key, read_stanford, z_scores
from workflow_scripts.statistics.correlation import spearman
from workflow_scripts.statistics.standard import standardised

WORKERS = [f"AXYZWORKER{number}" for number in range(7)]


@pytest.fixture
def stanford(corpus):
    """The English test requests of the corpus, each rated by five of seven workers."""
    rng = random.Random(1)
    rows = []
    for number, request in enumerate(read_requests(requests_file(corpus, "en")) * 3):
        scores = [rng.randint(1, 25) for _ in range(5)]
        names = rng.sample(WORKERS, 5) if number % 4 else WORKERS[:5]
        rows.append(("Wikipedia", number, request.text.replace("?", "&amp;#63;"), *scores, *names, "0.25"))
    return put(corpus.parent / "wikipedia.annotated.csv", COLUMNS, rows)


def test_released_normalised_scores_are_recomputed(mirror):
    found = read_stanford(mirror / "stanford-politeness/wikipedia.annotated.csv")
    assert len(found) == 4353
    gaps = [abs(statistics.fmean(z) - one.score) for one, z in zip(found, z_scores(found), strict=True)]
    # Nine decimals are released; three rows have other scores.
    assert sorted(gap > 1e-9 for gap in gaps)[-3:] == [True] * 3 and sum(gap > 1e-9 for gap in gaps) == 3
    assert {one for row in found for one in row.workers} == set(range(219))
    places = by_text(found)
    tydip = mirror / "tydip"
    texts = {
        part: [key(one.text) in places for one in read_requests(requests_file(tydip, "en", part))]
        for part in ("test", "train")
    }
    assert [sum(one) for one in texts.values()] == [500, 3851]
    assert all(key(one.text) in places for one in read_requests(binary_file(tydip, "en")))


def test_what_is_drawn_and_measured_is_the_same_in_any_later_version(rated, stanford, corpus):
    """A sheet that raters have is made again; so are simulated ratings, shuffles and simulations."""
    given = {"ratings": [rated / "checked/xx.csv"], "languages": ["xx"], "stanford": stanford}
    agreement(rated / "agreement.csv", seed=1, **given)
    rows = [list(row.values()) for row in rows_of(stanford)]
    varied = [[*row[:-1], f"{place % 5}.5"] for place, row in enumerate(rows)]
    given["stanford"] = put(rated / "varied.csv", COLUMNS, varied)
    original(rated / "original.csv", corpus=corpus, **given)
    raters_accuracy(rated / "accuracy.csv", corpus=corpus, simulations=3, seed=1, **given)
    files = (
        "sheets/xx.csv",
        "sent/xx.csv",
        "checked/xx.csv",
        "agreement.csv",
        "original.csv",
        "accuracy.csv",
    )
    assert {name: digest(rated / name)[:12] for name in files} == {
        "sheets/xx.csv": "2a7a85992404",
        "sent/xx.csv": "7fa6da670297",
        "checked/xx.csv": "786d69ac82fc",
        "agreement.csv": "1790013c4bbb",
        "original.csv": "381aebcc197f",
        "accuracy.csv": "f735f25d5229",
    }


@pytest.mark.slow
def test_no_worker_stands_in_any_output_or_message(stanford, rated, corpus, module):
    made = rated / "made"
    given = ["--ratings", rated / "checked/xx.csv", "--languages", "xx", "--stanford", stanford]
    for name, options in (
        ("agreement", ["--seed", 1]),
        ("original", ["--corpus", corpus]),
        ("raters_accuracy", ["--corpus", corpus, "--simulations", 3, "--seed", 1]),
    ):
        done = module(f"politeness.{name}", made / f"{name}.csv", *given, *options)
        assert done.returncode == 0, done.stderr
        assert "WORKER" not in done.stdout + done.stderr
    assert len(list(made.iterdir())) == 3
    outputs = [*made.iterdir(), *(rated / "checked").iterdir()]
    assert not any(word in path.read_text() for path in outputs for word in ("WORKER", "simulated"))
    # Fields that have moved put a worker where a rating should be.
    rows = list(csv.reader(stanford.read_text().splitlines()))
    rows[2][3:13] = [*WORKERS[:5], *"12345"]
    put(stanford, rows[0], rows[1:])
    done = module("politeness.agreement", made / "no.csv", "--stanford", stanford, "--seed", 1)
    assert done.returncode == 2 and f"{stanford}:3: ratings must be whole numbers" in done.stderr
    assert "WORKER" not in done.stderr and not (made / "no.csv").exists()


@pytest.mark.slow
@settings(max_examples=CASES)
@given(data=st.binary(max_size=200) | PIECES.map(str.encode), headed=st.booleans())
@pytest.mark.parametrize(
    ("reader", "columns"),
    [
        (read_stanford, ",".join(COLUMNS)),
        (read_hits, "item,hit,page,task,text"),
        (read_judgments, "lang,hit,line,rater,value"),
        (read_agreement, "raters,part,hit,agreement,shuffled,pairs,dropped"),
        (read_original, "raters,kind,correlation"),
        (read_accuracies, "lang,others,n,simulation,accuracy"),
    ],
)
def test_any_bytes_are_read_or_named(reader, columns, data, headed):
    read_or_named(reader, f"{columns}\n".encode() + data if headed else data)


@pytest.mark.slow
@settings(max_examples=CASES)
@given(
    fields=st.lists(
        st.sampled_from(["1", "25", "0", "26", "1.5", "", "w", "x", "y", "z", "é"]), min_size=11, max_size=11
    ),
    text=PIECES,
)
def test_a_row_of_stanford_is_whole_or_named(fields, text):
    row = ["Wikipedia", "1", text, *fields]
    data = ",".join(COLUMNS) + "\n" + ",".join('"' + one.replace('"', '""') + '"' for one in row) + "\n"
    right = (
        text.strip() != ""
        and all(one in ("1", "25") for one in fields[:5])
        and len(set(fields[5:10]) - {""}) == 5
        and fields[10] in ("1", "25", "0", "26", "1.5")
    )
    found = read_or_named(read_stanford, data.encode())
    if right and "\r" not in text and "\n" not in text and "\0" not in text:
        assert found is not None
    if found is not None:
        assert right


@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.integers(-6, 6).map(lambda half: half / 2)),
        min_size=1,
        max_size=20,
    )
)
def test_standardised_ratings_have_mean_0_and_deviation_1(given_ones):
    found = standardised(given_ones)
    for rater in {name for name, _ in given_ones}:
        own = [z for (name, _), z in zip(given_ones, found, strict=True) if name == rater]
        equal = len({value for name, value in given_ones if name == rater}) == 1
        assert statistics.fmean(own) == pytest.approx(0, abs=1e-9)
        assert statistics.pstdev(own) == (0 if equal else pytest.approx(1))


@settings(max_examples=50)
@given(st.integers(2, 5), st.integers(1, 7), st.integers(0, 9999), st.booleans())
def test_the_mean_correlation_is_that_of_scipy(raters, items, seed, gaps):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 4, (raters, items)).astype(float)
    if gaps:
        matrix[rng.random(matrix.shape) < 0.2] = math.nan
    values = []
    for one in range(raters):
        for other in range(one + 1, raters):
            both = ~np.isnan(matrix[one] + matrix[other])
            values.append(spearman(matrix[one, both].tolist(), matrix[other, both].tolist()))
    there = [value for value in values if not math.isnan(value)]
    mean, pairs = mean_correlation(matrix)
    assert pairs == len(there)
    assert math.isnan(mean) if not there else mean == pytest.approx(statistics.fmean(there), abs=1e-12)


def test_ratings_of_requests_that_the_corpus_lacks_are_named(rated, stanford, corpus):
    found = read_judgments(rated / "checked/xx.csv")
    options = {"ratings": [rated / "more.csv"], "languages": ["xx"], "stanford": stanford}
    write_judgments(rated / "more.csv", [*found, replace(found[0], language="en", place=5)])
    with pytest.raises(InputError, match=r"more\.csv: the corpus has no English request 5"):
        original(rated / "no.csv", corpus=corpus, **options)
    write_judgments(rated / "more.csv", [*found, replace(found[0], language="xx", place=7)])
    with pytest.raises(
        InputError, match=r"more\.csv: the corpus has 6 requests in 'xx', but request 7 is rated"
    ):
        raters_accuracy(rated / "no.csv", corpus=corpus, simulations=1, seed=1, **options)
    with pytest.raises(ValueError, match="longer"):
        raters_accuracy(
            rated / "no.csv", corpus=corpus, simulations=1, seed=1, **{**options, "languages": []}
        )
    write_judgments(rated / "more.csv", [*found, replace(found[0], language="yy")])
    with pytest.raises(InputError, match=r"more\.csv: ratings of requests in 'yy'"):
        agreement(rated / "no.csv", seed=1, **options)


@pytest.mark.parametrize("rating", ["0", "26", "-1", "2.5"])
def test_ratings_go_from_1_to_25(stanford, rating):
    rows = [list(row.values()) for row in rows_of(stanford)]
    rows[0][3:5] = ["1", "25"]
    put(stanford, COLUMNS, rows)
    assert read_stanford(stanford)[0].ratings[:2] == (1, 25)
    rows[1][7] = rating
    put(stanford, COLUMNS, rows)
    with pytest.raises(InputError, match=rf"{stanford}:3: ratings must be whole numbers from 1 to 25"):
        read_stanford(stanford)


def test_entities_of_entities_are_undone():
    assert key("Caf&amp;eacute; &lt;b&gt; A-1!") == "cafébA1".lower()


def test_agreement_of_every_part(rated, stanford):
    agreement(
        rated / "a.csv", stanford=stanford, seed=1, ratings=[rated / "checked/xx.csv"], languages=["xx"]
    )
    found = read_agreement(rated / "a.csv")
    assert [(name, len(parts)) for name, parts in found.items() if name[0] == "xx"] == [
        *((("xx", "en"), 2), (("xx", "target"), 2))
    ]
    given_ones = [
        one for one in read_judgments(rated / "checked/xx.csv") if (one.language, one.hit) == ("xx", 1)
    ]
    raters = sorted({one.rater for one in given_ones})
    matrix = [[one.value for one in given_ones if one.rater == rater] for rater in raters]
    assert found["xx", "target"][0][0] == pytest.approx(mean_correlation(np.array(matrix))[0], abs=1e-6)
    sets = {frozenset(one.workers) for one in read_stanford(stanford)}
    assert len(found["stanford", "original"]) == len(sets)


def test_shuffled_ratings_agree_by_chance(stanford, tmp_path):
    """Ordered ones would agree nearly perfectly."""
    chance = []
    for seed in range(10):
        agreement(tmp_path / "a.csv", stanford=stanford, seed=seed)
        chance += [shuffled for _, shuffled, _ in read_agreement(tmp_path / "a.csv")["stanford", "original"]]
    there = [value for value in chance if not math.isnan(value)]
    assert len(there) > 5 and abs(statistics.fmean(there)) < 0.25


def test_correlation_with_the_original_ratings(rated, stanford, corpus):
    checked = rated / "checked/xx.csv"
    original(rated / "o.csv", corpus=corpus, stanford=stanford, ratings=[checked], languages=["xx"])
    found = read_original(rated / "o.csv")
    assert len(found["xx", "raw"]) == 5 * len(found["xx", "aggregate"]) == 5 * 6
    # Normalised scores that are all alike have no rank.
    assert all(math.isnan(value) for value in found["xx", "aggregate"])
    first = [one for one in read_judgments(checked) if (one.language, one.hit, one.rater) == ("en", 1, 1)]
    if first:
        rows = read_stanford(stanford)
        theirs = [float(rows[one.place - 1].ratings[0]) for one in first]
        expected = spearman([one.value for one in first], theirs)
        assert found["xx", "raw"][0] == pytest.approx(expected, abs=1e-6, nan_ok=True)


def test_accuracy_is_the_expectation_over_all_draws():
    scores = [(1.0, 1.0, -5.0), (1.0, 2.0, 3.0), (-1.0, -1.0, 0.5)]
    # Of the first request every rater but none is right: +1 against (1 - 5) / 2, -5 against +1.
    expected = (0 + 1 + 2 / 3) / 3
    found = accuracies(scores, 2, 4000, [1])
    assert found.shape == (4000,)
    assert found.mean() == pytest.approx(expected, abs=0.02)


def test_accuracies_are_of_the_binary_part(rated, stanford, corpus):
    options = {"corpus": corpus, "stanford": stanford, "simulations": 5, "seed": 1}
    raters_accuracy(rated / "acc.csv", ratings=[rated / "checked/xx.csv"], languages=["xx"], **options)
    found = read_accuracies(rated / "acc.csv")
    assert {name: count for name, (count, _) in found.items()} == {("en", 2): 2, ("en", 4): 2, ("xx", 2): 4}
    assert all(len(values) == 5 for _, values in found.values())
    # A request that only two find valid has one label, and not two others.
    judgments = read_judgments(rated / "checked/xx.csv")
    lacking = next(one for one in judgments if (one.language, one.place) == ("xx", 1))
    write_judgments(
        rated / "two.csv", [replace(one, value=math.nan) if one == lacking else one for one in judgments]
    )
    raters_accuracy(rated / "acc.csv", ratings=[rated / "two.csv"], languages=["xx"], **options)
    assert read_accuracies(rated / "acc.csv")["xx", 2][0] == 3
    # A language that nobody has rated has no row, and those after it have theirs.
    others = [replace(one, language="zz") for one in judgments if one.language == "xx"]
    write_judgments(rated / "of-others.csv", others)
    both = [rated / "of-others.csv", rated / "checked/xx.csv"]
    raters_accuracy(rated / "acc.csv", ratings=both, languages=["xx", "xx"], **options)
    assert read_accuracies(rated / "acc.csv")["xx", 2][0] == 4
    for bad in ("en,0,4,1,0.5", "en,2,0,1,0.5", "en,2,4,1,x"):
        write_lines(rated / "bad.csv", ["lang,others,n,simulation,accuracy", bad])
        with pytest.raises(InputError, match=r"bad\.csv:2: "):
            read_accuracies(rated / "bad.csv")
    raters_accuracy(rated / "none.csv", **options)
    assert list(read_accuracies(rated / "none.csv")) == [("en", 2), ("en", 4)]


def test_the_demo_file_is_read_and_its_scores_are_the_means_of_z(corpus, tmp_path):
    demo_stanford(tmp_path / "s.csv", corpus=corpus, workers=6, requests=3, seed=1)
    found = read_stanford(tmp_path / "s.csv")
    assert [one.text for one in found] == [
        one.text for part in ("train", "test") for one in read_requests(requests_file(corpus, "en", part))
    ]
    for one, z in zip(found, z_scores(found), strict=True):
        assert one.score == pytest.approx(statistics.fmean(z), abs=1e-8)
    names = [row[8:13] for _, row in read_csv(tmp_path / "s.csv", COLUMNS)]
    assert all(name.startswith("SIMULATED") for row in names for name in row)
