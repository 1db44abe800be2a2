from workflow_scripts.wiring.output_raters import OutputRaters

from .conftest import Job


def test_raters_of_the_demo_are_simulated_and_their_scores_are_in_table_7(demo):
    raters = OutputRaters(demo.systems)
    assert raters.simulated and raters.screened == raters.tested == raters.languages == raters.asked
    assert raters.options[0] == "--human" and raters.options[-1] == "--simulated"
    assert raters.texts == {"gold": "gold", "copy": "copy"} and raters.rows("fr")[:2] == ["gold", "copy"]
    assert set(raters.rated("fr")) < set(demo.systems.rows_in("fr")) - {"gold", "copy"}
    assert raters.reviews(Job(lang="fr")) == ["build/human/fr/simulated/reviews/fr.csv"]


def test_of_sentences_that_are_not_the_demos_there_are_sheets_only(wired):
    raters = OutputRaters(wired(scale="open", corpora={"xformal": "cocoa-mt"}).systems)
    assert (raters.simulated, raters.languages, raters.options, raters.screened) == (False, [], [], [])
    assert {"results/human/fr.html", "results/human/fr.qualification.csv"} <= set(raters.sheets())


def test_nobody_is_asked_where_no_row_is_to_be_rated(wired):
    raters = OutputRaters(wired(rows=["gold", "copy"]).systems)
    assert raters.asked == raters.scores == [] and "results/human/fr.csv" not in raters.sheets()


def test_workers_are_those_of_whom_people_sent_files(wired, tmp_path):
    for name in ("workers/fr.csv", "workers/it.csv", "reviews/it.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    raters = OutputRaters(wired(human={"ratings": str(tmp_path)}).systems)
    assert (raters.simulated, set(raters.screened)) == (False, {"fr", "it"})
    assert raters.reviews(Job(lang="fr")) == []
    assert raters.reviews(Job(lang="it")) == [f"{tmp_path}/reviews/it.csv"]


def test_pages_are_in_the_raters_language_where_it_is_written(wired):
    own, english = (OutputRaters(wired(human={"interface": one}).systems) for one in ("native", "english"))
    assert [len(own.native(lang)) for lang in ("fr", "en", "de")] == [1, 0, 0]
    assert english.native("fr") == []
