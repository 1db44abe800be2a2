import re
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tests.papers.conftest import every_leaf_is_as_documented
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, read_numbers, write_lines
from workflow_scripts.formality.classified import classified
from workflow_scripts.formality.folds import split
from workflow_scripts.formality.unpaired import (
    best_threshold,
    paired_accuracy,
    unpaired,
    unpaired_accuracy,
    unpaired_auc,
)
from workflow_scripts.papers.xformal.formality_ratings import CAVEAT, ratings

__all__ = ["every_leaf_is_as_documented"]
RECIPE = {"shortest": 1, "longest": 4, "min_sentences": 2, "penalty": 2.0}


class TestFolds:
    def parts(self, folder, sentences, folds, seed=1):
        half = len(sentences) // 2
        for name, rows in (("a", range(half)), ("b", range(half, len(sentences)))):
            write_lines(folder / f"{name}.txt", (sentences[i] for i in rows))
            write_lines(folder / f"{name}.scores", (str(i) for i in rows))
        split(
            folder / "out",
            sentences=[folder / "a.txt", folder / "b.txt"],
            scores=[folder / "a.scores", folder / "b.scores"],
            folds=folds,
            seed=seed,
        )
        return {
            (fold, part): [
                (int(number), sentence)
                for sentence, number in zip(
                    read_lines(folder / f"out/{fold}/{part}.sentences.txt"),
                    read_lines(folder / f"out/{fold}/{part}.scores.txt"),
                    strict=True,
                )
            ]
            for fold in range(1, folds + 1)
            for part in ("train", "test")
        }

    def test_each_sentence_is_tested_once_and_trained_on_elsewhere(self, tmp_path):
        sentences = [f"sentence {number}" for number in range(23)]
        found = self.parts(tmp_path, sentences, 5)
        everything = list(enumerate(sentences))
        assert sorted(row for fold in range(1, 6) for row in found[fold, "test"]) == everything
        for fold in range(1, 6):
            assert len(found[fold, "test"]) in (4, 5)
            rest = [row for row in everything if row not in found[fold, "test"]]
            assert found[fold, "train"] == rest
            assert found[fold, "test"] == sorted(found[fold, "test"])

    def test_equal_sentences_stay_together(self, tmp_path):
        sentences = [f"{word} {number % 7}" for number, word in enumerate(["Hello", "hello ", "HELLO"] * 7)]
        found = self.parts(tmp_path, sentences, 3)
        for fold in range(1, 4):
            tested = {sentence.casefold().replace("  ", " ") for _, sentence in found[fold, "test"]}
            trained = {sentence.casefold().replace("  ", " ") for _, sentence in found[fold, "train"]}
            assert not tested & trained

    def test_seed_decides(self, tmp_path):
        sentences = [f"sentence {number}" for number in range(40)]
        folders = [tmp_path / name for name in "abc"]
        one, two, three = (
            self.parts(folder, sentences, 4, seed) for folder, seed in zip(folders, (1, 1, 2), strict=True)
        )
        assert one == two
        assert one != three

    @pytest.mark.parametrize("folds", [1, 5])
    def test_bad_number_of_folds(self, tmp_path, folds):
        with pytest.raises(InputError, match=f"cannot be divided into {folds} folds"):
            self.parts(tmp_path, ["a", "b", "c", "A"], folds)

    def test_files_that_do_not_match(self, tmp_path):
        write_lines(tmp_path / "a", ["x", "y"])
        write_lines(tmp_path / "s", ["1"])
        with pytest.raises(InputError, match="not parallel"):
            split(tmp_path / "o", sentences=[tmp_path / "a"], scores=[tmp_path / "s"], folds=2, seed=1)
        with pytest.raises(InputError, match="1 files of sentences but 0 of scores"):
            split(tmp_path / "o", sentences=[tmp_path / "a"], scores=[], folds=2, seed=1)


