"""The sections of the configuration about corpora: their versions, and how they are filtered."""

from typing import Annotated, Literal

from pydantic import Field

from workflow_scripts.config.values import (
    Code,
    Distinct,
    Even,
    Files,
    Many,
    NoBoolean,
    Positive,
    Section,
    Units,
)


class Demo(Section):
    """Sizes of the demo world, a small hand-written stand-in for the licensed corpora."""

    gyafc_train: Many = Field(description="English informal-formal training pairs, both domains")
    gyafc_dev: Many = Field(description="English tune sentences, each with 4 rewrites")
    gyafc_test: Many = Field(description="English test sentences, each with 4 rewrites")
    xformal: Many = Field(description="informal test sentences per language, each with 4 rewrites")
    ratings: Many = Field(description="English sentences with a formality rating")
    subtitles: Many = Field(description="OpenSubtitles pairs per language, noise included")
    bitext: Many = Field(description="clean pairs per language for the demo's translation models")
    questions: Many = Field(description="Yahoo Answers questions, all languages together")
    questions_fr: Many = Field(description="French Yahoo Answers questions (L26)")
    dialogues_train: Many = Field(description="task-oriented dialogues to train on")
    dialogues_dev: Many = Field(description="task-oriented dialogues for validation")
    dialogues_test: Many = Field(description="task-oriented dialogues to test on")
    controlled_train: Many = Field(
        description="contrastive training segments of each of two domains, in each language"
    )
    controlled_test: Many = Field(
        description="contrastive test segments of each of three domains, in each language"
    )
    held_out: Many = Field(
        description="sentences of each of two sets of other domains, for raters (CoCoA-MT's Table 10)"
    )
    generic_train: Many = Field(
        description="pairs per language that a translator learns from before it is controlled"
    )
    generic_test: Many = Field(description="pairs per language of each of its two test sets")
    winomt: Even = Field(
        description="sentences about people at work, half of them of either gender (CoCoA-MT's Table 13)"
    )
    requests_train: Many = Field(
        description="English requests with a politeness score; the outer half trains"
    )
    requests_test: Many = Field(
        description="requests per language with a politeness score; the outer half tests"
    )


class Downloads(Section):
    """Permissions for downloads."""

    unpinned: Annotated[list[str], Distinct] = Field(
        description="corpora of `resources/sources.csv` whose files are accepted although no checksum has"
        " been published: the checksum of the first download is recorded beside the file, and later"
        " downloads must agree with it. `sockeye` accepts the models of `control.generic.sockeye`, whose"
        " checksums are recorded beside their folder. Any other file without a checksum is refused; files"
        " that a tool unpickles always are"
    )


