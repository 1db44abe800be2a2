"""Translation of sentences: text model, ensemble and search behind one call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import shown
from workflow_scripts.seq2seq.device import Device, Precision, prepare
from workflow_scripts.text.models import read_text_model

if TYPE_CHECKING:
    from workflow_scripts.seq2seq.model import Model
    from workflow_scripts.seq2seq.transformer import Transformer

# In pieces: many times as long as any sentence. Time and memory grow with the square of it.
LONGEST = 4_000


class Translator:
    """Translate sentences by beam search with one model or with the mean of several."""

    def __init__(
        self,
        text_model: Path,
        models: Sequence[Path],
        *,
        beam_size: int,
        length_penalty: float,
        batch_size: int,
        precision: Precision,
        device: Device,
        threads: int,
    ) -> None:
        """Load everything; raises InputError if a model was trained with another vocabulary.

        An output has at most (mean + 2 standard deviations) words per symbol of the source, both of the
        length ratio in the training data (the largest of several models).
        """
        where, dtype = prepare(device, precision, threads)
        from workflow_scripts.seq2seq.search import Search
        from workflow_scripts.seq2seq.transformer import read_translator

        if not models:
            raise InputError("no model to translate with", fix="give at least one")
        self.pipeline = read_text_model(text_model)
        self.ids = {piece: number for number, piece in enumerate(self.pipeline.vocabulary)}
        loaded: list[Model | Transformer] = []
        ratios = []
        for path in models:
            model, facts = read_translator(path)
            if facts["vocabulary"] != self.pipeline.digest:
                raise InputError(
                    f"was trained with another vocabulary than that of {text_model}",
                    path=path,
                    fix="give the text model that it was trained with",
                )
            if type(model) is not type((loaded or [model])[0]):
                raise InputError(
                    "is another kind of model than the first", path=path, fix="give models of one kind"
                )
            loaded.append(model)
            ratios.append(facts["length_ratio"] + 2 * facts["length_ratio_deviation"])
        self.batch_size = batch_size
        self.search = Search(
            loaded,
            beam_size=beam_size,
            length_penalty=length_penalty,
            max_ratio=max(ratios),
            device=where,
            dtype=dtype,
        )

    def translate(
        self, texts: Sequence[str], source_language: str, target_language: str, tag: str | None
    ) -> list[str]:
        """Translate texts, in order; `tag`, if any, is prepended to every source.

        An output is empty only if the text itself is empty. If the pieces of an output contain no visible
        text, the output is the text itself. Raises InputError for a text of more than `LONGEST` pieces.
        """
        if tag is not None:
            self.pipeline.check_tag(tag)
        first = [] if tag is None else [self.ids[tag]]
        sources = self.pipeline.encode(texts, source_language)
        for text, read in zip(texts, sources, strict=True):
            if len(read) > LONGEST:
                raise InputError(
                    f"{shown(text)} has {len(read)} pieces, but a sentence has at most {LONGEST}",
                    fix="split the line into sentences, or leave it out",
                )
        filled = [place for place, pieces in enumerate(sources) if pieces]
        found = self.search([[*first, *(self.ids[p] for p in sources[i])] for i in filled], self.batch_size)
        pieces: list[list[str]] = [[] for _ in texts]
        for place, best in zip(filled, found, strict=True):
            pieces[place] = [self.pipeline.vocabulary[number] for number in best.ids]
        decoded = self.pipeline.decode(pieces, target_language)
        return [made if made.strip() else text for text, made in zip(texts, decoded, strict=True)]
