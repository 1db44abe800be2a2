"""Command: train UNMT or DLSM."""

from pathlib import Path

from workflow_scripts.config import sections, systems
from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.job_state import key_of
from workflow_scripts.seq2seq.device import Device, Precision, prepare

COLUMNS = (
    "update",
    "epoch",
    "learning_rate",
    "weight",
    "back_translation",
    "auto_encoding",
    "language_model",
    "dev_back_translation",
    "dev_language_model",
    "dev_loss",
)


def train(
    vocabulary: Path,
    informal: Path,
    formal: Path,
    dev_informal: Path,
    dev_formal: Path,
    model: Path,
    log: Path,
    *,
    checkpoints: Path,
    seed: int,
    settings: sections.UnsupervisedModel,
    lm_weight: float,
    noise: systems.Noise,
    precision: Precision,
    device: Device,
    threads: int,
    prior_informal: Path | None = None,
    prior_formal: Path | None = None,
    temperature: float = 0.01,
    gumbel_temperature: float = 1.0,
    released: bool = False,
) -> None:
    """Train on informal and formal text without pairs (He et al., 2020): DLSM, or UNMT with lm_weight 0.

    A training that was killed goes on from its last evaluation when it is started again with the same inputs
    and options, and ends with the same bytes as one that was not.

    :param vocabulary: vocabulary.txt of the text model that wrote the word files
    :param informal: word file
    :param formal: word file
    :param dev_informal: word file for the validation loss
    :param dev_formal: word file for the validation loss
    :param model: the model to write: that of the best evaluation
    :param log: the table to write: one line per evaluation, losses in nats per word; nan: not computed
    :param settings: sizes and schedule, `unsupervised.model` of the configuration
    :param lm_weight: weight of the language-model term; 0 for UNMT
    :param noise: the auto-encoder's, `noise` of a system of the configuration
    :param prior_informal: language model of informal text; needed if lm_weight is not 0
    :param prior_formal: language model of formal text; needed if lm_weight is not 0
    :param temperature: of the samples that are translated back; 0: the most probable words
    :param gumbel_temperature: of the samples for the language-model term
    :param released: copy the quirks of the code that He et al. published; see the module `model`
    """
    options = dict(locals())
    resolved = prepare(device, precision, threads)
    # A training that was killed on a GPU does not go on on a CPU.
    options |= options.pop("settings").model_dump() | options.pop("noise").model_dump() | resolved.facts()
    from workflow_scripts.seq2seq.data import Vocabulary
    from workflow_scripts.training.state import TrainingState
    from workflow_scripts.unsupervised.loss import Settings
    from workflow_scripts.unsupervised.model import Model, Sizes
    from workflow_scripts.unsupervised.noise import Noise
    from workflow_scripts.unsupervised.prior import Prior
    from workflow_scripts.unsupervised.updates import Schedule, Styles, StyleTraining, first_model
    from workflow_scripts.unsupervised.words import read_sentences

    if not gumbel_temperature > 0:
        raise InputError(f"gumbel_temperature = {gumbel_temperature}", fix="give more than 0")
    for name in ("lm_weight", "temperature"):
        if not options[name] >= 0:
            raise InputError(f"{name} = {options[name]}", fix="give at least 0")
    loss = Settings(
        noise=Noise(**noise.model_dump()),
        dropout=settings.dropout,
        temperature=temperature,
        max_sample=settings.max_sample,
        lm_weight=lm_weight,
        gumbel_temperature=gumbel_temperature,
        max_gumbel=settings.max_gumbel,
    )
    # Without a weight the priors change nothing, not even the name of a checkpoint.
    chosen = [path for path in (prior_informal, prior_formal) if path is not None and lm_weight]
    if lm_weight and len(chosen) < 2:
        raise InputError(
            f"lm_weight = {lm_weight} needs the language models of both styles",
            fix="give prior_informal and prior_formal",
        )
    symbols = Vocabulary.read(vocabulary)
    priors = []
    for path in chosen:
        prior, facts = Prior.read(path)
        if facts["vocabulary"] != symbols.digest():
            raise InputError(
                "was trained with another vocabulary", path=path, fix=f"it must be trained with {vocabulary}"
            )
        priors.append(prior)
    texts, dev = (
        Styles(*(read_sentences(symbols, path) for path in pair))
        for pair in ((informal, formal), (dev_informal, dev_formal))
    )
    inputs = (vocabulary, informal, formal, dev_informal, dev_formal, *chosen)
    key = key_of("unsupervised.train", options, inputs, "torch", "numpy", targets=[model, log])
    state = TrainingState(checkpoints, key)
    sizes = Sizes(len(symbols), settings.embedding, settings.hidden, settings.pool)
    start = first_model(Model(sizes, released), seed)
    training = StyleTraining(start, priors, texts, dev, Schedule.of(options), loss, *resolved)
    best = training.run(state)
    best.write(
        model,
        {
            "vocabulary": symbols.digest(),
            **resolved.facts(),
            "seed": seed,
            "lm_weight": lm_weight,
            "update": training.best_update,
            "dev_loss": training.best_loss,
        },
    )
    training.write_log(log, COLUMNS)
    state.remove()


if __name__ == "__main__":
    run(train)
