"""Test sets of the shared tasks, in languages that CoCoA-MT lacks: read, scored, in a leaf."""

from collections import Counter
from itertools import chain
from statistics import median

import pytest

from tests.conftest import ROOT
from tests.control.conftest import SENTENCES, shared_task, shared_task_train
from tests.control.test_score import ALWAYS, RIGHT, WRONG, outputs_of
from tests.encoders.test_released import checkpoint
from workflow_scripts.control.data import TestSet, read_test_set
from workflow_scripts.control.matching import label
from workflow_scripts.control.score import score
from workflow_scripts.control.test_set import make_test_set
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, read_numbers, write_lines
from workflow_scripts.corpora.cocoa import KINDS, read_texts
from workflow_scripts.corpora.iwslt2022 import read_submission
from workflow_scripts.corpora.shared_task import read_shared_task
from workflow_scripts.corpora.shared_task_train import read_shared_task_train
from workflow_scripts.encoders.released import released
from workflow_scripts.encoders.score import score as classify
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.cocoa_mt.shared_tasks import KEYS, shared_tasks
from workflow_scripts.text.levels import LEVELS, OF_COCOA, SHARED_TASKS, WITH_SEGMENTS
from workflow_scripts.text.markers import phrases

DRAWN = {"resamples": 50, "confidence": 0.9, "seed": 1}


@pytest.mark.parametrize("name", [name for name in SHARED_TASKS if name not in OF_COCOA])
def test_a_test_set_without_domains_is_one_part(tmp_path, name):
    folder = shared_task(tmp_path / "release", name)
    read_shared_task(tmp_path / "test", folder=folder, language=name[:2])
    tests = read_test_set(tmp_path / "test")
    assert tests.source == [source for source, *_ in SENTENCES]
    assert tests.annotated["informal"] == [informal for *_, informal in SENTENCES]
    assert tests.places("all") == [0, 1, 2] and not tests.places("in-domain") + tests.places("call_center")


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        ("formal.ru", None, "no such file"),
        ("formal.ru", b"", "empty file"),
        ("en", b"a\n\nb\n", "en:2: empty line"),
        ("informal.ru", b"a\n", "1 lines, but .*en has 3"),
        (
            "formal.annotated.ru",
            b"[F]a[/F]\nb\nc\n",
            "annotated.ru:1: without its markers it is not this line",
        ),
        ("formal.ru", b"\xff\n", "UTF-8"),
    ],
)
def test_a_damaged_test_set_is_refused(tmp_path, kind, content, message):
    folder = shared_task(tmp_path / "release", "ru-2022")
    path = folder / f"en-ru/formality-control.test.en-ru.{kind}"
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_shared_task(tmp_path / "test", folder=folder, language="ru")
    assert not (tmp_path / "test").exists()


def test_training_segments_are_read_domain_by_domain(tmp_path):
    folder = shared_task_train(tmp_path / "release", "ko-2023")
    read_shared_task_train(tmp_path / "train", folder=folder, language="ko")
    texts = dict(zip(KINDS, read_texts(tmp_path / "train", "train", KINDS), strict=True))
    assert texts["en"] == [source for source, *_ in SENTENCES] * 2
    assert texts["formal.annotated"] == [formal for _, formal, _ in SENTENCES] * 2
    assert len(list((tmp_path / "train").iterdir())) == 2 * len(KINDS)
    # Without those that are tested.
    write_lines(tmp_path / "tested.txt", ["Is it you?", SENTENCES[1][0]])
    given = {"folder": folder, "language": "ko", "tested": tmp_path / "tested.txt"}
    read_shared_task_train(tmp_path / "train", **given)
    texts = dict(zip(KINDS, read_texts(tmp_path / "train", "train", KINDS), strict=True))
    assert texts["en"] == [SENTENCES[place][0] for place in (0, 2)] * 2
    assert texts["informal.annotated"] == [SENTENCES[place][2] for place in (0, 2)] * 2
    write_lines(tmp_path / "tested.txt", [source for source, *_ in SENTENCES])
    with pytest.raises(InputError, match="every sentence is in the test set"):
        read_shared_task_train(tmp_path / "train", **given)


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        ("informal.ko", None, "no such file"),
        ("en", b"a\n", "3 lines, but .*en has 1"),
        ("formal.annotated.ko", b"a\nb\nc\n", "annotated.ko:1: without its markers it is not this line"),
    ],
)
def test_damaged_training_segments_are_refused(tmp_path, kind, content, message):
    folder = shared_task_train(tmp_path / "release", "ko-2023")
    path = folder / f"en-ko/formality-control.train.topical_chat.en-ko.{kind}"
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_shared_task_train(tmp_path / "train", folder=folder, language="ko")
    assert not (tmp_path / "train").exists()


