"""M-Acc and BLEU of several systems: by hand on a few sentences, and against the command of one system."""

from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU

from workflow_scripts.control.data import Output
from workflow_scripts.control.m_acc import m_acc
from workflow_scripts.control.outputs import gather_outputs
from workflow_scripts.control.score import bleu, score
from workflow_scripts.control.test_set import make_test_set
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.statistics.comparison import Draws
from workflow_scripts.text.levels import LEVELS, TEST_DOMAINS

ROWS = ("system", "level", "part", "metric")


@pytest.fixture
def test_set(canonical, tmp_path):
    folder = tmp_path / "test"
    make_test_set(folder, corpus=canonical("de"))
    return folder


def outputs_of(folder: Path, test_set: Path, systems: dict[str, list[dict[str, str]]]) -> Path:
    """A manifest of runs; a run says which references stand at each level."""
    rows = []
    for system, runs in systems.items():
        for number, run in enumerate(runs):
            for level in LEVELS:
                path = folder / f"{system}.{level}.{number}.txt"
                write_lines(path, read_lines(test_set / f"{run[level]}.txt"))
                rows.append([system, level, f"run{number}", path])
    manifest = folder / "runs.csv"
    write_csv(manifest, ("system", "level", "run", "output"), rows)
    return manifest


def scored(
    folder: Path, test_set: Path, manifest: Path, **options: object
) -> dict[tuple[str, ...], dict[str, str]]:
    given = {"baseline": "", "resamples": 50, "confidence": 0.9, "seed": 1, **options}
    score(folder / "scores.csv", language="de", test_set=test_set, runs=manifest, **given)  # type: ignore[arg-type]
    rows = [row for _, row in read_rows(folder / "scores.csv", ROWS)]
    return {tuple(row[name] for name in ROWS): row for row in rows}


RIGHT = {"formal": "formal", "informal": "informal"}
WRONG = {"formal": "informal", "informal": "formal"}
ALWAYS = {"formal": "formal", "informal": "formal"}


def test_values_runs_and_tests_by_hand(test_set, tmp_path):
    write_lines(test_set / "neither.txt", ["Wer weiß ?"] * 9)
    neither = dict.fromkeys(LEVELS, "neither")
    systems = {"base": [ALWAYS], "tuned": [RIGHT, RIGHT], "mixed": [RIGHT, WRONG], "neither": [neither]}
    found = scored(tmp_path, test_set, outputs_of(tmp_path, test_set, systems), baseline="base")
    for part in (*TEST_DOMAINS, "in-domain", "out-of-domain", "all"):
        for mode in ("paper", "released"):
            metric = f"m_acc.{mode}"
            values = {
                system: [float(found[system, level, part, metric]["value"]) for level in (*LEVELS, "both")]
                for system in systems
            }
            assert values == {
                **{"base": [100, 0, 50], "tuned": [100, 100, 100]},
                **{"mixed": [50, 50, 50], "neither": [0, 0, 0]},
            }
    mixed = found["mixed", "both", "all", "m_acc.paper"]
    # Its runs are drawn too: all right, or all wrong.
    assert [float(mixed[name]) for name in ("lowest", "highest", "ci_low", "ci_high")] == [0, 100, 0, 100]
    assert (mixed["runs"], mixed["sentences"], mixed["matched"]) == ("2", "9", "18")
    # 50 above or below the baseline in every resample, and as good as it.
    tests = {
        name: [found[name, "both", "all", "m_acc.paper"][one] for one in ("p", "p_holm")] for name in systems
    }
    assert tests["base"] == ["", ""] and tests["mixed"] == ["1.000000"] * 2
    assert tests["tuned"] == tests["neither"] == [f"{1 / 51:.6f}", f"{3 / 51:.6f}"]
    assert found["tuned", "both", "all", "m_acc.paper"]["signature"] == (
        "m-acc|mode:paper|match:substring|case:mixed|lang:de|n:9|malformed:0|bs:50|seed:1|runs:2"
        "|mean:formal+informal"
    )


