"""The pairs of BACKTRANSLATE."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workflow_scripts.core.counts import read_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.transfer.synthetic import synthetic

PAIRS = [
    ("vc vem hj ?", "Você vem hoje?"),
    ("tudo bem", "Tudo  bem "),
    ("STRASSE", "straße"),
    ("oi\u00a0amor", "Oi amor"),
    ("oi", ""),
    (" ", "Oi."),
    ("", ""),
    ("sim!!", "Sim!"),
    ("por favor", "Porfavor"),
]
KEPT = [0, 7, 8]


@pytest.fixture
def files(tmp_path):
    """The five arguments."""
    for name, column in zip(("x.txt.gz", "y.txt"), zip(*PAIRS, strict=True), strict=True):
        write_lines(tmp_path / name, column)
    return [tmp_path / name for name in ("x.txt.gz", "y.txt", "new/x.txt", "new/y.txt.gz", "new/counts.tsv")]


def test_copies_and_empty_pairs_are_dropped_and_counted(files):
    synthetic(*files)
    assert read_lines(files[2]) == [PAIRS[i][0] for i in KEPT]
    assert read_lines(files[3]) == [PAIRS[i][1] for i in KEPT]
    assert list(read_counts(files[4]).items()) == [
        ("pairs", 9),
        ("dropped:empty", 3),
        ("dropped:copy", 3),
        ("kept", 3),
    ]


def test_files_of_other_lengths_are_refused(files):
    write_lines(files[1], ["a"])
    with pytest.raises(InputError, match=r"not parallel: .*x\.txt\.gz has 9 lines, .*y\.txt has 1 lines"):
        synthetic(*files)
    assert not files[4].exists() and not files[2].exists()


WORDS = st.lists(st.sampled_from(["oi", "Tudo", "bem", "É", "ß", "?"]), max_size=4)


@pytest.mark.slow
@settings(max_examples=50)
@given(st.lists(st.tuples(WORDS, WORDS), max_size=8))
def test_every_pair_is_kept_or_counted(tmp_path_factory, pairs):
    folder = tmp_path_factory.mktemp("pairs")
    names = [folder / name for name in ("x", "y", "x2", "y2", "counts")]
    for path, side in zip(names, (0, 1), strict=False):
        write_lines(path, (" ".join(pair[side]) for pair in pairs))
    synthetic(*names)
    counts = read_counts(names[4])
    assert counts["pairs"] == len(pairs) == sum(counts.values()) - counts["pairs"]
    kept = list(zip(read_lines(names[2]), read_lines(names[3]), strict=True))
    assert len(kept) == counts["kept"]
    assert all(x and y and x.casefold() != y.casefold() for x, y in kept)


@pytest.mark.slow
def test_command_line_of_synthetic(files, module):
    finished = module("transfer.synthetic", *files)
    assert (finished.returncode, finished.stdout) == (0, ""), finished.stderr
    assert read_counts(files[4])["kept"] == 3
