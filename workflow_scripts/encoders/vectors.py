"""Vectors of sentences, of an encoder as it is: nothing is trained."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.core.files import chunks, progress
from workflow_scripts.encoders.model import arithmetic, load_encoder, longest_input
from workflow_scripts.encoders.ngrams import is_ngrams, tfidf
from workflow_scripts.seq2seq.device import Device, Precision, prepare

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix


def vectors(
    encoder: Path,
    texts: Sequence[str],
    *,
    batch_size: int,
    max_length: int,
    device: Device,
    precision: Precision,
    threads: int,
) -> csr_matrix:
    """The vector of each text, of length 1 (texts x units); sparse, since those of n-grams are mostly 0.

    Of a BERT-like encoder it is the mean of its last layer over the text's word pieces, as sentence
    transformers compute it; of n-grams the TF-IDF of the text among all of them.

    :param encoder: folder that encoders.encoder wrote, but for vectors of the kind `sentences`
    :param texts: any
    :param batch_size: texts that are encoded together
    :param max_length: word pieces of a text at most
    """
    import numpy as np

    if is_ngrams(encoder):
        return tfidf(encoder, texts)
    import torch
    from scipy.sparse import csr_matrix

    where = prepare(device, precision, threads)
    model, tokenizer = load_encoder(encoder, where)
    longest = longest_input(tokenizer, model, max_length)
    # Texts of similar length together, so that there is little padding.
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    rows: list[NDArray[np.float64]] = [np.empty(0)] * len(texts)
    for places in progress(list(chunks(order, batch_size)), "encode", unit="batch"):
        batch = tokenizer(
            [texts[place] for place in places],
            padding=True,
            truncation=True,
            max_length=longest,
            return_tensors="pt",
        ).to(where.device)
        with torch.inference_mode(), arithmetic(where):
            hidden = model(**batch).last_hidden_state.double()
        mask = batch["attention_mask"].unsqueeze(-1).double()
        mean = (hidden * mask).sum(1) / mask.sum(1)
        unit = torch.nn.functional.normalize(mean, dim=1).cpu().numpy()
        for place, row in zip(places, unit, strict=True):
            rows[place] = row
    return csr_matrix(np.array(rows))