@pytest.mark.parametrize(("mode", "value", "count"), [("released", "0.833", 6), ("paper", "0.857", 7)])
def test_the_numbers_are_those_of_the_single_commands(test_set, tmp_path, mode, value, count):
    manifest = outputs_of(tmp_path, test_set, {"base": [ALWAYS]})
    path = tmp_path / "base.informal.0.txt"
    # One sentence is in the other style, one has nothing that is marked, one has both, and of one a phrase is
    # no token.
    lines = read_lines(test_set / "informal.txt")
    lines[0], lines[1], lines[2] = read_lines(test_set / "formal.txt")[0], "Wer weiß ?", "Sind Sie du ?"
    lines[3] = "Bist du, sicher ?"
    write_lines(path, lines)
    found = scored(tmp_path, test_set, manifest)
    m_acc(
        tmp_path / "one.csv",
        hypotheses=path,
        formal=test_set / "formal.annotated.txt",
        informal=test_set / "informal.annotated.txt",
        mode=mode,
        language="de",
    )
    one = {row["metric"]: row["value"] for _, row in read_rows(tmp_path / "one.csv", ("metric", "value"))}
    ours = found["base", "informal", "all", f"m_acc.{mode}"]
    assert f"{float(ours['value']) / 100:.3f}" == one["m_acc_informal"] == value
    assert int(ours["matched"]) == int(one["formal"]) + int(one["informal"]) == count
    theirs = BLEU().corpus_score(lines, [read_lines(test_set / "informal.txt")]).score
    assert float(found["base", "informal", "all", "bleu"]["value"]) == pytest.approx(theirs, abs=1e-6)
    low, high = (float(ours[name]) for name in ("ci_low", "ci_high"))
    assert low < float(ours["value"]) < high
    # The formal level is right in every resample, so that the mean of both moves half as far.
    both = found["base", "both", "all", f"m_acc.{mode}"]
    assert [float(both[name]) for name in ("ci_low", "ci_high")] == pytest.approx(
        [(100 + low) / 2, (100 + high) / 2], abs=1e-6
    )


def test_japanese_bleu_counts_the_words_of_mecab(tmp_path):
    lines, references = ["これは家です。", "猫がいる。"], ["それは家でした。", "猫がいます。"]
    files = [Output("one", "informal", "run0", tmp_path)]
    for language, options in (("ja", {"tokenize": "ja-mecab"}), ("de", {})):
        found = bleu(references, language, files, [lines], Draws(10, 0.9, 1))["one"]
        assert found.value == pytest.approx(BLEU(**options).corpus_score(lines, [references]).score)


def test_generic_test_sets_are_scored_by_bleu_alone(test_set, tmp_path):
    manifest = outputs_of(tmp_path, test_set, {"base": [RIGHT]})
    # Only the first = parts name and path.
    file = tmp_path / "wmt=1.txt"
    write_lines(file, ["Das ist ein Haus .", "Das war es ."])
    rows = [list(row.values()) for _, row in read_rows(manifest, ROWS[:2])]
    rows.append(["base", "wmt", "run0", str(file)])
    write_csv(manifest, ("system", "level", "run", "output"), rows)
    found = scored(tmp_path, test_set, manifest, generic=[f"wmt={file}"])
    assert float(found["base", "wmt", "all", "bleu"]["value"]) == pytest.approx(100)
    assert {key[3] for key in found if key[1] == "wmt"} == {"bleu"}


def classified_by(folder: Path, scores: dict[str, list[float]]) -> dict[str, object]:
    """Options for scores of a classifier, by the names of the files of translations without their ending."""
    files = []
    for name, values in scores.items():
        files.append(folder / f"{name}.scores.txt")
        write_lines(files[-1], map(str, values))
    write_lines(folder / "signature.txt", ["released weights:folder"])
    return {"classified": files, "classifier": folder / "signature.txt"}


def test_a_classifier_gives_each_translation_a_level(test_set, tmp_path):
    manifest = outputs_of(tmp_path, test_set, {"base": [ALWAYS], "tuned": [RIGHT, RIGHT]})
    # Three sentences a domain. At 0 both levels are equally probable, and a translation is not formal.
    always, never = [2.0] * 9, [-1.0] * 9
    logits = {
        **{"base.formal.0": always, "base.informal.0": always},
        **{"tuned.formal.0": [1.0, 0.0, -1.0] + [1.0] * 6, "tuned.informal.0": never},
        **{"tuned.formal.1": always, "tuned.informal.1": [1.0] * 3 + [-1.0] * 6},
    }
    given = classified_by(tmp_path, logits)
    found = scored(tmp_path, test_set, manifest, baseline="base", **given)

    def values(system: str, part: str) -> list[float]:
        rows = [found[system, level, part, "classifier"] for level in (*LEVELS, "both")]
        return [float(row["value"]) for row in rows]

    assert values("base", "all") == [100, 0, 50] == values("base", "in-domain")
    formal, informal = (100 * 7 / 9 + 100) / 2, (100 + 100 * 6 / 9) / 2
    assert values("tuned", "all") == pytest.approx([formal, informal, (formal + informal) / 2], abs=1e-5)
    first = TEST_DOMAINS[0]
    assert values("tuned", first) == pytest.approx([(100 / 3 + 100) / 2, 50, (200 / 3 + 50) / 2], abs=1e-5)
    row = found["tuned", "formal", "all", "classifier"]
    assert row["signature"].startswith("released weights:folder|n:9|bs:50") and row["p"]
    assert float(row["ci_low"]) <= float(row["value"]) <= float(row["ci_high"])
    # The other numbers do not depend on it.
    without = scored(tmp_path, test_set, manifest, baseline="base")
    assert without == {key: row for key, row in found.items() if key[3] != "classifier"}


