"""The sheet asks for everything once, and does not tell whose it is."""

from collections import Counter

import pytest

from tests.human.conftest import FORMAL, INFORMAL, OUTPUTS
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, write_lines
from workflow_scripts.human.scales import LETTERS
from workflow_scripts.human.sheets import Entry, Item, read_items, read_key
from workflow_scripts.human.tasks import tasks

Made = tuple[list[Item], list[Entry]]


def test_every_text_is_asked_once_and_counts_for_all_who_wrote_it(made):
    items, key = made
    shown = {item.item: item for item in items}
    for sentence, informal in enumerate(INFORMAL, 1):
        mine = [entry for entry in key if entry.sentence == sentence]
        for task, systems in (
            ("formality", ["copy", "gold", *OUTPUTS]),
            ("fluency", ["copy", "gold", *OUTPUTS]),
            ("meaning", ["gold", *OUTPUTS]),
        ):
            entries = {entry.system: entry for entry in mine if entry.task == task}
            assert sorted(entries) == sorted(systems)
            found = {}
            for system, entry in entries.items():
                item = shown[entry.item]
                assert item.task == task
                assert item.informal == (informal if task == "meaning" else "")
                if system in OUTPUTS:
                    assert item.text == OUTPUTS[system][sentence - 1]
                elif system == "copy":
                    assert item.text == informal
                else:
                    assert item.text.rstrip(" !.") == FORMAL[sentence - 1].rstrip(".")
                found[entry.item] = item.text
            # One item per distinct text.
            assert len(set(found.values())) == len(found)
    assert {entry.item for entry in key} >= set(shown)


def test_rankings_show_distinct_outputs_and_the_key_has_their_letters(made):
    items, key = made
    rankings = {item.item: item for item in items if item.task == "ranking"}
    entries = [entry for entry in key if entry.task == "ranking"]
    # All systems left the last sentence as it was: nothing to order, but the key has it.
    assert len(rankings) == 3 and len({entry.item for entry in entries}) == 4
    assert {entry.option for entry in entries if entry.sentence == 4} == {"A"}
    for entry in entries:
        if entry.sentence < 4:
            item = rankings[entry.item]
            assert item.options[LETTERS.index(entry.option)] == OUTPUTS[entry.system][entry.sentence - 1]
            assert len(set(item.options)) == len(item.options)
            assert item.informal == INFORMAL[entry.sentence - 1] and item.rewrite
    assert Counter(len(item.options) for item in rankings.values()) == {2: 1, 3: 2}


def test_the_sheet_names_no_system(made, tmp_path):
    text = (tmp_path / "sheet.csv").read_text(encoding="utf-8")
    assert not any(name in text for name in ("gold", "copy", "rules", "tag", "multi"))
    names = [item.item for item in made[0]]
    assert len(set(names)) == len(names)
    assert all(len(name) == 10 and set(name) <= set("0123456789abcdef") for name in names)


def test_the_order_of_items_and_options_does_not_follow_the_systems(texts, tmp_path):
    write_lines(tmp_path / "informal.txt", [f"phrase {i}" for i in range(200)])
    for i in (0, 1):
        write_lines(tmp_path / f"ref{i}.txt", [f"Phrase {i}." for i in range(200)])
    for place, path in enumerate(texts["outputs"]):
        write_lines(path, [f"phrase {i} {'xyz'[place]}" for i in range(200)])
    tasks(tmp_path / "sheet.csv", tmp_path / "key.csv", **texts | {"sentences": 200})
    letters = Counter(
        (entry.system, entry.option) for entry in read_key(tmp_path / "key.csv") if entry.task == "ranking"
    )
    assert len(letters) == 9
    # 200 draws with probability 1/3: 67 ± 4 standard deviations.
    assert all(40 <= count <= 94 for count in letters.values())
    # Which item of a sentence a rater meets first: 200 draws with probability 1/5, 40 ± 4 deviations.
    place = {item.item: at for at, item in enumerate(read_items(tmp_path / "sheet.csv"))}
    asked = [entry for entry in read_key(tmp_path / "key.csv") if entry.task == "formality"]
    first = {entry.sentence: entry for entry in sorted(asked, key=lambda one: -place[one.item])}
    met = Counter(entry.system for entry in first.values())
    assert len(met) == 5 and all(17 <= count <= 63 for count in met.values())


def test_the_set_of_a_sentences_rewrite_is_drawn(texts, tmp_path):
    write_lines(tmp_path / "informal.txt", [f"phrase {i}" for i in range(200)])
    for i in (0, 1):
        write_lines(tmp_path / f"ref{i}.txt", [f"Phrase {i}." for _ in range(200)])
    for path in texts["outputs"]:
        write_lines(path, ["phrase"] * 200)
    tasks(tmp_path / "sheet.csv", tmp_path / "key.csv", **texts | {"sentences": 200})
    shown = {item.item: item.text for item in read_items(tmp_path / "sheet.csv")}
    gold = [entry for entry in read_key(tmp_path / "key.csv") if entry.system == "gold"]
    runs = {entry.sentence: entry.run for entry in gold}
    # 200 draws with probability 1/2: 100 ± 4 standard deviations. All tasks show the same rewrite.
    assert 72 <= sum(runs.values()) <= 128
    assert all(shown[one.item] == f"Phrase {one.run}." and one.run == runs[one.sentence] for one in gold)