def test_a_submission_in_a_language_that_the_corpus_lacks_keeps_its_order(tmp_path):
    write_lines(tmp_path / "source.en", ["a", "b"])
    (tmp_path / "mine").write_bytes(b"1\r\n2\r\n")
    given = {"submission": tmp_path / "mine", "source": tmp_path / "source.en"}
    read_submission(tmp_path / "out.txt", **given)
    assert read_lines(tmp_path / "out.txt") == ["1", "2"]
    (tmp_path / "mine").write_bytes(b"1\n")
    with pytest.raises(InputError, match="1 translations for 2 sentences"):
        read_submission(tmp_path / "out.txt", **given)


def test_the_leaf_has_a_row_for_each_test_set_system_and_mode(tmp_path):
    scores = []
    for name in ("ru-2022", "ko-2023"):
        place = tmp_path / name
        read_shared_task(place / "test", folder=shared_task(place, name), language=name[:2])
        systems = {"right": [RIGHT], "formal": [ALWAYS], "varying": [RIGHT, WRONG]}
        runs = outputs_of(place, place / "test", systems)
        scores.append(place / "scores.csv")
        given = {"language": name, "test_set": place / "test", "runs": runs, "baseline": "formal"}
        score(scores[-1], **given, **DRAWN)  # type: ignore[arg-type]
    labels = [("right", "RIGHT"), ("formal", "ALWAYS FORMAL"), ("varying", "VARYING")]
    write_csv(tmp_path / "systems.csv", ("system", "label"), labels)
    printed = ROOT / "resources/printed/cocoa-mt/shared-tasks.csv"
    given = {"scores": scores, "sets": ["ru-2022", "ko-2023"], "printed": printed}
    files = tmp_path / "table.csv", tmp_path / "table.compare.csv"
    shared_tasks(*files, **given, systems=tmp_path / "systems.csv")
    table = [row for _, row in read_rows(files[0], ("set", "system", "mode"))]
    assert [row["set"] for row in table] == ["ru-2022"] * 6 + ["ko-2023"] * 6
    shown = {row["system"]: [row[name] for name in ("f", "i", "avg", "matched", "bleu")] for row in table}
    assert shown["RIGHT"] == ["100.0", "100.0", "100.0", "100.0", "100.0"]
    assert shown["ALWAYS FORMAL"][:4] == ["100.0", "0.0", "50.0", "100.0"]
    assert shown["VARYING"][:3] == ["50.0", "50.0", "50.0"]
    cells = {tuple(row[key] for key in KEYS): row for _, row in read_rows(files[1], KEYS)}
    cell = cells["ko-2023", "VARYING", "released", "f"]
    assert cell["ours"] == "50.0" and cell["ci_low"] == "0.0" and cell["ci_high"] == "100.0"
    assert cell["comparable"] == "no: not printed" and "|lang:ko-2023|" in cell["signature"]
    assert "range:0.0..100.0" in cell["signature"]
    # A test against the baseline, which itself has none.
    assert "|p_holm:" in cell["signature"]
    assert "|p_holm:" not in cells["ko-2023", "ALWAYS FORMAL", "released", "f"]["signature"]
    write_csv(tmp_path / "systems.csv", ("system", "label"), labels[1:])
    with pytest.raises(InputError, match="no label for system 'right'"):
        shared_tasks(*files, **given, systems=tmp_path / "systems.csv")


