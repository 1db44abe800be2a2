"""Politeness classifiers: their encoders, their training, and the requests on which they are tested."""

from collections.abc import Collection
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from workflow_scripts.config.encoder import FineTuned
from workflow_scripts.config.prompted import Model
from workflow_scripts.config.systems import Label
from workflow_scripts.config.values import (
    Code,
    Distinct,
    Folder,
    GivenFolder,
    Many,
    Name,
    NoBoolean,
    Positive,
    Rows,
    Section,
    Seeds,
    Units,
    check_placeholders,
    refused,
)

# Requests as they were written, and their translations into English.
Inputs = Annotated[list[Literal["target", "en"]], Distinct]
# The languages of TyDiP's requests except English, in the order of its tables.
Tydip = Literal["hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"]


def _path(text: str) -> str:
    check_placeholders(text, "lang", "input")
    if "{lang}" not in text:
        raise refused("{lang} is missing: there is a file for each language")
    return text


class PerInput(Section):
    """Rows of TyDiP's Table 3, one per input."""

    label: Label = Field(description="name of its rows")
    inputs: Inputs

    def unread(self) -> Collection[str]:
        """All settings, if there is no input."""
        return () if self.inputs else type(self).model_fields


class Classifier(PerInput, FineTuned):
    """A politeness classifier, trained on English requests: rows of TyDiP's Table 3, one per input."""

    inputs: Inputs = Field(
        description="its test data: requests as they were written (`target`), and their translations"
        " into English (`en`); with none it is not trained"
    )
    reads: Annotated[list[Code], Distinct] | None = Field(
        description="languages that the encoder was trained on, if not all: cells of others are marked"
    )
    released: bool = Field(
        description="whether it is trained as TyDiP's released code does: on the first four fifths only,"
        " requests drawn with replacement so that both classes are as frequent, the rate falling at the end"
        " of an epoch by one of the steps that are as many as an epoch's updates. If not: on all requests,"
        " each once per epoch, the rate falling linearly to zero. No matter for n-grams and sentence vectors"
    )


class Released(PerInput):
    """A politeness classifier whose authors have released its weights; nothing is trained."""

    inputs: Inputs = Field(default=["target", "en"], description="its test data, as for `classifiers`")
    reads: Annotated[list[Code], Distinct] | None = Field(
        default=None, description="languages that its encoder was trained on, if not all"
    )
    path: GivenFolder | None = Field(
        default=None,
        description="folder with it as transformers saves it, its weights as safetensors, from the working"
        " directory; without one, TyDiP's own is downloaded, of which nobody has published checksums, so that"
        " `downloads.unpinned` has to name `tydip-classifier`. Its labels must be called polite and impolite",
    )
    base: str = Field(
        description="the classifier of `classifiers` from whose encoder, and as which, a classifier of"
        " formality is trained (Table 5)"
    )
    max_length: Units = Field(default=128, description="longest input in word pieces")


class Asked(PerInput):
    """A language model that is asked whether requests are polite: rows of TyDiP's Table 3, one per input."""

    inputs: Inputs = Field(
        default=["target", "en"],
        description="the requests in the prompts: as they were written, and their translations",
    )
    model: Model
    prompt: Folder | None = Field(
        default=None,
        description="file with the prompt, from the working directory, with {source}; if not given,"
        " `resources/prompts/polite.txt`, the paper's",
    )
    sample: Annotated[int, Field(ge=4, le=100_000), NoBoolean] | None = Field(
        default=None, description="requests per language that are drawn, half of them polite; all without it"
    )


class OwnScores(PerInput):
    """Any classifier whose scores of the test requests are files: rows of TyDiP's Table 3, one per input."""

    inputs: Inputs = Field(
        default=["target"], description="the requests that it was tested on, as for `classifiers`: a row each"
    )
    languages: Annotated[list[Literal["en", Tydip]], Field(min_length=1), Distinct] | None = Field(
        default=None, description="languages that it has scores of, if not all ten: cells of others are empty"
    )
    path: Annotated[str, AfterValidator(_path)] = Field(
        description="text file with a number per line, line by line with"
        " `build/politeness/requests/{lang}.test.sentences.txt`, from the working directory; `{lang}` is"
        " replaced by the language, `{input}` by `target` or `en`. Labels may be 1 and 0"
    )
    threshold: Annotated[float, Field(ge=-1_000_000, le=1_000_000), NoBoolean] | None = Field(
        default=None,
        description="above which a request is polite, 0.5 for probabilities; if not given, 0, and a file with"
        " all its numbers between 0 and 1 that is not of labels is refused",
    )

    @field_validator("path")
    @classmethod
    def _a_file_per_input(cls, path: str, info: ValidationInfo) -> str:
        if len(info.data.get("inputs", [])) > 1 and "{input}" not in path:
            raise refused("{input} is missing: there is a file for each of inputs")
        return path