def test_batches_hold_whole_sentences_task_by_task(made):
    items, key = made
    batch = {item.item: item.batch for item in items}
    by_sentence: dict[int, set[int]] = {}
    for entry in key:
        if entry.item in batch:
            by_sentence.setdefault(entry.sentence, set()).add(batch[entry.item])
    assert all(len(found) == 1 for found in by_sentence.values())
    assert Counter(next(iter(found)) for found in by_sentence.values()) == {1: 2, 2: 2}
    order = [(item.batch, ["formality", "fluency", "meaning", "ranking"].index(item.task)) for item in items]
    assert order == sorted(order)


def test_the_same_seed_gives_the_same_sheet_and_another_one_does_not(texts, made, tmp_path):
    tasks(tmp_path / "again.csv", tmp_path / "again.key.csv", **texts)
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "sheet.csv").read_bytes()
    assert (tmp_path / "again.key.csv").read_bytes() == (tmp_path / "key.csv").read_bytes()
    tasks(tmp_path / "other.csv", tmp_path / "other.key.csv", **texts | {"seed": 2})
    assert not {i.item for i in read_items(tmp_path / "other.csv")} & {i.item for i in made[0]}
    # A sheet that raters have is made again by any later version, byte for byte.
    assert [digest(tmp_path / name)[:12] for name in ("sheet.csv", "key.csv")] == [
        "853f15c4a823",
        "87b1b796d911",
    ]


def test_items_keep_their_names_when_a_system_is_added(texts, made, tmp_path):
    write_lines(tmp_path / "new.txt", [f"{text} nouveau" for text in INFORMAL])
    more = {"systems": [*texts["systems"], "new"], "outputs": [*texts["outputs"], tmp_path / "new.txt"]}
    tasks(tmp_path / "more.csv", tmp_path / "more.key.csv", **texts | more)
    found = {item.item for item in read_items(tmp_path / "more.csv")}
    assert {item.item for item in made[0] if item.task != "ranking"} <= found


def test_fewer_sentences_are_drawn_by_the_seed_and_a_shortage_is_reported(texts, tmp_path, capsys):
    drawn = set()
    for seed in range(20):
        tasks(tmp_path / "s.csv", tmp_path / "k.csv", **texts | {"sentences": 1, "seed": seed})
        drawn |= {entry.sentence for entry in read_key(tmp_path / "k.csv")}
    assert drawn == {1, 2, 3, 4}
    assert capsys.readouterr().err == ""
    tasks(tmp_path / "s.csv", tmp_path / "k.csv", **texts | {"sentences": 9})
    assert "only 4 sentences of 9" in capsys.readouterr().err


def test_one_system_is_not_ranked_and_gold_may_be_shown_only(texts, tmp_path):
    one = {"systems": ["rules"], "outputs": texts["outputs"][:1], "gold": None, "copy": None}
    tasks(tmp_path / "s.csv", tmp_path / "k.csv", **texts | one)
    key = read_key(tmp_path / "k.csv")
    assert {entry.system for entry in key} == {"rules"}
    assert {entry.task for entry in key} == {"formality", "fluency", "meaning"}
    many = {"systems": list(LETTERS), "outputs": texts["outputs"][:1] * len(LETTERS)}
    tasks(tmp_path / "s.csv", tmp_path / "k.csv", **texts | many)
    with pytest.raises(InputError, match="a ranking has at most 26 options; rate fewer systems"):
        tasks(
            tmp_path / "s.csv",
            tmp_path / "k.csv",
            **texts | {"systems": [*LETTERS, "more"], "outputs": [*many["outputs"], texts["outputs"][0]]},
        )


def test_bad_input_is_reported(texts, tmp_path):
    files = (tmp_path / "s.csv", tmp_path / "k.csv")
    with pytest.raises(InputError, match="a name of its own"):
        tasks(*files, **texts | {"gold": "rules"})
    with pytest.raises(InputError, match="one file of outputs"):
        tasks(*files, **texts | {"outputs": texts["outputs"][:2]})
    with pytest.raises(InputError, match=r"informal\.txt: no sentences, or no rewrites"):
        tasks(*files, **texts | {"references": []})
    write_lines(texts["outputs"][1], INFORMAL[:3])
    with pytest.raises(InputError, match="not parallel"):
        tasks(*files, **texts)
    write_lines(texts["outputs"][1], ["", *INFORMAL[1:]])
    with pytest.raises(InputError, match=r"tag\.txt:1: "):
        tasks(*files, **texts)
    assert not files[0].exists()