def test_the_leaf_has_the_accuracy_of_a_classifier_where_one_has_scored(tmp_path):
    """A tiny classifier, whose outputs are called LABEL_0 and LABEL_1, as those of IWSLT 2023's."""
    pytest.importorskip("transformers")
    from safetensors.torch import load_file, save_file

    read_shared_task(tmp_path / "test", folder=shared_task(tmp_path, "ko-2023"), language="ko")
    words = {"formal": ["please edit", "thanks", "now"], "informal": ["stop now", "page edit", "unheard"]}
    runs = []
    for level, lines in words.items():
        runs.append(["one", level, "run0", tmp_path / f"{level}.txt"])
        write_lines(runs[-1][-1], lines)
    write_csv(tmp_path / "runs.csv", ("system", "level", "run", "output"), runs)
    folder = checkpoint(tmp_path / "checkpoint", {0: "LABEL_0", 1: "LABEL_1"})
    model = tmp_path / "classifier"
    targets = [tmp_path / f"{level}.scores.txt" for level in LEVELS]
    given = {"batch_size": 8, "max_length": 32, "device": "cpu", "precision": "float32", "threads": 1}

    def logits_of() -> dict[str, list[float]]:
        released(model, folder=folder, positive="formal", negative="informal", name="folder", place=1)
        classify(model, sources=[path for *_, path in runs], targets=targets, **given)  # type: ignore[arg-type]
        return {level: read_numbers(path) for level, path in zip(LEVELS, targets, strict=True)}

    # Half of the six translations are formal after this.
    weights = load_file(folder / "model.safetensors")
    weights["classifier.out_proj.bias"][1] -= median(chain(*logits_of().values()))
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    logits = logits_of()
    assert sum(value > 0 for values in logits.values() for value in values) == 3
    options = {"language": "ko-2023", "test_set": tmp_path / "test", "runs": tmp_path / "runs.csv"}
    options |= {"classified": targets, "classifier": model / "signature.txt"}
    score(tmp_path / "scores.csv", **options, **DRAWN)  # type: ignore[arg-type]
    write_csv(tmp_path / "systems.csv", ("system", "label"), [("one", "ONE")])
    files = tmp_path / "table.csv", tmp_path / "table.compare.csv"
    printed = ROOT / "resources/printed/cocoa-mt/shared-tasks.csv"
    shown = {"sets": ["ko-2023"], "systems": tmp_path / "systems.csv", "printed": printed}
    shared_tasks(*files, scores=[tmp_path / "scores.csv"], **shown)
    row = next(row for _, row in read_rows(files[0], ("set", "classifier_f")))
    formal = 100 * sum(value > 0 for value in logits["formal"]) / 3
    informal = 100 * sum(value <= 0 for value in logits["informal"]) / 3
    numbers = [float(row[f"classifier_{name}"]) for name in ("f", "i", "avg")]
    assert numbers == pytest.approx([formal, informal, (formal + informal) / 2], abs=0.06)
    cells = {row["metric"]: row for _, row in read_rows(files[1], KEYS)}
    signed = cells["classifier_f"]["signature"]
    assert signed.startswith(
        f"released weights:folder@{digest(folder / 'model.safetensors')[:12]}|formal: output 1"
    )
    assert cells["classifier_i"]["ci_low"] and cells["classifier_avg"]["comparable"] == "no: not printed"


@pytest.fixture(scope="module")
def real_sets(mirror, real, tmp_path_factory):
    """The released test sets by name."""
    found = {}
    for name in SHARED_TASKS:
        language, _, year = name.partition("-")
        out = tmp_path_factory.mktemp(name) / "test"
        if name in OF_COCOA:
            make_test_set(out, corpus=real(language))
        else:
            read_shared_task(out, folder=mirror / f"cocoa-mt/IWSLT{year}/data/test", language=language)
        found[name] = read_test_set(out)
    return found


def counts_of(tests: TestSet, texts: list[str], name: str) -> Counter[str]:
    """How many of some texts have each label."""
    rows = zip(texts, *(tests.annotated[level] for level in LEVELS), strict=True)
    return Counter(label(*row, mode="released", language=name) for row in rows)


