"""Low-rank adapters that are trained in place of a pretrained model's weights, and merged into them."""

import re

import pytest
import torch
from safetensors.torch import load_file

from tests.transfer.checkpoints import FORMAL, INFORMAL, marian, mbart, mt5
from tests.transfer.test_fine_tune import COURSE, FOLDER, rewritten, tuned
from workflow_scripts.config.pretrained import Lora
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.training.state import TrainingState

FEW = COURSE.model_copy(update={"epochs": 2})
ADAPTERS = Lora(rank=4, alpha=8, dropout=0.1)


@pytest.fixture
def start(tmp_path):
    torch.manual_seed(1)
    return mt5(tmp_path / "start")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "code", "epochs", "more", "changes", "of"),
    [
        (mt5, "", 20, 25, {}, r"\.(q|v)\.weight$"),
        (mbart, "fr_XX", 25, 50, {}, r"\.(q|v)_proj\.weight$"),
        (
            marian,
            "",
            50,
            50,
            {"layers": ["q_proj", "v_proj", "fc1", "fc2"]},
            r"\.(q_proj|v_proj|fc1|fc2)\.weight$",
        ),
    ],
)
def test_adapters_learn_ten_pairs_by_heart_and_all_other_weights_stay(
    tmp_path, files, without_states, capsys, made, code, epochs, more, changes, of
):
    torch.manual_seed(1)
    codes = {"source_code": code, "target_code": code}
    given = {"start": FOLDER, **codes}
    # The embeddings of words, which stay as they are, must have been learnt: the model can copy.
    write_lines(tmp_path / "all", INFORMAL + FORMAL)
    same = {style: tmp_path / "all" for style in files}
    course = COURSE.model_copy(update={"epochs": epochs})
    before = tuned(tmp_path / "first", same, initial=made(tmp_path / "start"), course=course, **given)
    outputs = rewritten(tmp_path, files["informal"], before, "formal", **codes)
    assert sum(a == b for a, b in zip(outputs, FORMAL, strict=True)) <= 1
    course = COURSE.model_copy(update={"learning_rate": 0.02, "epochs": more})
    lora = Lora(rank=16, alpha=32, dropout=0.0, **changes)
    capsys.readouterr()
    model = tuned(tmp_path, files, initial=before, course=course, lora=lora, **given)
    told = capsys.readouterr().err
    outputs = rewritten(tmp_path, files["informal"], model, "formal", **codes)
    assert sum(a == b for a, b in zip(outputs, FORMAL, strict=True)) >= 9
    # An ordinary model: the same files and weights, of which those of adapted layers alone are others.
    assert {path.name for path in model.iterdir()} == {path.name for path in before.iterdir()}
    assert (model / "config.json").read_bytes() == (before / "config.json").read_bytes()
    old, new = (load_file(folder / "model.safetensors") for folder in (before, model))
    assert old.keys() == new.keys()
    adapted = {name for name in old if re.search(of, name)}
    assert adapted == {name for name in old if not torch.equal(old[name], new[name])}
    # Adapters of rank 16 have 16 weights for each unit on both sides of their layers.
    trained = sum(16 * sum(old[name].shape) for name in adapted)
    (line,) = [line for line in told.splitlines() if "weights are trained" in line]
    assert line.startswith(f"{trained} of ") and trained < int(line.split()[2]) / 3


@pytest.mark.slow
def test_first_weights_of_adapters_are_of_the_seed_and_change_nothing(tmp_path, files, start):
    from workflow_scripts.language_models.adapters import AdaptedModel
    from workflow_scripts.language_models.model import load
    from workflow_scripts.seq2seq.device import prepare

    where = prepare("cpu", "float32", 1)
    made = [AdaptedModel(load(start, "encoder_decoder", where), ADAPTERS, seed) for seed in (1, 1, 2)]
    first, same, other = ([weight.tolist() for weight in model.parameters()] for model in made)
    assert first == same != other
    (tmp_path / "unchanged").mkdir()
    made[0].save(tmp_path / "unchanged")
    name = "model.safetensors"
    assert (tmp_path / "unchanged" / name).read_bytes() == (start / name).read_bytes()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rank": 65}, "rank 65 is more than the 64 units of layer 'q'; lower lora.rank of the system"),
        # The smaller side counts.
        ({"rank": 65, "layers": ["wi_0"]}, "rank 65 is more than the 64 units of layer 'wi_0'; lower"),
        ({"layers": ["q_proj"]}, "the model has no linear layer 'q_proj'; known: k, lm_head, o, q, v, wi_0"),
        ({"layers": ["wi"]}, "the model has no linear layer 'wi'; known: k, lm_head, o, q, v, wi_0, wi_1"),
        ({"layers": ["layer_norm"]}, "the model has no linear layer 'layer_norm'; known: k"),
        # The embeddings of words, which are the outputs' weights.
        ({"layers": ["shared"]}, "the model has no linear layer 'shared'"),
    ],
)
def test_adapters_that_do_not_fit_are_one_line(tmp_path, files, start, changes, message):
    lora = ADAPTERS.model_copy(update=changes)
    with pytest.raises(InputError, match=re.escape(message)) as told:
        tuned(tmp_path, files, start=FOLDER, initial=start, lora=lora)
    assert len(str(told.value).splitlines()) == 1 and not (tmp_path / "states").exists()


def test_outputs_that_are_the_embeddings_are_not_adapted(tmp_path, files):
    start = mbart(tmp_path / "start")
    lora = ADAPTERS.model_copy(update={"layers": ["lm_head"]})
    with pytest.raises(InputError, match="'lm_head' has the weights of another part of the model"):
        tuned(tmp_path, files, start=FOLDER, initial=start, lora=lora, target_code="fr_XX")


def test_a_layer_may_be_named_with_its_parent(tmp_path, files, start):
    lora = ADAPTERS.model_copy(update={"layers": ["EncDecAttention.q"]})
    model = tuned(tmp_path, files, start=FOLDER, initial=start, course=FEW, lora=lora)
    old, new = (load_file(folder / "model.safetensors") for folder in (start, model))
    changed = {name for name in old if not torch.equal(old[name], new[name])}
    assert changed == {name for name in old if name.endswith("EncDecAttention.q.weight")} and changed


def test_a_state_has_the_adapters_or_the_whole_model(tmp_path, files, start, monkeypatch):
    saved: list[list[str]] = []
    monkeypatch.setattr(
        TrainingState, "save", lambda self, update, tensors, scalars: saved.append(sorted(tensors))
    )
    given = {"start": FOLDER, "initial": start, "course": FEW.model_copy(update={"max_updates": 1})}
    for lora in (ADAPTERS, None):
        tuned(tmp_path, files, lora=lora, **given)
    # Two matrices for each query and value of 2 encoders' and 4 decoders' attentions, and three moments.
    adapters, whole = ([name for name in names if name.startswith("model.")] for names in saved)
    assert len(adapters) == 4 * 6 and len(saved[0]) == 4 * len(adapters)
    assert len(whole) == len(load_file(start / "model.safetensors"))
