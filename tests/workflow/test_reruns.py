"""A change reruns what depends on it and nothing else, by the jobs of a dry run."""

import textwrap
from collections.abc import Callable

import pytest

pytestmark = pytest.mark.slow
TABLES = {"table7", "table7_compare"}
RATINGS = {"human_simulate", "human_ratings", "human_aggregate"}
SCORING = {"score_formality", "score_fluency", "evaluate"}
TRAINING = {
    "train_nmt",
    "train_regressor",
    "train_lm",
    "train_supervised",
    "train_prior",
    "train_unsupervised",
}


def test_nothing_changed_nothing_to_do(finished):
    assert finished.jobs() == set()


def test_a_filter_of_bitext_reruns_what_follows_but_not_the_regressor(finished):
    jobs = finished.jobs(overlay="filtering: {max_tokens: 24}")
    assert {"curate_bitext", "gather", "pools", "sample_formal", "train_lm"} <= jobs
    assert {"score_fluency", "evaluate"} | TABLES <= jobs
    assert not jobs & {"train_regressor", "encoder", "train_nmt", "translate_ratings", "shard", "bicleaner"}


def test_beam_size_reruns_decoding_and_scoring_but_not_training(finished):
    jobs = finished.jobs(overlay="transfer: {decoding: {beam_size: 3}}")
    assert {"decode_supervised", "decode_informal_text"} | SCORING | TABLES <= jobs
    # BACKTRANSLATE is trained on what the base decodes; no other training depends on the beam.
    assert not jobs & (TRAINING - {"train_supervised"})


def test_the_backends_own_settings_rerun_translation_but_not_its_training(finished):
    jobs = finished.jobs(overlay="translation: {nmt: {decoding: {beam_size: 3}}}")
    assert {"translate_gyafc", "translate_ratings", "translate_to_pivot", "train_supervised"} <= jobs
    assert "train_nmt" not in jobs


def test_the_size_of_the_encoder_reruns_it_and_the_regressors(finished):
    jobs = finished.jobs(overlay="formality: {encoder: {layers: 2}}")
    assert {"encoder", "train_regressor", "score_formality"} <= jobs
    assert not jobs & {"train_nmt", "translate_ratings"}


def test_bootstrap_count_reruns_evaluation_only_wherever_it_is_set(finished):
    expected = {"evaluate", "human_aggregate"} | TABLES
    assert finished.jobs(overlay="evaluation: {resamples: 50}") == expected
    assert finished.jobs("--config", "evaluation={resamples: 50}") == expected


def test_a_new_seed_trains_one_more_model(finished):
    overlay = "systems: {translate-train-tag: {seeds: [1, 2, 3]}}"
    jobs = finished.jobs(overlay=overlay)
    assert {"train_supervised", "decode_supervised"} <= jobs
    assert not jobs & (TRAINING - {"train_supervised"})


def test_a_new_rerun_of_an_unsupervised_system_trains_one_model(finished):
    jobs = finished.jobs(overlay="systems: {unmt: {seeds: [1, 2, 3]}}")
    assert jobs == {"train_unsupervised", "decode_unsupervised", "list_outputs"} | SCORING | TABLES


def test_the_directions_of_backtranslate_rerun_its_training_only(finished):
    jobs = finished.jobs(overlay="systems: {backtranslate: {directions: back}}")
    rated = {"human_tasks"} | RATINGS
    assert jobs == {"synthetic_pairs", "train_supervised", "decode_supervised"} | SCORING | rated | TABLES


def test_the_weight_of_the_language_models_reruns_dlsm_only(finished):
    jobs = finished.jobs(overlay="systems: {dlsm: {lm_weight: 0.2}}")
    assert jobs == {"train_unsupervised", "decode_unsupervised"} | SCORING | TABLES


def test_other_input_trains_nothing(finished):
    row = "{label: RAW INPUT, kind: other_input, of: translate-train-tag, input: copy}"
    jobs = finished.jobs(overlay=f"systems: {{raw: {row}}}")
    assert jobs == {"decode_supervised", "list_outputs", "list_files"} | SCORING | TABLES


def test_more_raters_rerun_their_ratings_only(finished):
    assert finished.jobs(overlay="human: {raters: 4}") == RATINGS | TABLES


def test_edits_that_no_rule_can_notice_rerun_nothing(finished):
    """Comments, docstrings, and a function that nothing calls."""
    edits = (
        ("workflow_scripts/core/files.py", '"""Reading and writing', '"""Writing and reading'),
        ("workflow_scripts/core/files.py", "# No name and no time", "# Neither name nor time"),
        ("workflow_scripts/core/files.py", "\n@contextmanager", "\ndef unused(): ...\n\n\n@contextmanager"),
        ("workflow_scripts/evaluation/evaluate.py", '"""', '"""Another docstring. '),
        ("rules/evaluation.smk", '"""The metrics', '"""Metrics'),
    )
    undo: list[Callable[[], None]] = []
    try:
        undo.extend(finished.edit(*edit) for edit in edits)
        assert finished.jobs() == set()
    finally:
        for back in reversed(undo):
            back()


def test_an_edited_function_reruns_the_rules_that_reach_it(finished):
    undo = finished.edit("workflow_scripts/statistics/bleu.py", "\nclass ", "\n@object\nclass ")
    try:
        # All that has a metric reaches what metrics call, ratings and their columns too; nothing is trained.
        assert finished.jobs() == {"evaluate", "human_aggregate", "table6"} | TABLES
    finally:
        undo()
    undo = finished.edit(
        "workflow_scripts/translation/job.py", 'return " ".join(', 'answer += ""\n    return " ".join('
    )
    try:
        jobs = finished.jobs()
        assert {"translate_gyafc", "train_supervised"} <= jobs
        # What is trained on translations runs again; the translation models themselves do not.
        assert not jobs & {"train_nmt", "bicleaner", "gather", "learn_nmt_text"}
    finally:
        undo()


def test_settings_that_are_no_part_of_a_result_rerun_nothing(finished):
    """Where things lie, what a job may use, and Bicleaner's threshold without a pack."""
    overlay = """
    cache: elsewhere
    licensed: elsewhere
    mirror: elsewhere
    device: cpu
    fluency: {memory: 600M}
    filtering: {bicleaner: {threshold: 0.6}}
    """
    assert finished.jobs(overlay=textwrap.dedent(overlay)) == set()


def test_more_questions_rerun_nothing_that_does_not_read_them(finished):
    # No row of Table 7 is made of L6; the rows of UNMT and DLSM (IN-DOMAIN) are made of L26.
    assert finished.jobs(overlay="demo: {questions: 70}") == set()
    jobs = finished.jobs(overlay="demo: {questions_fr: 210}")
    assert {"demo_yahoo_fr", "read_yahoo_fr", "train_unsupervised", "evaluate"} <= jobs
    assert not jobs & {"demo_world", "demo_gyafc", "train_nmt", "train_regressor", "train_supervised"}
