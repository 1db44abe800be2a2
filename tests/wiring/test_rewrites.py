import pytest

from workflow_scripts.wiring.rewrites import Rewrites

from .conftest import Job, Wired


def rewrites(**overlay) -> Rewrites:
    return Wired(overlay).rewrites


def test_english_has_gyafcs_test_set_where_there_is_one():
    english = rewrites()
    assert english.languages[-1] == "en" and english.labels[-1] == "EN"
    assert english.informal(Job(lang="en")) == "build/corpora/gyafc/test.informal.txt"
    assert len(english.references(Job(lang="en"))) == 4
    assert english.scores(Job(lang="en"))[1] == "build/rewrites/en/formality/formal.ref0.txt"
    assert "en" not in rewrites(corpora={"gyafc": "cocoa-mt"}).languages


def test_annotations_are_of_people_or_simulated_at_demo_scale(tmp_path, capsys):
    simulated = rewrites()
    assert (simulated.annotator, list(simulated.sheets)) == ("simulated", simulated.languages)
    assert rewrites(scale="open").sheets == {}
    (tmp_path / "fr.csv").touch()
    sent = rewrites(analysis={"annotations": str(tmp_path)})
    assert (sent.annotator, sent.sheets) == ("manual", {"fr": f"{tmp_path}/fr.csv"})
    (tmp_path / "fr.csv").unlink()
    with pytest.raises(SystemExit):
        rewrites(analysis={"annotations": str(tmp_path)})
    assert f"no file {'.csv, '.join(sent.languages)}.csv in the folder" in capsys.readouterr().err
