"""A regressor without a pretrained encoder: ridge regression on the TF-IDF of character n-grams.

The folder of such an encoder contains a recipe, the folder of a regressor also its n-grams and weights.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workflow_scripts.core.errors import InputError, about
from workflow_scripts.core.files import writing, writing_folder
from workflow_scripts.encoders.stored import broken, read_json, read_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import TfidfVectorizer

RECIPE, VOCABULARY, WEIGHTS = "ngrams.json", "vocabulary.json", "weights.safetensors"
SIZES = {"shortest": int, "longest": int, "min_sentences": int, "penalty": float}
# What the solver of the normal equations leaves, as a share: far below the four decimals of a score.
TOLERANCE = 1e-8


def is_ngrams(folder: Path) -> bool:
    """Whether an encoder or regressor is of this kind."""
    return (folder / RECIPE).is_file()


def write_recipe(folder: Path, *, shortest: int, longest: int, min_sentences: int, penalty: float) -> None:
    """Write what a regressor of this kind is trained by; InputError for sizes that make no sense.

    :param folder: folder to write
    :param shortest: characters of the shortest n-grams
    :param longest: characters of the longest n-grams
    :param min_sentences: n-grams in fewer training sentences are dropped
    :param penalty: the ridge's alpha
    """
    recipe: dict[str, Any] = {
        "shortest": shortest,
        "longest": longest,
        "min_sentences": min_sentences,
        "penalty": penalty,
    }
    _check(**recipe)
    with writing_folder(folder) as part:
        _write_json(part / RECIPE, recipe)


def _check(
    shortest: int, longest: int, min_sentences: int, penalty: float, *, path: Path | None = None
) -> None:
    """InputError for sizes that make no sense; `path`: the recipe that has them."""
    if not 1 <= shortest <= longest:
        raise InputError(
            f"n-grams of {shortest} to {longest} characters", path=path, fix="give 1 or more, shortest first"
        )
    if min_sentences < 1 or not 0 < penalty < math.inf:
        raise InputError("the n-grams' least number of sentences and the penalty must be positive", path=path)


def fit(encoder: Path, regressor: Path, texts: Sequence[str], ratings: Sequence[float]) -> None:
    """Train a regressor by an encoder's recipe and write it: the same input gives the same bytes.

    Raises InputError as `learn` does.

    :param encoder: folder of `write_recipe`
    :param regressor: folder to write
    :param texts: training sentences
    :param ratings: their formality
    """
    from safetensors.numpy import save

    recipe = _read_recipe(encoder)
    with about(encoder / RECIPE):
        model = learn(texts, ratings, **recipe)
    weights = {"idf": model.vectors.idf_, "weight": model.weight, "intercept": model.intercept}
    with writing_folder(regressor) as part:
        _write_json(part / RECIPE, recipe)
        _write_json(part / VOCABULARY, model.vectors.get_feature_names_out().tolist())
        with writing(part / WEIGHTS, binary=True) as stream:
            stream.write(save({name: value.astype("<f8") for name, value in weights.items()}))


def learn(
    texts: Sequence[str],
    values: Sequence[float],
    *,
    shortest: int,
    longest: int,
    min_sentences: int,
    penalty: float,
) -> NGrams:
    """Ridge regression of values on texts.

    N-grams lie within words, with a space at either end of each. A sentence is the vector of 1 + log(count)
    times the smoothed inverse document frequency, of length 1. The intercept is not penalised. Raises
    InputError if no n-gram is in enough sentences.
    """
    import numpy as np
    from sklearn.linear_model import Ridge

    vectors = _vectorizer(shortest, longest, min_df=min_sentences)
    try:
        inputs = vectors.fit_transform(texts)
    except ValueError:
        # All that is wrong with texts here: none, or none but rare n-grams.
        raise InputError(
            f"no n-gram is in {min_sentences} of {len(texts)} sentences",
            fix="give more sentences, or a smaller min_sentences of the n-grams",
        ) from None
    ridge = Ridge(alpha=penalty, solver="sparse_cg", tol=TOLERANCE).fit(inputs, np.array(values))
    return NGrams(vectors, ridge.coef_, np.array([ridge.intercept_]))


@dataclass(frozen=True)
class NGrams:
    """A trained regressor: how sentences become vectors, and the weights of these."""

    vectors: TfidfVectorizer
    weight: NDArray[np.float64]
    intercept: NDArray[np.float64]

    @staticmethod
    def read(folder: Path) -> NGrams:
        """Read the model that `fit` wrote; InputError if it is not complete, or a weight is not finite."""
        import numpy as np

        recipe = _read_recipe(folder)
        pieces = read_json(folder / VOCABULARY)
        vectors = _vectorizer(recipe["shortest"], recipe["longest"], vocabulary=pieces)
        weights = read_weights(folder / WEIGHTS)
        try:
            vectors.idf_ = weights["idf"]
            model = NGrams(vectors, weights["weight"], weights["intercept"])
        except (KeyError, ValueError):
            raise broken(folder / WEIGHTS) from None
        if model.weight.shape != (len(pieces),) or model.intercept.shape != (1,):
            raise broken(folder)
        if not all(np.isfinite(values).all() for values in weights.values()):
            raise InputError(
                "weights that are not finite",
                path=folder / WEIGHTS,
                fix="delete the folder and make it again",
            )
        return model

    def score(self, sentences: Sequence[str]) -> list[float]:
        """The formality of each sentence, whatever the others are; without a known n-gram the intercept."""
        if not sentences:
            return []
        return (self.vectors.transform(sentences) @ self.weight + self.intercept).tolist()


def tfidf(encoder: Path, texts: Sequence[str]) -> csr_matrix:
    """The TF-IDF of texts among themselves, by an encoder's recipe (texts x n-grams), each of length 1.

    All n-grams count, however few texts have them; a text without any is 0.
    """
    recipe = _read_recipe(encoder)
    return _vectorizer(recipe["shortest"], recipe["longest"]).fit_transform(texts)


def _vectorizer(shortest: int, longest: int, **options: Any) -> TfidfVectorizer:
    from sklearn.feature_extraction.text import TfidfVectorizer

    # Capitals and accents are part of the style.
    return TfidfVectorizer(
        analyzer="char_wb",
        ngram_range=(shortest, longest),
        lowercase=False,
        sublinear_tf=True,
        **options,
    )


def _read_recipe(folder: Path) -> dict[str, Any]:
    recipe = read_json(folder / RECIPE)
    if not isinstance(recipe, dict) or {name: type(value) for name, value in recipe.items()} != SIZES:
        raise broken(folder / RECIPE)
    _check(**recipe, path=folder / RECIPE)
    return recipe


def _write_json(path: Path, value: Any) -> None:
    with writing(path) as stream:
        stream.write(json.dumps(value, ensure_ascii=False, indent=0) + "\n")
