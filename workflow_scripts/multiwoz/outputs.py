"""A system's answers, in the JSON of the standard evaluator: `{"sng0073": [{"response": ..}, ..], ..}`.

Each turn has `response`, and may have `state` (domain -> slot -> value) and `active_domains`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import writing
from workflow_scripts.core.json_files import read_json
from workflow_scripts.multiwoz.belief import State
from workflow_scripts.multiwoz.data import Dialogue


@dataclass(frozen=True)
class Output:
    """An answer: delexicalised text, the state it is based on, and its active domains; None if not given."""

    response: str
    state: State | None = None
    active: tuple[str, ...] | None = None


Outputs = dict[str, list[Output]]


def read_outputs(path: Path, dialogues: Sequence[Dialogue], *, partial: bool = False) -> Outputs:
    """The outputs for all `dialogues`, by id; ids in the file may have capitals and `.json`.

    With `partial`, dialogues and last turns of dialogues may be missing, as in published predictions. Raises
    InputError, naming dialogue and turn, for content that is not in this layout, and for a dialogue that is
    missing, unknown, duplicated, or of a wrong number of turns.
    """
    content = read_json(path)
    if not isinstance(content, dict):
        raise InputError("not an object of dialogues", path=path)
    outputs: Outputs = {}
    sizes = {dialogue.id: len(dialogue.turns) for dialogue in dialogues}
    for name, turns in content.items():
        key = name.lower().removesuffix(".json")
        if key not in sizes:
            raise InputError(f"dialogue {name!r} is not in the test set", path=path)
        if key in outputs:
            raise InputError(f"a second dialogue {name!r}", path=path)
        count = len(turns) if isinstance(turns, list) else 0
        if not isinstance(turns, list) or not (count == sizes[key] or (partial and 0 < count < sizes[key])):
            raise InputError(f"dialogue {name!r}: {count} turns instead of {sizes[key]}", path=path)
        outputs[key] = [
            _output(path, f"dialogue {name!r}, turn {n}", turn) for n, turn in enumerate(turns, 1)
        ]
    if not outputs:
        raise InputError("no dialogue", path=path)
    if not partial and (missing := sizes.keys() - outputs.keys()):
        raise InputError(f"{len(missing)} dialogues are missing, first {min(missing)!r}", path=path)
    return outputs


def write_outputs(path: Path, outputs: Outputs) -> None:
    """Write outputs in the same layout, without the fields that are not given."""
    content = {
        name: [
            {
                "response": output.response,
                **({} if output.state is None else {"state": output.state}),
                **({} if output.active is None else {"active_domains": list(output.active)}),
            }
            for output in turns
        ]
        for name, turns in outputs.items()
    }
    with writing(path) as stream:
        json.dump(content, stream, ensure_ascii=False, indent=1)
        stream.write("\n")


def _output(path: Path, place: str, turn: Any) -> Output:
    if not isinstance(turn, dict) or not isinstance(turn.get("response"), str):
        raise InputError(f"{place}: no text 'response'", path=path)
    state = turn.get("state")
    if state is not None and not _is_state(state):
        raise InputError(f"{place}: 'state' is not domain -> slot -> text", path=path)
    active = turn.get("active_domains")
    if active is not None and not (
        isinstance(active, list) and all(isinstance(name, str) for name in active)
    ):
        raise InputError(f"{place}: 'active_domains' is not a list of texts", path=path)
    return Output(turn["response"], state, None if active is None else tuple(name.lower() for name in active))


def _is_state(content: Any) -> bool:
    return isinstance(content, dict) and all(
        isinstance(slots, dict) and all(isinstance(text, str) for text in slots.values())
        for slots in content.values()
    )
