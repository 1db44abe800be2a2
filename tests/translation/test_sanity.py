"""Appendix B's BLEU."""

import csv

import pytest
from sacrebleu import corpus_bleu

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.translation.sanity import sanity


def test_sanity_table(tmp_path):
    texts = {
        "h.pt": ["o gato vê o cão agora mesmo", "bom dia a todos"],
        "r.pt": ["o gato vê o cão agora", "bom dia a todos"],
        "h.it": ["uno due tre quattro cinque"],
        "r.it": ["uno due tre quattro cinque"],
    }
    for name, lines in texts.items():
        write_lines(tmp_path / name, lines)
    sanity(
        tmp_path / "out" / "sanity.csv",
        hypotheses=[tmp_path / "h.pt", tmp_path / "h.it"],
        references=[tmp_path / "r.pt", tmp_path / "r.it"],
        languages=["pt", "it"],
        directions=["en-pt", "en-it"],
    )
    with (tmp_path / "out" / "sanity.csv").open() as stream:
        first, second = csv.DictReader(stream)
    assert list(first) == ["language", "direction", "bleu", "n", "signature"]
    assert float(first["bleu"]) == pytest.approx(corpus_bleu(texts["h.pt"], [texts["r.pt"]]).score, abs=1e-4)
    assert (first["language"], first["direction"], first["n"]) == ("pt", "en-pt", "2")
    assert first["signature"].startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")
    assert (second["language"], second["bleu"], second["n"]) == ("it", "100.0000", "1")


@pytest.mark.parametrize(
    ("references", "message"),
    [(["b"], "not parallel"), (["a", "b"], "differ in number"), (["c"], "no such file")],
)
def test_bad_sanity(tmp_path, references, message):
    write_lines(tmp_path / "a", ["x", "y"])
    write_lines(tmp_path / "b", ["x"])
    with pytest.raises(InputError, match=message):
        sanity(
            tmp_path / "out.csv",
            hypotheses=[tmp_path / "a"],
            references=[tmp_path / name for name in references],
            languages=["pt"],
            directions=["en-pt"],
        )


def test_sanity_of_nothing(tmp_path):
    write_lines(tmp_path / "a", [])
    with pytest.raises(InputError, match="no sentence"):
        sanity(
            tmp_path / "out.csv",
            hypotheses=[tmp_path / "a"],
            references=[tmp_path / "a"],
            languages=["pt"],
            directions=["x"],
        )