def test_how_many_of_the_released_references_are_counted(real_sets):
    """docs/differences.md: in Korean punctuation marks hide the verbs that end sentences."""
    assert {name: len(tests.source) for name, tests in real_sets.items()} == {
        **{"ru-2022": 600, "ko-2023": 597, "pt-2023": 599, "ru-2023": 600, "vi-2023": 598}
    }
    assert not set(real_sets["ru-2022"].source) & set(real_sets["ru-2023"].source)
    korean = counts_of(real_sets["ko-2023"], real_sets["ko-2023"].plain["formal"], "ko-2023")
    assert korean == {"FORMAL": 270, "NEUTRAL": 242, "OTHER": 85}
    marks = str.maketrans(dict.fromkeys(".?!,", " "))
    tests = real_sets["ko-2023"]
    spaced = [" ".join(text.translate(marks).split(" ")) for text in tests.plain["formal"]]
    assert counts_of(tests, spaced, "ko-2023")["NEUTRAL"] < 50
    vietnamese = counts_of(real_sets["vi-2023"], real_sets["vi-2023"].plain["formal"], "vi-2023")
    assert vietnamese["INFORMAL"] == 3
    portuguese = counts_of(real_sets["pt-2023"], real_sets["pt-2023"].plain["informal"], "pt-2023")
    assert portuguese["FORMAL"] == 2


def test_the_portuguese_is_european(real_sets):
    """docs/differences.md: what the Brazilian list calls informal is formal there."""
    marked = {
        level: Counter(
            phrase.strip().casefold()
            for line in real_sets["pt-2023"].annotated[level]
            for phrase in phrases(line)
        )
        for level in LEVELS
    }
    words = ("você", "seu", "tu", "teu")
    assert [marked["formal"][word] for word in words] == [13, 194, 0, 0]
    assert [marked["informal"][word] for word in words] == [0, 0, 13, 194]
    assert "informal\tword\tvocê" in read_lines(ROOT / "resources/levels/pt.tsv")


@pytest.mark.parametrize("name", WITH_SEGMENTS)
def test_the_released_training_segments(mirror, real_sets, tmp_path, name):
    """docs/differences.md: 400 of each language, some of which are tested, with the same references."""
    language, _, year = name.partition("-")
    folder = mirror / "cocoa-mt" if name in OF_COCOA else mirror / f"cocoa-mt/IWSLT{year}/data/train"
    given = {"folder": folder, "language": language}
    tests = real_sets[name]
    write_lines(tmp_path / "tested.txt", tests.source)
    kept = {}
    for part, tested in (("all", None), ("kept", tmp_path / "tested.txt")):
        read_shared_task_train(tmp_path / part, **given, tested=tested)
        segments = zip(*read_texts(tmp_path / part, "train", ("en", *LEVELS)), strict=True)
        kept[part] = {source: references for source, *references in segments}
    references = zip(tests.plain["formal"], tests.plain["informal"], strict=True)
    known = {source: list(pair) for source, pair in zip(tests.source, references, strict=True)}
    tested = {source: pair for source, pair in kept["all"].items() if source in known}
    same = sum(known[source] == pair for source, pair in tested.items())
    assert len(kept["all"]) == 400 == len(kept["kept"]) + len(tested) and not kept["kept"].keys() & known
    assert (len(tested), same) == {"ko-2023": (105, 105), "pt-2023": (116, 115), "vi-2023": (108, 106)}[name]


def test_the_submissions_in_russian(mirror, real_sets, tmp_path):
    """docs/gallery: most systems that saw no labelled Russian are formal only; one of UoS' is not."""
    release, tests = mirror / "cocoa-mt", real_sets["ru-2022"]
    source = release / "IWSLT2022/data/test/en-ru/formality-control.test.en-ru.en"
    found = {}
    for path in sorted((release / "IWSLT2022/submissions").glob("**/blind-test/*.formal.ru")):
        shares = []
        for level in LEVELS:
            submission = path.with_name(path.name.replace(".formal.", f".{level}."))
            read_submission(tmp_path / "out.txt", submission=submission, source=source)
            counts = counts_of(tests, read_lines(tmp_path / "out.txt"), "ru-2022")
            # Of UMD 3, which hardly translates, none is counted.
            counted = counts["FORMAL"] + counts["INFORMAL"] or 1
            shares.append(rounded(100 * counts[level.upper()] / counted, 1))
        team = "uos" if "uos" in str(path) else "umd"
        found[f"{team}-{path.name.split('.')[0][-1]}"] = shares
    assert len(found) == 9
    assert all(float(formal) > 98 for formal, _ in found.values())
    assert found["uos-4"] == ["99.5", "85.8"]
    assert all(float(informal) < 24 for name, (_, informal) in found.items() if name != "uos-4")