@pytest.mark.parametrize(
    ("scores", "without", "problem"),
    [
        ({"a": [1.0] * 9}, "", "1 --classified for 2 files of translations"),
        ({"a": [1.0] * 9, "b": [1.0] * 8}, "", "8 scores where .* has 9 lines"),
        ({"a": [1.0] * 9, "b": [1.0] * 9}, "classifier", "scores without a classifier; give --classifier"),
    ],
)
def test_scores_of_other_translations_are_refused(test_set, tmp_path, scores, without, problem):
    given = classified_by(tmp_path, scores)
    given.pop(without, None)
    manifest = outputs_of(tmp_path, test_set, {"base": [RIGHT]})
    with pytest.raises(InputError, match=problem):
        scored(tmp_path, test_set, manifest, **given)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"baseline": "nobody"}, "baseline 'nobody'"),
        ({"generic": ["wmt"]}, "--generic wmt"),
        ({"generic": ["formal=x"]}, "--generic formal=x"),
    ],
)
def test_wrong_options_are_refused(test_set, tmp_path, change, problem):
    manifest = outputs_of(tmp_path, test_set, {"base": [RIGHT]})
    with pytest.raises(InputError, match=problem):
        scored(tmp_path, test_set, manifest, **change)


def test_wrong_files_are_refused(test_set, tmp_path):
    manifest = outputs_of(tmp_path, test_set, {"base": [RIGHT]})
    write_lines(tmp_path / "base.formal.0.txt", ["Eine Zeile ."])
    with pytest.raises(InputError, match="1 lines where the test set has 9"):
        scored(tmp_path, test_set, manifest)
    write_lines(test_set / "domains.txt", ["telephony"] * 8 + ["radio"])
    with pytest.raises(InputError, match="unknown domain 'radio'") as error:
        scored(tmp_path, test_set, manifest)
    assert error.value.line == 9


def test_a_run_that_one_level_lacks_is_named_with_its_manifest(test_set, tmp_path):
    manifest = outputs_of(tmp_path, test_set, {"base": [RIGHT, RIGHT]})
    lines = read_lines(manifest)
    write_lines(manifest, lines[:-1])
    with pytest.raises(InputError, match=r"runs\.csv: system 'base' has not as many runs at each level"):
        scored(tmp_path, test_set, manifest)


def test_outputs_come_in_one_file_or_in_one_per_domain(test_set, tmp_path):
    lines = read_lines(test_set / "formal.txt")
    parts = [tmp_path / f"{domain}.txt" for domain in TEST_DOMAINS]
    for number, path in enumerate(parts):
        write_lines(path, lines[3 * number : 3 * number + 3])
    domains = test_set / "domains.txt"
    gather_outputs(tmp_path / "out.txt", files=parts, domains=domains)
    assert read_lines(tmp_path / "out.txt") == lines
    gather_outputs(tmp_path / "out.txt", files=[test_set / "formal.txt"], domains=domains)
    assert read_lines(tmp_path / "out.txt") == lines
    write_lines(parts[1], lines[:2])
    with pytest.raises(InputError, match="2 lines where topical_chat has 3"):
        gather_outputs(tmp_path / "out.txt", files=parts, domains=domains)
    with pytest.raises(InputError, match="2 files, but 3 domains"):
        gather_outputs(tmp_path / "out.txt", files=parts[:2], domains=domains)
    write_lines(parts[1], [*lines[:2], ""])
    with pytest.raises(InputError, match="empty line"):
        gather_outputs(tmp_path / "out.txt", files=parts, domains=domains)
    write_lines(tmp_path / "domains.txt", ["", *read_lines(domains)[1:]])
    with pytest.raises(InputError, match=r"domains\.txt:1: empty line"):
        gather_outputs(
            tmp_path / "out.txt", files=[test_set / "formal.txt"], domains=tmp_path / "domains.txt"
        )


def test_signatures_say_which_language_model_was_asked(test_set, tmp_path):
    manifest = outputs_of(tmp_path, test_set, {"llm": [RIGHT], "other": [RIGHT]})
    facts = []
    for number, prompt in enumerate("ab"):
        facts.append(tmp_path / f"{number}.csv")
        write_csv(facts[-1], ("system", "signature"), [("llm", f"prompted:m|prompt:{prompt}")])
    found = scored(tmp_path, test_set, manifest, made_by=facts)
    for (system, *_), row in found.items():
        ends = row["signature"].endswith("|prompted:m|prompt:a|prompted:m|prompt:b")
        assert ends is (system == "llm")
    write_csv(facts[0], ("system", "signature"), [("lm", "prompted:m")])
    with pytest.raises(InputError, match=r"0\.csv:2: no system 'lm'; did you mean 'llm'"):
        scored(tmp_path, test_set, manifest, made_by=facts)