class Corpora(Section):
    """The version of each corpus: a `version` of `resources/sources.csv`."""

    gyafc: str = Field(description="informal-formal pairs in English (Rao and Tetreault, 2018)")
    xformal: str = Field(description="the evaluation set: 1,000 sentences and 4 rewrites per language")
    gyafc_language: Code = Field(description="language of the pairs of `gyafc`; they are translated from it")
    gyafc_languages: dict[Code, Code] = Field(
        description="for some languages, the language of their pairs: the language itself, or another one of"
        " `languages`, to translate from; needs `gyafc: cocoa-mt`"
    )
    gyafc_held_out: Positive = Field(description="pairs for the dev set, where `gyafc` has none (cocoa-mt)")
    gyafc_references: Files = Field(description="rewrites of each dev sentence in `gyafc`")
    xformal_references: Files = Field(description="rewrites of each sentence in `xformal`")
    tydip: str = Field(
        description="requests of TyDiP (Srinivasan and Choi, 2022) for its classifiers and raters; its leaves"
        " of released data are made of the released ones"
    )
    tydip_requests: str = Field(
        description="requests that TyDiP has crawled and not annotated, 185 MB, for its Table 1 and"
        " `politeness.lexicons.bitext: requests`; `none`"
    )
    stanford: str = Field(
        description="the source of TyDiP's English requests with single ratings (Danescu-Niculescu-Mizil et"
        " al., 2013), of the same world as `tydip`"
    )
    cocoa_mt: str = Field(
        description="contrastive pairs (Nadejde et al., 2022) that translators are controlled by and tested"
        " on; CoCoA-MT's Tables 2, 3 and 12 are of the released ones"
    )
    pt16: str = Field(description="formality ratings (Pavlick and Tetreault, 2016)")
    open_bitext: Annotated[list[Literal["tatoeba", "ntrex", "diabla"]], Distinct] = Field(
        description="corpora of the version `open` of `opensubtitles` and `bitext`"
    )
    opensubtitles: str = Field(description="bitext for formality pools, samples and language models")
    generic: str = Field(
        description="pairs that translators under control learn from first, with generic test sets; `open`:"
        " Tatoeba, DiaBLa and BConTrasT, with NTREX as the test set; `web`: the paper's"
    )
    bitext: str = Field(description="bitext on which the `nmt` translation backend is trained")
    yahoo: str = Field(description="Yahoo Answers L6, the source of the informal sentences")
    yahoo_answers: Literal["best", "all"] = Field(
        description="which answers of L6 are read: the best one to each question, which fits the numbers of"
        " Tables 2 and 11, or all of them; of L26 all are"
    )
    yahoo_fr: str = Field(description="French Yahoo Answers L26, in-domain text for UNMT and DLSM")
    punkt: str = Field(description="sentence splitters: `trained` on the corpus itself, or NLTK's")
    multiwoz: str = Field(
        description="task-oriented dialogues: `2.2`, or of `2.1` the validation and test dialogues only, of"
        " which the first train"
    )
    impolite: str = Field(
        description="impolite rewrites of the users' turns of `multiwoz`; `transfer`: by a system"
        " (`style.corpus`), if people have rewritten none; `none`"
    )


class Bicleaner(Section):
    """Bitext filtering (Section 5.2)."""

    pack: str | None = Field(
        description="version of the Bicleaner packs in the registry; without one only the hard rules run"
    )
    threshold: Annotated[float, Field(ge=0, le=1), NoBoolean] = Field(
        description="pairs that the classifier scores lower are dropped"
    )


class Samples(Section):
    """Sizes of the seeded samples from the formality pools (Table 6)."""

    lm: Positive = Field(description="formal subtitles for the language model")
    multi_task: Positive = Field(description="formal pairs of subtitles for MULTI-TASK TAG-STYLE")
    backtranslate: Positive = Field(description="informal subtitles for BACKTRANSLATE")
    unsupervised: Positive = Field(description="subtitles of each style for UNMT and DLSM")
    in_domain: Positive = Field(description="sentences of each style of L26 for UNMT and DLSM (IN-DOMAIN)")
    dev: Positive = Field(description="sentences of each style held out for their validation loss")


class Filtering(Section):
    """Curation and filtering (Sections 3 and 5.2, Tables 2 and 12)."""

    shards: Annotated[int, Field(gt=0, le=500), NoBoolean] = Field(
        description="parts into which a bitext is cut, one job each"
    )
    bicleaner: Bicleaner
    min_tokens: Units = Field(description="shorter sentences are dropped (NLTK tokens)")
    max_tokens: Units = Field(description="longer sentences are dropped (NLTK tokens)")
    informal_below: Annotated[float, NoBoolean] = Field(
        description="a sentence is informal if its formality score is lower"
    )
    candidates: Positive = Field(description="informal sentences drawn per language from Yahoo Answers")
    draws: Literal["disjoint", "independent"] = Field(
        description="disjoint: no two samples share a sentence while the pool lasts; independent: each is"
        " drawn from the whole pool, as the paper is read, and only dev sentences are kept out of the others"
    )
    samples: Samples
