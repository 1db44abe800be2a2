from .conftest import Job


def test_without_rewritten_dialogues_there_is_one_set_and_no_further_data(wired):
    dialogue = wired(corpora={"impolite": "none"}).dialogue
    assert dialogue.sets == ["polite"] and dialogue.rated == []
    assert not any(one.kind == "augmented" for one in dialogue.systems.values())
    assert all(row[3] == "-" for row in dialogue.listed_responses())
    assert len(dialogue.all_responses()) == len(dialogue.listed_responses())


def test_more_data_is_what_a_transfer_wrote_or_what_people_did(wired):
    more = {"kind": "augmented", "of": "ubar"}
    systems = {
        "a": {**more, "label": "A", "data": "transfer"},
        "b": {**more, "label": "B", "data": "rewrites"},
    }
    dialogue = wired(dialogue={"systems": systems}).dialogue
    assert dialogue.further(Job(system="a")) == ["build/users/augmentation.jsonl"]
    assert dialogue.further(Job(system="b")) == ["build/dialogue/augmentation/impolite.jsonl"]
    assert dialogue.further_option(Job(system="ubar")) == []
    # The same model, settings and seeds.
    assert dialogue.trained(Job(system="a")) is dialogue.systems["ubar"]
    assert dialogue.seeds("a") == dialogue.seeds("ubar")
    assert dialogue.of_kinds("causal").split("|").count("a") == 1


def test_the_first_training_has_no_number(wired):
    dialogue = wired(dialogue={"systems": {"ubar": {"seeds": [5, 9]}}}).dialogue
    assert [dialogue.seed(Job(system="ubar", training=part)) for part in ("", ".run1")] == [5, 9]
    assert dialogue.responses("ubar", "polite", 1) == "build/responders/ubar.run1/polite.json"
    assert [row[0] for row in dialogue.listed_responses()].count("ubar") == 2


def test_a_model_from_scratch_has_no_checkpoint(wired):
    assert wired().dialogue.checkpoint(Job(system="ubar")) == []
    hub = wired(dialogue={"systems": {"ubar": {"model": {"kind": "hub"}}}}).dialogue
    assert hub.initial_option(Job(system="ubar")) == ["--initial=build/responders/ubar/checkpoint"]


def test_where_nobody_has_rewritten_only_the_maker_of_the_corpus_rewrites(wired):
    users = wired(corpora={"impolite": "transfer"}, style={"corpus": {"by": "rules"}}).users
    assert list(users.systems) == ["rules"] == [users.made_by]
    assert list(wired(corpora={"impolite": "none"}).users.systems) == []
    demo = wired().users
    assert demo.people_rewrote and demo.made_by is None and demo.texts.keys() > {"original", "people"}
