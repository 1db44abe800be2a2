"""Any file of responses into the evaluator: scores come out, or one line that names the file does."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.corpora.fuzzing import folder, fuzz, names_place, put
from tests.corpora.test_fuzz_dialogues import near
from tests.multiwoz.small import database
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.dialogue.evaluate import evaluate

CENTRE = {"restaurant": {"area": "centre"}}
TURN = {"response": "take [value_name]", "state": CENTRE, "active_domains": ["restaurant"]}
TEST_SET = {
    "id": "d1",
    "services": ["restaurant"],
    "goal": {"restaurant": {"informable": {"area": "centre"}, "requestable": ["phone"]}},
    "turns": [{"user": "u", "system": "Take it .", "state": CENTRE, "booked": [], "acts": [], "spans": []}],
}


@fuzz
@given(near({"D1.json": [TURN]}), st.sampled_from(["standard", "older"]))
def test_fuzz_responses(data, mode):
    with folder() as root:
        database(root)
        known = put(root / "test.jsonl", json.dumps(TEST_SET).encode())
        given_files: dict[str, Any] = {"dialogues": known, "databases": sorted(root.glob("*_db.json"))}
        scores, verdicts = root / "scores.csv", root / "verdicts.csv"
        try:
            evaluate(scores, verdicts, outputs=put(root / "mine.json", data), mode=mode, **given_files)
        except InputError as error:
            assert names_place(error, root) and not scores.exists() and not verdicts.exists()
        else:
            rows = [row for _, row in read_rows(scores, ("metric", "signature"))]
            # Outputs without states are judged with the test set's, of which every one would be right.
            own = "|states:own" in rows[0]["signature"]
            metrics = ["inform", "success", "bleu", "combined", *(["states"] if own else [])]
            assert [row["metric"] for row in rows] == metrics
