"""AuGPT's training loss (Kulhánek et al., 2021): belief, response, and whether both fit the dialogue.

Every text of a batch has a corrupted twin. The loss is the sum of the cross-entropy of the belief, the
unlikelihood loss of the response (Welleck et al., 2020), and the binary cross-entropy of a head that
predicts from the last token whether a text is corrupted; words of a corrupted text are not learnt.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workflow_scripts.language_models.model import LanguageModel
from workflow_scripts.language_models.texts import COUNTED, END_OF_BELIEF, Example
from workflow_scripts.language_models.training import IGNORED
from workflow_scripts.multiwoz.belief import State
from workflow_scripts.responders.natural import belief_in, natural_belief
from workflow_scripts.responders.templates import NATURAL_BELIEF, Augpt
from workflow_scripts.seq2seq.seeds import CORRUPTION, WEIGHTS, seed_of

if TYPE_CHECKING:
    from torch import Tensor

# The released code's weight of unlikelihood, lower bound of 1 - p, and label smoothing.
ALPHA, SMALLEST, SMOOTHING = 1.0, 1e-5, 0.1
# The name of the head in the released checkpoints.
HEAD = "consistency_head"
# Parts of a text.
READ, BELIEF, RESPONSE = range(3)
# The corruptions of a twin, as bits: the response of another text, other values, another text's belief.
OTHER_RESPONSE, OTHER_VALUES, OTHER_BELIEF = 1, 2, 4
# Domain and slot -> values, by name.
Values = Mapping[tuple[str, str], Sequence[str]]


class Consistency:
    """The loss of a language model whose texts have the format `Augpt`."""

    def __init__(
        self, learner: LanguageModel, examples: Sequence[Example], seed: int, initial: Path | None = None
    ) -> None:
        """Give the model the head of the checkpoint `initial`, or a fresh head if that has none."""
        self.learner, self.examples, self.seed = learner, examples, seed
        self.model = learner.parts["belief"]
        self.values = values_of(belief_in(example.target) for example in examples)
        self.ends = learner.tokenizer.convert_tokens_to_ids([END_OF_BELIEF, COUNTED])
        self.rows = self._rows(examples)
        setattr(self.model, HEAD, self._head(initial))

    def _head(self, initial: Path | None) -> Any:
        import torch

        torch.manual_seed(seed_of(self.seed, WEIGHTS, 1))
        head = torch.nn.Linear(self.model.config.n_embd, 1)
        torch.nn.init.normal_(head.weight, std=self.model.config.initializer_range)
        torch.nn.init.zeros_(head.bias)
        if initial is not None:
            from safetensors.torch import load_file

            for path in sorted(initial.glob("*.safetensors")):
                known = {name.removeprefix(f"{HEAD}."): part for name, part in load_file(path).items()}
                if {name: part.shape for name, part in known.items() if name in ("weight", "bias")} == {
                    name: part.shape for name, part in head.state_dict().items()
                }:
                    head.load_state_dict({name: known[name] for name in ("weight", "bias")})
        return head.to(self.learner.where.device)

    def __call__(self, update: int, places: Sequence[int]) -> Tensor:
        """The loss of some texts and their twins, which are redrawn for every update."""
        chance = random.Random(seed_of(self.seed, CORRUPTION, update, places[0]))
        texts = [self.examples[place] for place in places]
        twins = [corrupted(text, self.examples, self.values, chance) for text in texts]
        consistent = [True] * len(texts) + [twin == text for text, twin in zip(texts, twins, strict=True)]
        return self.loss([*(self.rows[place] for place in places), *self._rows(twins)], consistent)

    def loss(self, rows: Sequence[tuple[list[int], list[int]]], consistent: Sequence[bool]) -> Tensor:
        """The loss of texts, given as tokens and the part of each token.

        :param consistent: which texts are not corrupted
        """
        import torch

        from workflow_scripts.encoders.model import arithmetic

        learner = self.learner
        tokens = learner.batch([row for row, _ in rows], learner.pad)
        mask = learner.batch([[1] * len(row) for row, _ in rows], 0)
        learnt = torch.tensor(consistent, device=tokens.device)
        parts = learner.batch([part for _, part in rows], READ)[learnt][:, 1:]
        gold = tokens[learnt][:, 1:]
        with arithmetic(learner.where):
            hidden = self.model.transformer(input_ids=tokens, attention_mask=mask).last_hidden_state
            last = hidden[torch.arange(len(rows), device=tokens.device), mask.sum(1) - 1]
            dropped = torch.nn.functional.dropout(
                last, self.model.config.summary_first_dropout, self.model.training
            )
            told = getattr(self.model, HEAD)(dropped).squeeze(-1)
            said = hidden[learnt][:, :-1]
            believed = self.model.lm_head(said[parts == BELIEF])
            # Responses stand at the ends of their rows.
            place, valid = _places(parts == RESPONSE)
            answered = self.model.lm_head(said.gather(1, place[:, :, None].expand(-1, -1, said.shape[2])))
        belief = torch.nn.functional.cross_entropy(believed.float(), gold[parts == BELIEF])
        wanted = gold.gather(1, place).masked_fill(~valid, IGNORED)
        return belief + unlikelihood(answered.float(), wanted) + smoothed(told.float(), learnt)

    def _rows(self, examples: Sequence[Example]) -> list[tuple[list[int], list[int]]]:
        """Tokens of texts and the part of each token; only the end of a long text."""
        sources, targets = (
            self.learner.ids([getattr(example, side) for example in examples])
            for side in ("source", "target")
        )
        rows = []
        for source, target in zip(sources, targets, strict=True):
            belief, counted = (target.index(end) + 1 for end in self.ends)
            parts = [READ] * len(source) + [BELIEF] * belief + [READ] * (counted - belief)
            parts += [RESPONSE] * (len(target) - counted)
            rows.append(([*source, *target][-Augpt.longest :], parts[-Augpt.longest :]))
        return rows


def _places(chosen: Tensor) -> tuple[Tensor, Tensor]:
    """The chosen columns of each row, padded with any others, and which of these are chosen."""
    import torch

    counts = chosen.sum(1, keepdim=True)
    steps = torch.arange(int(counts.max()), device=chosen.device)
    first = chosen.long().argmax(1, keepdim=True)
    return (first + steps).clamp(max=chosen.shape[1] - 1), steps < counts


def values_of(states: Any) -> dict[tuple[str, str], list[str]]:
    """All values of each slot of a domain in some states, by name."""
    values: dict[tuple[str, str], set[str]] = {}
    for state in states:
        for domain, slots in state.items():
            for slot, value in slots.items():
                values.setdefault((domain, slot), set()).add(value)
    return {place: sorted(known) for place, known in values.items()}


def corrupted(example: Example, others: Sequence[Example], values: Values, chance: random.Random) -> Example:
    """A text with another belief, another response, or both; context and counts stay.

    Three bits are drawn, not all 0: another text's belief; other values of the same slots in its own belief,
    which overrides the first bit; another text's response. A text may come out unchanged, and then does not
    count as corrupted.
    """
    corruption = chance.randrange(1, 8)
    belief, counts, response = _apart(example.target)
    if corruption & OTHER_BELIEF:
        belief = _apart(chance.choice(others).target)[0]
    if corruption & OTHER_VALUES:
        belief = NATURAL_BELIEF + _with_other_values(_apart(example.target)[0], values, chance)
    if corruption & OTHER_RESPONSE:
        response = _apart(chance.choice(others).target)[2]
    return replace(example, target=f"{belief}{END_OF_BELIEF}{counts}{COUNTED}{response}")


def _apart(target: str) -> tuple[str, str, str]:
    belief, _, rest = target.partition(END_OF_BELIEF)
    counts, _, response = rest.partition(COUNTED)
    return belief, counts, response


def _with_other_values(belief: str, values: Values, chance: random.Random) -> str:
    changed: State = {}
    state = belief_in(belief)
    for domain, slots in state.items():
        for slot, value in slots.items():
            others = [other for other in values[domain, slot] if other != value]
            changed.setdefault(domain, {})[slot] = chance.choice(others) if others else value
    # The first domain is the domain that the turn is about.
    return natural_belief(changed, next(iter(state), ""))


def unlikelihood(logits: Tensor, gold: Tensor) -> Tensor:
    """Cross-entropy, plus ALPHA times -log(1 - p) of each other token that occurs earlier in the text.

    A token that occurs several times counts once. Both sums are divided by the number of tokens.

    :param logits: texts x tokens x vocabulary
    :param gold: texts x tokens, IGNORED after the end of a text
    """
    import torch

    logs = logits.log_softmax(-1)
    real = gold != IGNORED
    wanted = gold.masked_fill(~real, 0)
    length = gold.shape[1]
    nll = -(logs.gather(2, wanted[:, :, None]).squeeze(2) * real).sum()
    earlier = torch.ones(length, length, dtype=torch.bool, device=gold.device).tril(-1)
    same = wanted[:, :, None] == wanted[:, None, :]
    first = ~(same & earlier).any(2)
    against = earlier & ~same & first[:, None, :] & real[:, :, None] & real[:, None, :]
    # At [t, j]: the probability at place t of the token at place j.
    chances = logs.exp().gather(2, wanted[:, None, :].expand(-1, length, -1))
    penalty = -((1 - chances).clamp(min=SMALLEST).log() * against).sum()
    return (nll + ALPHA * penalty) / real.sum()


def smoothed(logits: Tensor, consistent: Tensor) -> Tensor:
    """Binary cross-entropy against 1 - SMOOTHING for consistent texts, and SMOOTHING for corrupted texts."""
    import torch

    labels = consistent.to(logits.dtype) * (1 - 2 * SMOOTHING) + SMOOTHING
    return torch.nn.functional.binary_cross_entropy_with_logits(logits, labels)
