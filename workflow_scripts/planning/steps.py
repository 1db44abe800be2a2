"""Which rules do the same work on other files, and so share a row of `resources/rates.csv`."""

from __future__ import annotations

# Steps by rule; another rule is a step of its own name.
STEPS = {
    **dict.fromkeys(("score_formality", "score_seeds_formality"), "score formality"),
    **dict.fromkeys(("train_regressor", "train_fold"), "train regressor"),
    **dict.fromkeys(("decode_supervised", "decode_seed", "decode_informal_text"), "decode"),
    "train_copying": "train_supervised",
    **dict.fromkeys(("learn_text", "learn_synthetic_text", "learn_nmt_text", "learn_own_text"), "learn text"),
    **dict.fromkeys(("training_pairs", "dev_pairs", "synthetic_dev_pairs", "multi_task_pairs"), "pieces"),
    **dict.fromkeys(("synthetic_pairs", "nmt_bitext", "own_pairs", "copying_pairs"), "pieces"),
    **dict.fromkeys(("curate_sentences", "curate_in_domain"), "curate sentences"),
    **dict.fromkeys(("pools", "pools_in_domain"), "pools"),
    **dict.fromkeys(("read_yahoo", "read_yahoo_fr"), "read yahoo"),
    **dict.fromkeys(("copy", "gold", "outputs", "round_trip"), "copy"),
    **dict.fromkeys(("own_responses", "own_rewrites", "own_scores"), "copy"),
    **dict.fromkeys(("score_fluency", "score_seeds_fluency"), "score fluency"),
    **dict.fromkeys(("train_punkt", "train_english_punkt"), "train punkt"),
    **dict.fromkeys(("list_outputs", "list_files"), "list files"),
    "train_generic": "train transformer",
    # Its batches are smaller.
    "train_tuned": "tune transformer",
    **dict.fromkeys(("decode_generic", "winomt_generic"), "decode transformer"),
    **dict.fromkeys(("decode_tuned", "winomt_tuned"), "decode transformer"),
    **dict.fromkeys(("decode_generic_ted", "decode_tuned_ted"), "decode transformer"),
    **dict.fromkeys(("score_controlled", "score_upsampled"), "score_controlled"),
    **dict.fromkeys(("winomt", "winomt_of_system"), "winomt"),
    "generic_text": "learn text",
    "generic_pieces": "pieces",
}
CLASSIFIED = {
    **dict.fromkeys(("train_classifier", "train_formality_classifier"), "train classifier"),
    **dict.fromkeys(
        ("score_requests", "score_rated_requests", "score_formal_requests", "score_politeness_of_styles"),
        "score classifier",
    ),
}
STEPS |= CLASSIFIED
SCORED = ("subtitles", "yahoo", "in_domain", "held_out", "fold", "styles", "pivots")
STEPS |= {f"score_{name}": "score formality" for name in SCORED}