class TestUnpaired:
    # Content decides more than style does: each rewrite is one above its sentence, items are two apart.
    LOW = np.array([0.0, 2.0, 4.0, 6.0])
    HIGH = np.array([[1.0], [3.0], [5.0], [7.0]])

    def test_paired_by_hand(self):
        assert paired_accuracy(self.LOW, self.HIGH) == 1.0

    def test_unpaired_by_hand(self):
        """Rewrite j beats sentence i if i < j: 6 of the 12 pairs of different items."""
        assert unpaired_auc(self.LOW, self.HIGH) == 0.5

    def test_ties_are_half(self):
        low, high = np.array([1.0, 2.0, 1.0]), np.array([[1.0], [1.0], [2.0]])
        # Pairs: a tie, a loss, a win.
        assert paired_accuracy(low, high) == 0.5
        # Rewrite 0 against 2, 1: 0 and 0.5; rewrite 1 against 1, 1: two ties; rewrite 2 against 1, 2: 1, 0.5.
        assert unpaired_auc(low, high) == pytest.approx((0 + 0.5 + 0.5 + 0.5 + 1 + 0.5) / 6)

    @settings(max_examples=50)
    @given(data=some.data(), count=some.integers(2, 8), references=some.integers(1, 3))
    def test_auc_is_the_share_of_pairs_of_different_items(self, data, count, references):
        values = some.lists(some.integers(0, 5), min_size=count, max_size=count)
        low = np.array(data.draw(values), float)
        high = np.array([data.draw(values) for _ in range(references)], float).T
        wins = [
            1.0 if high[j, r] > low[i] else 0.5 if high[j, r] == low[i] else 0.0
            for i in range(count)
            for j in range(count)
            for r in range(references)
            if i != j
        ]
        assert unpaired_auc(low, high) == pytest.approx(sum(wins) / len(wins))

    def test_auc_is_that_of_scikit_learn_where_pairs_do_not_matter(self):
        from sklearn.metrics import roc_auc_score

        rng = np.random.default_rng(1)
        low, high = rng.normal(size=2000), rng.normal(0.5, size=(2000, 1))
        truth = roc_auc_score([0] * 2000 + [1] * 2000, np.concatenate([low, high[:, 0]]))
        assert unpaired_auc(low, high) == pytest.approx(truth, abs=0.001)

    def test_threshold_by_hand(self):
        # Between 2 and 3: only the informal 4 is wrong; between 4 and 5 it is the formal 3, of fewer.
        assert best_threshold(np.array([1.0, 2.0, 4.0]), np.array([3.0, 5.0])) == 2.5
        # No threshold is better than that which calls everything formal: the lowest wins.
        assert best_threshold(np.array([2.0, 3.0]), np.array([0.0, 1.0])) == 0.0

    def test_accuracy_of_styles_that_a_threshold_parts(self):
        rng = np.random.default_rng(2)
        low, high = rng.uniform(0, 1, 100), rng.uniform(2, 3, (100, 2))
        assert unpaired_accuracy(low, high, 1) == 1.0

    def test_accuracy_of_chance(self):
        rng = np.random.default_rng(3)
        low = rng.normal(size=4000)
        assert unpaired_accuracy(low, rng.normal(size=(4000, 1)), 1) == pytest.approx(0.5, abs=0.02)

    def test_the_threshold_is_not_chosen_on_the_sentences_that_it_judges(self):
        """Of so few sentences the best threshold is right for most by chance alone, and for no others."""
        found = []
        for seed in range(400):
            rng = np.random.default_rng(seed)
            found.append(unpaired_accuracy(rng.normal(size=8), rng.normal(size=(8, 1)), seed))
        assert np.mean(found) == pytest.approx(0.5, abs=0.03)

    def test_what_reaches_the_threshold_is_formal(self):
        # All scores are the threshold: every informal sentence is judged wrongly, every formal one rightly.
        assert unpaired_accuracy(np.zeros(4), np.zeros((4, 1)), 1) == 0.5

    def test_pairs_overstate(self, tmp_path):
        rng = np.random.default_rng(4)
        content = rng.normal(size=500)
        for lang, shift in (("pt", 0.1), ("it", 0.0)):
            write_lines(tmp_path / f"{lang}.low", map(str, content))
            write_lines(tmp_path / f"{lang}.0", map(str, content + shift))
            write_lines(tmp_path / f"{lang}.1", map(str, content + shift))
        unpaired(
            tmp_path / "out.csv",
            languages=["pt", "it"],
            informal=[tmp_path / "pt.low", tmp_path / "it.low"],
            formal=[tmp_path / f"{lang}.{ref}" for lang in ("pt", "it") for ref in "01"],
            seed=1,
        )
        rows = [line.split(",") for line in read_lines(tmp_path / "out.csv")]
        assert rows[0] == ["language", "measure", "value", "n"]
        values = {(lang, measure): float(value) for lang, measure, value, _ in rows[1:]}
        assert values["pt", "paired_accuracy"] == 1.0
        assert 0.5 < values["pt", "unpaired_auc"] < 0.6
        assert values["pt", "overstatement"] == pytest.approx(1.0 - values["pt", "unpaired_auc"])
        assert values["it", "paired_accuracy"] == 0.5
        assert values["it", "unpaired_auc"] == pytest.approx(0.5)
        assert {n for *_, n in rows[1:]} == {"500"}

    def test_files_that_do_not_match(self, tmp_path):
        write_lines(tmp_path / "low", ["1"] * 5)
        write_lines(tmp_path / "high", ["1"] * 4)
        low, high = tmp_path / "low", tmp_path / "high"
        with pytest.raises(InputError, match="4 scores but 5"):
            unpaired(tmp_path / "o", languages=["pt"], informal=[low], formal=[high], seed=1)
        with pytest.raises(InputError, match="2 languages, 2 informal and 3 formal files"):
            unpaired(tmp_path / "o", languages=["pt", "it"], informal=[low] * 2, formal=[low] * 3, seed=1)
        write_lines(low, ["1"] * 3)
        with pytest.raises(InputError, match="3 scores, too few"):
            unpaired(tmp_path / "o", languages=["pt"], informal=[low], formal=[low], seed=1)


