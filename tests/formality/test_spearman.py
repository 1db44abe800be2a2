import numpy as np
import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.formality.spearman import spearman


def test_spearman_per_language(tmp_path):
    rng = np.random.default_rng(1)
    from scipy.stats import spearmanr

    left, right = rng.normal(size=50), rng.normal(size=50)
    for name, values in {"a": left, "b": left + right, "c": [1.0] * 50}.items():
        write_lines(tmp_path / name, (f"{value:.6f}" for value in values))
    files = [tmp_path / name for name in "aac"], [tmp_path / name for name in "abb"]
    spearman(tmp_path / "out.csv", languages=["pt", "it", "fr"], predictions=files[0], ratings=files[1])
    expected = spearmanr(left, left + right).statistic
    assert (tmp_path / "out.csv").read_text() == (
        f"language,spearman,n\npt,1.000000,50\nit,{expected:.6f},50\nfr,nan,50\n"
    )


def test_spearman_of_unequal_files(tmp_path):
    write_lines(tmp_path / "a", ["1", "2"])
    write_lines(tmp_path / "b", ["1"])
    with pytest.raises(InputError, match="2 predictions but 1 ratings"):
        spearman(tmp_path / "o", languages=["pt"], predictions=[tmp_path / "a"], ratings=[tmp_path / "b"])
