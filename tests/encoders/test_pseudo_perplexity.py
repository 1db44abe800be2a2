"""Pseudo-perplexity, beside one masked sentence after another, and its messages."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tests.encoders.masked_models import masked_model
from tests.killing import KilledError
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, read_numbers, write_lines
from workflow_scripts.encoders import pseudo_perplexity as module
from workflow_scripts.encoders.pseudo_perplexity import pseudo_perplexity

TEXTS = [
    *("bom dia", "muito obrigado senhor", "bom dia", "até portanto tipo cara vc", "unheard of"),
    *("senhor", "cara vc muito bom", "vc cara muito bom"),
]
OPTIONS: dict[str, Any] = {"max_length": 32, "device": "cpu", "precision": "float32", "threads": 1}


def measured(model: Path, folder: Path, texts: list[str], batch_size: int = 4, **options: Any) -> list[float]:
    write_lines(folder / "in.txt", texts)
    given = {**OPTIONS, **options}
    pseudo_perplexity(
        model, sources=[folder / "in.txt"], targets=[folder / "out"], batch_size=batch_size, **given
    )
    return read_numbers(folder / "out")


def by_hand(folder: Path, text: str, longest: int = 32) -> float:
    """Salazar et al., equations 1 and 3: each token of a sentence from the others, one pass at a time."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    model = AutoModelForMaskedLM.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    pieces = tokenizer(text, truncation=True, max_length=longest, return_tensors="pt")["input_ids"]
    losses = []
    for place in range(1, pieces.shape[1] - 1):
        covered = pieces.clone()
        covered[0, place] = tokenizer.mask_token_id
        with torch.no_grad():
            logits = model(input_ids=covered).logits
        losses.append(-logits[0, place].log_softmax(0)[pieces[0, place]].item())
    return sum(losses) / len(losses)


@pytest.mark.parametrize("family", ["xlm-roberta", "bert", "distilbert", "deberta-v2"])
def test_each_token_is_predicted_from_all_others(family, tmp_path):
    model = masked_model(tmp_path / "model", family)
    found = measured(model, tmp_path, TEXTS)
    assert found == pytest.approx([by_hand(model, text) for text in TEXTS], abs=2e-4)
    assert len({*found}) == len({*TEXTS})


def test_numbers_do_not_depend_on_the_batch(tmp_path):
    model = masked_model(tmp_path / "model")
    together = measured(model, tmp_path, TEXTS)
    assert measured(model, tmp_path, TEXTS, batch_size=1) == pytest.approx(together, abs=1e-4)
    assert measured(model, tmp_path, TEXTS[::-1], batch_size=100) == pytest.approx(together[::-1], abs=1e-4)


def test_long_sentences_are_cut(tmp_path):
    model = masked_model(tmp_path / "model")
    texts = ["bom dia " * 3, "bom dia " * 40]
    assert measured(model, tmp_path, texts, max_length=6) == pytest.approx(
        [by_hand(model, text, 6) for text in texts], abs=2e-4
    )
    # 34 positions, of which two are padding's.
    assert measured(model, tmp_path, texts[1:], max_length=99) == measured(model, tmp_path, texts[1:])


def test_a_text_without_tokens_is_as_likely_as_chance(tmp_path):
    model = masked_model(tmp_path / "model")
    found = measured(model, tmp_path, ["\u200b bom", "bom", " "])
    assert found[2] == pytest.approx(math.log(15), abs=1e-4)


def test_a_killed_run_goes_on(tmp_path, monkeypatch):
    """After its last finished part, and nothing is left of it in the end."""
    model = masked_model(tmp_path / "model")
    expected = measured(model, tmp_path, TEXTS)
    monkeypatch.setattr(module, "SIZE", 3)
    kept = {"checkpoints": tmp_path / "kept"}
    made, scorer = [], module._scorer

    def counted(*given: Any) -> Any:
        inner = scorer(*given)

        def of(sentences: list[str], name: str) -> list[float]:
            made.append(sentences)
            if len(made) == 2:
                raise KilledError
            return inner(sentences, name)

        return of

    monkeypatch.setattr(module, "_scorer", counted)
    with pytest.raises(KilledError):
        measured(model, tmp_path, TEXTS, **kept)
    assert measured(model, tmp_path, TEXTS, **kept) == expected
    # The third sentence is the first one again.
    assert made[0] == TEXTS[:2] and made[1] == made[2] == TEXTS[3:6] and made[3:] == [TEXTS[6:]]
    assert not any((tmp_path / "kept").iterdir())


def test_what_cannot_be_used_is_named(tmp_path):
    for name, options, told in (
        ("bare", {"head": False}, "bare: no weights of .*; it must be a masked language model"),
        ("plain", {"mask": False}, "plain: the tokenizer has no mask token"),
    ):
        model = masked_model(tmp_path / name, **options)
        with pytest.raises(InputError, match=told):
            measured(model, tmp_path, TEXTS)
    settings = json.loads((masked_model(tmp_path / "other") / "tokenizer_config.json").read_text())
    (tmp_path / "other/tokenizer_config.json").write_text(json.dumps({**settings, "mask_token": "x"}))
    with pytest.raises(InputError, match=r"other: the tokenizer has a token (\d+), but the model knows \1 "):
        measured(tmp_path / "other", tmp_path, TEXTS)
    with pytest.raises(InputError, match="1 sources but 0 targets"):
        pseudo_perplexity(tmp_path, sources=[tmp_path], targets=[], batch_size=1, **OPTIONS)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_what_a_model_has_learnt_is_more_likely(tmp_path):
    """A model that has seen sentences with a masked word knows them from the same words in another order."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    folder = masked_model(tmp_path / "model")
    model, tokenizer = AutoModelForMaskedLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    learnt = ["bom dia senhor", "muito obrigado senhor", "cara vc tipo bom"]
    optimiser = torch.optim.AdamW(model.parameters(), lr=0.01)
    torch.manual_seed(2)
    for _ in range(150):
        for text in learnt:
            pieces = tokenizer(text, return_tensors="pt")["input_ids"]
            place = int(torch.randint(1, pieces.shape[1] - 1, ()))
            covered = pieces.clone()
            covered[0, place] = tokenizer.mask_token_id
            loss = torch.nn.functional.cross_entropy(
                model(input_ids=covered).logits[:, place], pieces[:, place]
            )
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    model.save_pretrained(folder)
    other = ["senhor bom dia", "senhor muito obrigado", "bom cara vc tipo"]
    seen, unseen = (measured(folder, tmp_path, texts) for texts in (learnt, other))
    assert max(seen) < min(unseen)
    assert read_lines(tmp_path / "in.txt") == other
