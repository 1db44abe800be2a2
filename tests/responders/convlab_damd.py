"""Runs in ConvLab's environment: the answers of its DAMD, and its weights.

    python convlab_damd.py FOLDER [small]

FOLDER/dialogues.json is a list of dialogues, each a list of turns: the user's words, their words without
values, and six numbers for database and booking. Written are FOLDER/weights.npz, FOLDER/words.json (in the
order of their numbers), and FOLDER/answers.json: for each turn belief, act and response as words, and the
log-probabilities of the belief's words, with `small` of the words of each.

With `small` the network is a small one with drawn weights instead, and all is written to FOLDER/damd.json:
`vocabulary` (how many of the `words` can be generated), `hundredths` (the weights, 100 times), `answers`. The
file of this name beside this one has been made so, for whoever has no ConvLab.

Only the network is imported: ConvLab's packages import much else that is not needed for it, and its reader
asks for data that is no part of the package.
"""

import importlib.util
import json
import sys
import types
from pathlib import Path

import numpy as np
import torch

SPANS = ("bspn", "aspn", "resp")
# Words of a span, or a response, of the small network.
LONGEST = 6


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
    from convlab.e2e.damd.multiwoz.config import global_config

    numbers = np.array([numbers])
    listed = np.where(numbers >= global_config.vocab_size, 2, numbers)
    inputs[f"{name}_np"], inputs[f"{name}_unk_np"] = numbers, listed
    inputs[name], inputs[f"{name}_nounk"] = torch.from_numpy(listed), torch.from_numpy(numbers)
    inputs[f"{name}_onehot"] = one_hot(listed)


def answered(network, vocabulary, one_hot, turns):
    """The spans of each turn; the network reads its own of the turn before."""
    found, before = [], {name: [1] for name in SPANS}
    scores = {name: getattr(network, f"{name}_decoder").get_probs for name in SPANS}
    for number, (user, plain, pointer) in enumerate(turns):
        inputs = {"db": torch.tensor([pointer], dtype=torch.float32)}
        for name, text in (("user", user), ("usdx", plain)):
            put(inputs, name, vocabulary.sentence_encode([*text.split(), "<eos_u>"]), one_hot)
        for name in SPANS:
            put(inputs, f"pv_{name}", before[name], one_hot)
        logs = {name: [] for name in SPANS}
        for name in SPANS:

            def kept(*given, of=scores[name], to=logs[name], **named):
                every = of(*given, **named)
                to.append(every.max().item())
                return every

            getattr(network, f"{name}_decoder").get_probs = kept
        with torch.no_grad():
            decoded = network(inputs, {}, number == 0, mode="test")
        before = {name: [one for one in decoded[name][0] if one] for name in SPANS}
        texts = [vocabulary.sentence_decode(before[name]) for name in SPANS]
        found.append([*texts, [logs[name][: len(before[name])] for name in SPANS]])
    return found


def shipped(home):
    """ConvLab's trained network, and its vocabulary."""
    from convlab.e2e.damd.multiwoz.config import global_config
    from convlab.e2e.damd.multiwoz.damd_net import DAMD
    from convlab.e2e.damd.multiwoz.utils import Vocab

    trained = home / global_config.eval_load_path
    vocabulary = Vocab(global_config.vocab_size)
    vocabulary.load_vocab(str(trained / "vocab"))
    network = DAMD(Reader(vocabulary)).eval()
    weights = torch.load(trained / "model.pkl", map_location="cpu", weights_only=True)["lstd"]
    network.load_state_dict(weights)
    return network, vocabulary


def drawn(dialogues):
    """A small network; the last 30 words of the dialogues can only be copied.

    Its beliefs and acts do not end: what stands behind an end is among the columns of ConvLab's softmax.
    """
    from convlab.e2e.damd.multiwoz.config import global_config
    from convlab.e2e.damd.multiwoz.damd_net import DAMD
    from convlab.e2e.damd.multiwoz.utils import Vocab

    words = list(dict.fromkeys(word for turns in dialogues for text, *_ in turns for word in text.split()))
    vocabulary = Vocab(0)
    for word in words:
        vocabulary._add_to_vocab(word)
    vocabulary.vocab_size_oov = len(vocabulary._idx2word)
    vocabulary.vocab_size = global_config.vocab_size = vocabulary.vocab_size_oov - 30
    global_config.embed_size, global_config.hidden_size = 4, 5
    global_config.max_nl_length = global_config.max_span_length = LONGEST
    network = DAMD(Reader(vocabulary)).eval()
    chance = torch.Generator().manual_seed(15)
    with torch.no_grad():
        for name, one in network.named_parameters():
            # What is generated is less sure than what is copied.
            scale = 30 if "Wgen" in name else 100
            one.copy_(torch.round(torch.randn(one.shape, generator=chance) * scale) / 100)
            if name.endswith("Wgen.bias"):
                # <pad>, <unk>, and the ends of beliefs and acts.
                one[[0, 2, 7, 8]] = -99
    return network, vocabulary


def main(folder: Path, small: bool) -> None:
    home = put_packages()
    from convlab.e2e.damd.multiwoz.config import global_config
    from convlab.e2e.damd.multiwoz.damd_net import get_one_hot_input

    # The numbers for the database are given.
    global_config.use_true_db_pointer = True
    global_config.cuda = False
    dialogues = json.loads((folder / "dialogues.json").read_text())
    network, vocabulary = drawn(dialogues) if small else shipped(home)
    answers = [answered(network, vocabulary, get_one_hot_input, turns) for turns in dialogues]
    if not small:
        for turn in (turn for turns in answers for turn in turns):
            turn[-1] = turn[-1][:1]
    words = [vocabulary.decode(number) for number in range(vocabulary.vocab_size_oov)]
    weights = network.state_dict()
    if small:
        hundredths = {name: (one * 100).round().int().tolist() for name, one in weights.items()}
        for *_, logs in (turn for turns in answers for turn in turns):
            logs[:] = [[round(log, 4) for log in of_span] for of_span in logs]
        content = {"vocabulary": vocabulary.vocab_size, "words": words, "hundredths": hundredths}
        (folder / "damd.json").write_text(json.dumps({**content, "answers": answers}) + "\n")
        return
    (folder / "answers.json").write_text(json.dumps(answers))
    (folder / "words.json").write_text(json.dumps(words))
    np.savez(folder / "weights.npz", **{name: one.numpy() for name, one in weights.items()})


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] == ["small"])
