"""DAST: style transfer that learns from two domains without parallel text (Li et al., 2019).

One GRU reads a sentence. Another reconstructs it from the initial state [style; domain; content]: vectors of
the style and of the domain, and the last units of the encoder's last state. With the vector of the other
style it writes the transferred sentence. Each domain has a discriminator of styles, a convolutional network,
which reads the transferred sentence through a Gumbel softmax.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, gumbel_softmax, leaky_relu
from torch.nn.utils.rnn import pad_sequence

from workflow_scripts.config.style import DastCourse, DastNetwork
from workflow_scripts.multiwoz.words import words_of
from workflow_scripts.seq2seq.device import Resolved
from workflow_scripts.seq2seq.weights import read_model, write_model
from workflow_scripts.text.moses import detokenise

KIND = "dast"
PAD, BEGIN, END, UNKNOWN = range(4)
MARKS = ("<pad>", "<s>", "</s>", "<unk>")
POLITE, IMPOLITE = 0, 1
# The domains: users' words, and rated requests.
USERS, REQUESTS = 1, 0
WIDTHS = (1, 2, 3, 4, 5)


class Vocabulary:
    """The words of both domains by number; the first are `MARKS`."""

    def __init__(self, words: Sequence[str]) -> None:
        """`words`: the marks and the words that follow them."""
        self.words = list(words)
        self._numbers = {word: number for number, word in enumerate(self.words)}

    @classmethod
    def of(cls, texts: Iterable[str], size: int) -> Vocabulary:
        """The marks and the most frequent words, at most `size` in all; ties in alphabetical order."""
        counts = Counter(word for text in texts for word in words_of(text))
        order = sorted(counts, key=lambda word: (-counts[word], word))
        return cls([*MARKS, *(word for word in order if word not in MARKS)][: max(size, len(MARKS))])

    def numbers(self, texts: Iterable[str], longest: int) -> list[list[int]]:
        """The numbers of the first `longest` words of each text."""
        return [[self._numbers.get(word, UNKNOWN) for word in words_of(text)[:longest]] for text in texts]

    def texts(self, rows: Iterable[Sequence[int]]) -> list[str]:
        """The words before the first end of each row, as text, without unknown words."""
        lines = []
        for row in rows:
            row = row[: row.index(END)] if END in row else row
            lines.append(" ".join(self.words[number] for number in row if number >= len(MARKS)))
        return detokenise(lines, "en")


class Discriminator(nn.Module):
    """The classifier of a sentence's style in a domain: convolutions over words, max pooling, a logit."""

    def __init__(self, words: int, sizes: DastNetwork) -> None:
        """`words`: size of the vocabulary."""
        super().__init__()
        self.embedding = nn.Parameter(torch.rand(words, sizes.embedding) - 0.5)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(sizes.embedding, sizes.filters, width) for width in WIDTHS
        )
        self.dropout = nn.Dropout(sizes.dropout)
        self.output = nn.Linear(sizes.filters * len(WIDTHS), 1)

    def forward(self, words: Tensor, lengths: Tensor) -> Tensor:
        """Logits of impoliteness, (B). words: (B, T) numbers, or (B, T, V) shares of words; lengths: (B)."""
        vectors = words @ self.embedding if words.is_floating_point() else self.embedding[words]
        known = torch.arange(vectors.shape[1], device=vectors.device) < lengths.unsqueeze(1)
        vectors = (vectors * known.unsqueeze(2)).transpose(1, 2)
        features = [leaky_relu(filters(vectors)).amax(2) for filters in self.convolutions]
        logits: Tensor = self.output(self.dropout(torch.cat(features, 1))).squeeze(1)
        return logits


