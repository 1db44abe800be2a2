from workflow_scripts.wiring.manifests import Manifests


def test_the_pools_of_the_domain_count_where_a_system_is_trained_on_samples_of_them(demo, wired):
    assert {row[0] for row in Manifests(demo.systems).rows["table6"]} >= {"L26, FORMAL", "L26, INFORMAL"}
    without = Manifests(wired(rows=["unmt", "gold"]).systems)
    assert {row[0] for row in without.rows["table6"][1:]} == {"UNMT/DLSM"}
    folder = "build/filtering/opensubtitles/fr"
    samples = [row for row in without.rows["table6-samples"] if "fr" in row]
    assert samples == [("UNMT/DLSM", "opensubtitles", "fr", "unsupervised", f"{folder}/formal.samples.tsv")]
    assert without.plotted == ["unmt"] and [row[0] for row in without.rows["table7"][1:]] == ["gold", "unmt"]


def test_of_each_text_the_first_run_is_shown_and_all_are_drawn(wired):
    twice = {"unmt": {"seeds": [1, 2]}}
    manifests = Manifests(wired(rows=["unmt", "copy", "gold"], languages=["fr"], systems=twice).systems)
    xformal, unmt = "build/corpora/xformal/fr", "build/unsupervised/fr/unmt"
    shown = [f"{xformal}/informal.txt", f"{xformal}/formal.ref0.txt", f"{unmt}/run0.txt"]
    assert manifests.files("table8") == shown
    assert manifests.files("table8", "figure3") == [*shown, *shown, f"{unmt}/run1.txt"]


def test_m_acc_is_of_all_systems_where_references_are_annotated(demo, wired):
    assert Manifests(demo.systems).files("m-acc") == []
    manifests = Manifests(wired(corpora={"xformal": "cocoa-mt"}, rows=["gold"], languages=["fr"]).systems)
    assert manifests.annotated == ["fr"]
    assert manifests.files("m-acc")[0] == "build/transfer/fr/gold/run0.txt"