class Raters(Section):
    """Raters of requests (Srinivasan and Choi, 2022, Section 2)."""

    ratings: GivenFolder | None = Field(
        description="folder with the raters' files, by language `{lang}.csv`: rater, item, task, value, hit,"
        " of the sheets `results/politeness/{lang}.csv`; without one, raters are simulated at demo scale,"
        " and at other scales the cells that need them are empty"
    )
    dump_ratings: GivenFolder | None = Field(
        description="the same for the sheets `results/politeness/dumps/{lang}.csv`, of requests of dumps:"
        " their scores are written to `results/politeness/rated`, in TyDiP's layout, and without `ratings`"
        " the leaves on raters are of these; without one, there are sheets only"
    )
    requests: Units = Field(description="requests that are drawn of each dump for these sheets")
    english: Units = Field(description="English requests of a HIT")
    target: Units = Field(description="requests of the raters' language in a HIT")
    simulations: Many = Field(description="draws of a rater for each request (Figure 3)")


class Lexicons(Section):
    """Lexicons of politeness strategies that are induced here (Srinivasan and Choi, 2022, Section 4)."""

    bitext: Literal["demo", "open", "requests"] = Field(
        description="the bitext in which words are aligned: `demo`, the demo world's requests, whose"
        " hand-written lexicons are compared with the induced ones; `open`, Tatoeba and NTREX, beside the"
        " released lexicons; `requests`, those of `corpora.tydip_requests` in the languages that"
        " `translation.backend` puts into English, `open` in the others"
    )
    requests: Many = Field(description="`requests`: drawn in each language, all where there are fewer")
    sequences: Units = Field(description="at most so many sequences of each English word")


class Politeness(Section):
    """Politeness classifiers (Srinivasan and Choi, 2022, Section 3)."""

    seeds: Seeds = Field(
        description="one training each; Table 3 has their mean and range. N-grams and sentence vectors have"
        " no chance in them, and only the first"
    )
    raters: Raters
    lexicons: Lexicons
    compared: str | None = Field(
        description="the classifier, of `classifiers` or `released`, that is compared with raters (Figure 3)"
        " and, by its scores of formal and informal sentences, with formality (Tables 4, 6 and 7); from its"
        " encoder, or its `base`'s encoder, a classifier of formality is trained (Table 5). Without one, or"
        " if it has no input `target`, these are empty"
    )
    formality_sentences: Positive | None = Field(
        description="sentences that are drawn to train the classifier of formality; all without it"
    )
    dumps: GivenFolder | None = Field(
        description="folder with dumps of Wikipedias, `{lang}wiki-DATE-pages-meta-current.xml.bz2`, from"
        " whose user talk pages requests are taken (Table 1); without one, hand-made dumps at demo scale,"
        " and none at others"
    )
    scoring_batch_size: Units = Field(description="requests scored together")
    translated: Annotated[list[Tydip], Distinct] = Field(
        description="languages whose requests `translation.backend` translates into English, for classifiers"
        " with the input `en`, if it can: `aws` all, `apertium` those with a chain, `nmt` and `hf` the"
        " languages of `resources/languages.csv`; cells of others are empty"
    )
    rows: Rows = Field(
        description="the classifiers, of `classifiers`, `released`, `prompted` and `outputs`, that are rows"
        " of Table 3; all if not given. Another one is trained only where a leaf compares it (`compared`,"
        " `style.second_judge`)"
    )
    classifiers: dict[Name, Classifier] = Field(
        description="the classifiers by name: settings of a trained row of TyDiP's Table 3"
    )
    released: dict[Name, Released] = Field(
        description="classifiers by name that others have trained: each a row of TyDiP's Table 3"
    )
    prompted: dict[Name, Asked] = Field(
        description="language models by name, in the paper GPT3: each a row of TyDiP's Table 3"
    )
    outputs: dict[Name, OwnScores] = Field(
        description="classifiers by name that were run elsewhere: whose scores are a row of TyDiP's Table 3"
    )