class Dast(nn.Module):
    """The auto-encoder, and the discriminators of both domains."""

    def __init__(self, words: int, sizes: DastNetwork) -> None:
        """`words`: size of the vocabulary."""
        super().__init__()
        self.lost = sizes.style + sizes.domain
        hidden = self.lost + sizes.content
        self.embedding = nn.Parameter(torch.rand(words, sizes.embedding) - 0.5)
        self.encoder = nn.GRU(sizes.embedding, hidden, batch_first=True)
        self.decoder = nn.GRU(sizes.embedding, hidden, batch_first=True)
        self.projection = nn.Linear(hidden, words)
        self.style, self.domain = nn.Linear(1, sizes.style), nn.Linear(1, sizes.domain)
        self.dropout = nn.Dropout(sizes.dropout)
        self.discriminators = nn.ModuleList(Discriminator(words, sizes) for _ in (REQUESTS, USERS))

    def content(self, words: Tensor, lengths: Tensor) -> Tensor:
        """The content vectors: the last units of the encoder's state at the end of each sentence.

        words: (B, T) numbers; lengths: (B), at least 1.
        """
        states, _ = self.encoder(self.dropout(self.embedding[words]))
        last = states[torch.arange(len(words), device=words.device), lengths - 1]
        vectors: Tensor = last[:, self.lost :]
        return vectors

    def start(self, content: Tensor, styles: Tensor, domain: int) -> Tensor:
        """The decoder's initial state, (1, B, H). styles: (B), 0 or 1."""
        domains = content.new_full((len(content), 1), domain)
        state = torch.cat([self.style(styles.unsqueeze(1)), self.domain(domains), content], 1)
        return state.unsqueeze(0)

    def reconstruction(self, words: Tensor, lengths: Tensor, state: Tensor) -> Tensor:
        """The cross-entropy of the sentences and their ends, in nats per sentence."""
        begin = words.new_full((len(words), 1), BEGIN)
        targets = torch.cat([words, torch.full_like(begin, PAD)], 1)
        targets[torch.arange(len(words), device=words.device), lengths] = END
        read = self.embedding[torch.cat([begin, words], 1)]
        states, _ = self.decoder(self.dropout(read), state)
        logits = self.projection(self.dropout(states)).flatten(0, 1)
        loss = cross_entropy(logits, targets.flatten(), ignore_index=PAD, reduction="sum")
        return loss / len(words)

    def soft_words(self, state: Tensor, steps: int, temperature: float) -> Tensor:
        """The text decoded from an initial state, as differentiable shares of words, (B, T, V)."""
        read = self.embedding[BEGIN].expand(state.shape[1], 1, -1)
        written = []
        for _ in range(steps):
            output, state = self.decoder(self.dropout(read), state)
            shares = gumbel_softmax(self.projection(self.dropout(output)), tau=temperature)
            read = shares @ self.embedding
            written.append(shares)
        return torch.cat(written, 1)

    @torch.no_grad()
    def write(self, state: Tensor, steps: int) -> Tensor:
        """Greedily decoded words, (B, T)."""
        read = self.embedding[BEGIN].expand(state.shape[1], 1, -1)
        written = []
        for _ in range(steps):
            output, state = self.decoder(read, state)
            words = self.projection(output).argmax(2)
            read = self.embedding[words]
            written.append(words)
        return torch.cat(written, 1)

    def losses(
        self, words: Tensor, lengths: Tensor, styles: Tensor, domain: int, course: DastCourse, transfer: bool
    ) -> tuple[Tensor, Tensor]:
        """The reconstruction loss of sentences of a domain, and a loss by its discriminator.

        The second is the discriminator's own loss on the real sentences; with `transfer`, the auto-encoder's
        adversarial loss: the discriminator's cross-entropy of the other style on the transferred sentences.
        """
        content, judge = self.content(words, lengths), self.discriminators[domain]
        rebuilt = self.reconstruction(words, lengths, self.start(content, styles, domain))
        if not transfer:
            return rebuilt, binary_cross_entropy_with_logits(judge(words, lengths), styles)
        other = 1 - styles
        soft = self.soft_words(self.start(content, other, domain), words.shape[1], course.temperature)
        return rebuilt, binary_cross_entropy_with_logits(judge(soft, lengths), other)


def batch(rows: Sequence[Sequence[int]], where: Resolved) -> tuple[Tensor, Tensor]:
    """Sentences as numbers (B, T) and lengths (B); T is at least the width of the widest filter."""
    lengths = torch.tensor([len(row) for row in rows])
    numbers = pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=PAD)
    narrow = max(WIDTHS) - numbers.shape[1]
    numbers = nn.functional.pad(numbers, (0, max(0, narrow)), value=PAD)
    return numbers.to(where.device), lengths.to(where.device)


@dataclass(frozen=True)
class Trained:
    """The network with its vocabulary."""

    sizes: DastNetwork
    vocabulary: Vocabulary
    network: Dast

    def save(self, path: Path) -> None:
        """Write it as one file."""
        facts = {"sizes": self.sizes.model_dump(mode="json"), "words": self.vocabulary.words}
        write_model(path, KIND, self.network, facts)


def load(path: Path, where: Resolved) -> Trained:
    """Read the file that `Trained.save` wrote; InputError for any other file."""

    def build(facts: dict[str, Any]) -> Dast:
        return Dast(len(facts["words"]), DastNetwork(**facts["sizes"]))

    network, facts = read_model(path, KIND, build, "DAST")
    return Trained(DastNetwork(**facts["sizes"]), Vocabulary(facts["words"]), network.to(where.device).eval())
