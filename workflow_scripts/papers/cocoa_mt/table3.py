"""Command: which phrases and tokens mark formality (Table 3). It runs where spaCy is installed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress
from workflow_scripts.core.provenance import versions
from workflow_scripts.corpora.cocoa import read_texts
from workflow_scripts.papers.cocoa_mt.layouts import LAYOUTS, Value, write_values
from workflow_scripts.text.markers import is_malformed, phrases

# Universal parts of speech behind the columns %VB and %PR.
VERBS = ("VERB", "AUX")
PRONOUNS = ("PRON", "DET")
# Packages that decide about tokens, besides spaCy.
TOKENIZERS = {"ja": ("sudachipy", "sudachidict-core")}
NO_TAGGER = "no tagger: name a spaCy pipeline of the language"


def count_phrases(
    values: Path, *, corpus: Path, language: str, pipeline: str | None = None, threads: int
) -> None:
    """Write the numbers of marked phrases and of their tokens, and the shares of verbs and pronouns.

    Phrases are the well-formed marked ones of the formal training references; unique means that case counts.
    Tokens are those of spaCy's blank tokenizer, each phrase alone. Shares are in per cent of all tokens:
    verbs are VERB and AUX, pronouns PRON and DET, as the pipeline tags each phrase alone. Without a pipeline
    Japanese has the parts of speech of its tokenizer, which looks words up in a dictionary; the other
    languages' shares have no value. Raises InputError if spaCy or the pipeline is not installed.

    :param values: CSV to write: lang, metric, value, signature, reason
    :param corpus: the language's canonical folder
    :param language: code of the target language
    :param pipeline: an installed spaCy pipeline with a tagger, by its name or its folder
    :param threads: threads of the pipeline
    """
    fix_threads(threads)
    (references,) = read_texts(corpus, "train", ("formal.annotated",))
    marked = [phrase for line in references for phrase in phrases(line)]
    malformed = sum(map(is_malformed, references))
    tokenizer, tokenizer_version = _load(language, None)
    texts = [token.text for doc in _documents(tokenizer, marked) for token in doc if not token.is_space]
    tagger, tagger_version = _load(language, pipeline) if pipeline else (tokenizer, tokenizer_version)
    tags = [token.pos_ for doc in _documents(tagger, marked) for token in doc if not token.is_space]
    where = f"references:train.formal|case:mixed|n:{len(references)}|malformed:{malformed}"
    tokens = f"{where}|tok:{tokenizer_version}"
    found = {
        "phrases_unique": Value(len(set(marked)), where),
        "phrases_total": Value(len(marked), where),
        "tokens_unique": Value(len(set(texts)), tokens),
        "tokens_total": Value(len(texts), tokens),
    }
    for name, parts in (("verbs", VERBS), ("pronouns", PRONOUNS)):
        share = _share(tags, parts)
        signature = f"{where}|pos:{tagger_version}|{'+'.join(parts)}" if share is not None else ""
        found[name] = Value(share, signature, "" if share is not None else NO_TAGGER)
    write_values(values, LAYOUTS["table3"], {(language, name): value for name, value in found.items()})


def _share(tags: Sequence[str], parts: Sequence[str]) -> float | None:
    """The share of some parts of speech in per cent, or nothing if nothing is tagged."""
    if not any(tags):
        return None
    return 100 * sum(tag in parts for tag in tags) / len(tags)


def _documents(model: Any, texts: list[str]) -> Iterable[Any]:
    return model.pipe(progress(texts, "phrases", total=len(texts), unit="phrase"))


def _load(language: str, pipeline: str | None) -> tuple[Any, str]:
    """A blank tokenizer or an installed pipeline, and what it is called in a signature."""
    try:
        import spacy
    except ImportError:
        raise InputError("spaCy is not installed here", fix="run this in its own environment") from None
    try:
        model = spacy.load(pipeline) if pipeline else spacy.blank(language)
    except (ImportError, OSError, ValueError) as error:
        what = f"pipeline {pipeline}" if pipeline else f"the tokenizer of '{language}'"
        reason = str(error).split("\n")[0]
        raise InputError(
            f"spaCy cannot load {what} ({reason})", fix="install it beside spaCy, or name its folder"
        ) from None
    if pipeline and model.lang != language:
        raise InputError(f"spaCy's pipeline {pipeline} is for '{model.lang}', not for '{language}'")
    packages = [f"{name}-{version}" for name, version in versions(*TOKENIZERS.get(language, ())).items()]
    if pipeline:
        packages = [f"{model.meta['lang']}_{model.meta['name']}-{model.meta['version']}"]
    return model, "+".join([f"spacy-{spacy.__version__}", *(packages or [f"blank-{language}"])])


if __name__ == "__main__":
    run(count_phrases)
