"""Runs in ConvLab's environment: what the DAMD that it ships answers, and its weights.

    python convlab_damd.py FOLDER

FOLDER/dialogues.json is a list of dialogues, each a list of turns: the user's words, their words without
values, and six numbers for database and booking. Written are FOLDER/weights.npz, FOLDER/words.json (in the
order of their numbers), and FOLDER/answers.json: for each turn belief, act and response as words, and the
log-probabilities of the belief's words.

Only the network is imported: ConvLab's packages import much else that is not needed for it, and its reader
asks for data that is no part of the package.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import types
from pathlib import Path

import numpy as np
import torch

SPANS = ("bspn", "aspn", "resp")


def put_packages() -> Path:
    """Let ConvLab's modules be imported without what their packages import; the folder of DAMD."""
    found = importlib.util.find_spec("convlab")
    assert found is not None
    assert found.submodule_search_locations
    folder = Path(found.submodule_search_locations[0])
    for name in ("convlab", "convlab.e2e", "convlab.e2e.damd", "convlab.e2e.damd.multiwoz"):
        package = types.ModuleType(name)
        package.__path__ = [str(folder.parent.joinpath(*name.split(".")))]
        sys.modules[name] = package
    return folder / "e2e/damd/multiwoz"


class Reader:
    """What the network asks of ConvLab's reader."""

    def __init__(self, vocabulary):
        self.vocab = vocabulary


def put(inputs, name, numbers, one_hot):
    """A span or an utterance, as the network takes it."""
    numbers = np.array([numbers])
    listed = np.where(numbers >= 3000, 2, numbers)
    inputs[f"{name}_np"], inputs[f"{name}_unk_np"] = numbers, listed
    inputs[name], inputs[f"{name}_nounk"] = torch.from_numpy(listed), torch.from_numpy(numbers)
    inputs[f"{name}_onehot"] = one_hot(listed)


def answered(network, vocabulary, one_hot, turns):
    """The spans of each turn; the network reads its own of the turn before."""
    found, before = [], {name: [1] for name in SPANS}
    decoder = network.bspn_decoder
    scores = decoder.get_probs
    for number, (user, plain, pointer) in enumerate(turns):
        inputs = {"db": torch.tensor([pointer], dtype=torch.float32)}
        for name, text in (("user", user), ("usdx", plain)):
            put(inputs, name, vocabulary.sentence_encode([*text.split(), "<eos_u>"]), one_hot)
        for name in SPANS:
            put(inputs, f"pv_{name}", before[name], one_hot)
        logs = []

        def kept(*given, logs=logs, **named):
            every = scores(*given, **named)
            logs.append(every.max().item())
            return every

        decoder.get_probs = kept
        with torch.no_grad():
            decoded = network(inputs, {}, number == 0, mode="test")
        decoder.get_probs = scores
        before = {name: [one for one in decoded[name][0] if one] for name in SPANS}
        texts = [vocabulary.sentence_decode(before[name]) for name in SPANS]
        found.append([*texts, logs[: len(before["bspn"])]])
    return found


def main(folder: Path) -> None:
    home = put_packages()
    from convlab.e2e.damd.multiwoz.config import global_config
    from convlab.e2e.damd.multiwoz.damd_net import DAMD, get_one_hot_input
    from convlab.e2e.damd.multiwoz.utils import Vocab

    # The numbers for the database are given.
    global_config.use_true_db_pointer = True
    global_config.cuda = False
    trained = home / global_config.eval_load_path
    vocabulary = Vocab(global_config.vocab_size)
    vocabulary.load_vocab(str(trained / "vocab"))
    network = DAMD(Reader(vocabulary)).eval()
    weights = torch.load(trained / "model.pkl", map_location="cpu", weights_only=True)["lstd"]
    network.load_state_dict(weights)
    dialogues = json.loads((folder / "dialogues.json").read_text())
    answers = [answered(network, vocabulary, get_one_hot_input, turns) for turns in dialogues]
    (folder / "answers.json").write_text(json.dumps(answers))
    words = [vocabulary.decode(number) for number in range(vocabulary.vocab_size_oov)]
    (folder / "words.json").write_text(json.dumps(words))
    np.savez(folder / "weights.npz", **{name: one.numpy() for name, one in weights.items()})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