class TestLeaf:
    FOLDS = "language,spearman,n\n1,0.600000,10\n2,0.700000,11\n"

    HELD_OUT = "language,spearman,n\npt,0.512345,7\nfr,nan,7\n"

    def leaf(self, folder, folds=FOLDS, scale="paper", held_out=HELD_OUT):
        (folder / "folds.csv").write_text(folds)
        (folder / "held_out.csv").write_text(held_out)
        for name, value in (("regressor", "0.555555"), ("classifier", "0.9")):
            (folder / f"{name}.csv").write_text(f"language,measure,value,n\npt,unpaired_auc,{value},9\n")
        (folder / "printed.csv").write_text(
            "judge,measure,lang,printed\nregressor,spearman,pt,64\nregressor,spearman,en,81\n"
        )
        ratings(
            folder / "table.csv",
            folder / "compare.csv",
            folds=folder / "folds.csv",
            held_out=folder / "held_out.csv",
            regressor=folder / "regressor.csv",
            classifier=folder / "classifier.csv",
            encoder="hub",
            printed=folder / "printed.csv",
            scale=scale,
        )
        return read_lines(folder / "table.csv"), read_lines(folder / "compare.csv")

    def test_by_hand(self, tmp_path):
        table, compare = self.leaf(tmp_path)
        assert table == [
            "judge,measure,lang,value,n",
            "regressor,spearman,en,65.0,21",
            "regressor,spearman_sd,en,7.1,21",
            "regressor,spearman_fold1,en,60.0,10",
            "regressor,spearman_fold2,en,70.0,11",
            "regressor,spearman,pt,51.2,7",
            "regressor,spearman,fr,,7",
            "regressor,unpaired_auc,pt,55.6,9",
            "classifier,unpaired_auc,pt,90.0,9",
        ]
        assert compare[1].startswith(f'regressor,spearman,pt,64,51.2,-12.8,"no: {CAVEAT}",held_out.csv@')
        assert compare[2].startswith(f'regressor,spearman,en,81,65.0,-16.0,"no: {CAVEAT}",folds.csv@')
        assert compare[1].endswith("|n:7|encoder:hub|folds:1")
        assert [line.split(",")[1:3] for line in compare[3:]] == [
            ["spearman_sd", "en"],
            ["spearman_fold1", "en"],
            ["spearman_fold2", "en"],
            ["spearman", "fr"],
            ["unpaired_auc", "pt"],
            ["unpaired_auc", "pt"],
        ]
        assert compare[-1].startswith("classifier,unpaired_auc,pt,,90.0,,no: not printed,classifier.csv@")
        assert compare[-1].endswith("|n:9|encoder:ngrams|folds:2")
        # What is no correlation has no remark about the correlations of another data set.
        assert compare[-2].startswith("regressor,unpaired_auc,pt,,55.6,,no: not printed,regressor.csv@")
        assert compare[3].endswith("|n:21|encoder:hub|folds:2")

    def test_a_fold_without_a_correlation_leaves_the_mean_without_one(self, tmp_path):
        table, _ = self.leaf(tmp_path, folds="language,spearman,n\n1,nan,10\n2,0.7,11\n")
        assert table[1:5] == [
            "regressor,spearman,en,,21",
            "regressor,spearman_sd,en,,21",
            "regressor,spearman_fold1,en,,10",
            "regressor,spearman_fold2,en,70.0,11",
        ]

    def test_scale_is_marked(self, tmp_path):
        _, compare = self.leaf(tmp_path, scale="open")
        assert all(re.search(r',"?no: open[,"]', line) for line in compare[1:])
        assert any(
            '"no: open, ratings of PT16, not of the paper\'s 200 sentences"' in line for line in compare[1:]
        )

    def test_bad_tables(self, tmp_path):
        with pytest.raises(InputError, match="1 folds"):
            self.leaf(tmp_path, folds="language,spearman,n\n1,0.6,10\n")
        with pytest.raises(InputError, match=r"folds\.csv:3: 'x' is not a number"):
            self.leaf(tmp_path, folds="language,spearman,n\n1,0.6,10\n2,x,11\n")
        with pytest.raises(InputError, match=r"held_out\.csv:2: 'x' is not a number"):
            self.leaf(tmp_path, held_out="language,spearman,n\npt,x,7\n")


class TestStyle:
    OPTIONS: ClassVar = {"folds": 4, "seed": 1, "threads": 1, **RECIPE}

    def scores(self, folder, informal, formal, **options):
        sources = [folder / f"{number}.txt" for number in range(1 + len(formal))]
        for path, texts in zip(sources, [informal, *formal], strict=True):
            write_lines(path, texts)
        targets = [path.with_suffix(".scores") for path in sources]
        classified(sources=sources, targets=targets, **{**self.OPTIONS, **options})
        return [read_numbers(path) for path in targets]

    def test_separates_styles(self, tmp_path):
        informal = [f"oi cara tudo bem {number}" for number in range(40)]
        formal = [f"caro senhor como vai {number}" for number in range(40)]
        low, high, other = self.scores(tmp_path, informal, [formal, formal])
        assert max(low) < 0 < min(high)
        assert high == other

    def test_does_not_know_the_sentence_that_it_judges(self, tmp_path):
        """Each word occurs in one item alone, so that it says nothing out of its fold."""
        rng = np.random.default_rng(1)
        words = ["".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), 8)) for _ in range(200)]
        low, high = self.scores(tmp_path, words[:100], [words[100:]])
        assert 0.3 < paired_accuracy(np.array(low), np.array(high)[:, None]) < 0.7

    def test_item_stays_in_one_fold(self, tmp_path):
        """A sentence and its rewrite are alike: in training they would pull each other's score down."""
        texts = [f"{word} {word}" for word in ("alfa", "beto", "gama", "delta")] * 2
        low, high = self.scores(tmp_path, texts, [texts])
        assert low == high == [0.0] * 8

    def test_files_that_do_not_match(self, tmp_path):
        with pytest.raises(InputError, match="not parallel"):
            self.scores(tmp_path, ["a", "b"], [["a"]])
        with pytest.raises(InputError, match="1 sources and 1 targets"):
            self.scores(tmp_path, ["a", "b"], [])
        with pytest.raises(InputError, match="3 sentences for 4 folds"):
            self.scores(tmp_path, ["a", "b", "c"], [["a", "b", "c"]])
