"""The requirements of the configured languages: on `resources/languages.csv`, corpora and backends."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, get_args

from workflow_scripts.config.control import RELEASED
from workflow_scripts.config.politeness import Tydip
from workflow_scripts.core.errors import nearest

# Versions without a row in the registry: substitutes, and corpora made here.
OTHER_VERSIONS = {
    "gyafc": ["cocoa-mt"],
    "xformal": ["cocoa-mt"],
    "opensubtitles": ["open"],
    "bitext": ["open"],
    "generic": ["open"],
    "punkt": ["trained"],
    "impolite": ["none", "transfer"],
    "tydip_requests": ["none"],
}
# Corpora in the tested language; the others are in English, or in the language of `gyafc_language`.
OWN = ("xformal", "opensubtitles", "bitext")
# Backends that translate only languages of `resources/languages.csv`.
OF_THE_TABLE = ("nmt", "hf")


def lacking(
    config: Mapping[str, Any],
    table: Mapping[str, Mapping[str, str]],
    versions: Collection[tuple[str, str, str]],
    resources: Path,
) -> list[str]:
    """One line for each thing that is missing or that a language lacks, with the remedy.

    :param config: the checked configuration
    :param table: the rows of `resources/languages.csv`, by code
    :param versions: corpus, version and part of each row of `resources/sources.csv`
    :param resources: the folder of that table
    """
    corpora, translation = config["corpora"], config["translation"]
    found = _unknown(corpora, versions)
    if found:
        return [f"configuration: {problem}" for problem in found]
    for lang in config["languages"]:
        row = table[lang]
        own = {name: corpora[name] for name in OWN}
        demo = [f"corpora.{name}" for name, version in own.items() if version == "demo"]
        if demo and row["demo"] != "yes":
            found.append(f"the demo world has no '{lang}'; set {', '.join(demo)} to real data")
        if "open" in own.values() and not any(row[name] for name in corpora["open_bitext"]):
            names = ", ".join(corpora["open_bitext"])
            found.append(
                f"no corpus of corpora.open_bitext has '{lang}'; see {names} in resources/languages.csv"
            )
        pack = config["filtering"]["bicleaner"]["pack"]
        parts = {f"corpora.{name}": (name, own[name]) for name in ("opensubtitles", "bitext")}
        if pack:
            parts["filtering.bicleaner.pack"] = ("bicleaner", pack)
        for key, (corpus, version) in parts.items():
            if version not in ("demo", "open") and (corpus, version, lang) not in versions:
                found.append(f"{key}: resources/sources.csv has no {corpus} {version} of '{lang}'")
        if corpora["punkt"] != "trained" and not row["punkt"]:
            found.append(f"column punkt of resources/languages.csv is empty for '{lang}'; set corpora.punkt")
        pairs = corpora["gyafc_languages"].get(lang, corpora["gyafc_language"])
        found += _translation(lang, row, pairs, translation)
        rules = [
            name
            for name, system in config["systems"].items()
            if system["kind"] == "rules" and (system["languages"] is None or lang in system["languages"])
        ]
        if rules and not (resources / f"abbreviations/{lang}.tsv").is_file():
            found.append(f"systems.{rules[0]} needs resources/abbreviations/{lang}.tsv")
    if corpora["gyafc_languages"] and corpora["gyafc"] != "cocoa-mt":
        found.append(
            "corpora.gyafc_languages needs corpora.gyafc: cocoa-mt, whose pairs are in many languages"
        )
    if unknown := [lang for lang in corpora["gyafc_languages"] if lang not in table]:
        found.append(f"corpora.gyafc_languages: resources/languages.csv has no '{unknown[0]}'")
    found += _backends(translation["backends"], table)
    if unknown := [lang for lang in corpora["gyafc_languages"].values() if lang not in config["languages"]]:
        found.append(
            f"corpora.gyafc_languages: '{unknown[0]}' is none of `languages`; others have no pairs here"
        )
    if corpora["gyafc_languages"] and corpora["gyafc_references"] != 1:
        found.append("corpora.gyafc_languages: the pairs of cocoa-mt have gyafc_references: 1")
    if config["politeness"]["lexicons"]["bitext"] == "requests" and corpora["tydip_requests"] == "none":
        found.append("politeness.lexicons.bitext: requests needs corpora.tydip_requests, which is none")
    return [f"configuration: {problem}" for problem in found]


def translatable(
    languages: Collection[str], table: Mapping[str, Mapping[str, str]], section: Mapping[str, Any]
) -> list[str]:
    """The languages, of some, that the configured backend translates into English.

    :param languages: their codes
    :param table: the rows of `resources/languages.csv`, by code
    :param section: the configuration's section `translation`
    """
    chains = section["apertium"]["chains"]
    known = {
        "apertium": {chain.partition("-en=")[0] for chain in chains if "-en=" in chain},
        "nmt": set(table),
        "hf": {code for code, row in table.items() if row["nllb"]},
        "aws": set(languages),
    }
    return [code for code in languages if code in known[backend_of(section, code)]]


def backend_of(section: Mapping[str, Any], lang: str) -> str:
    """The backend of a language, from the configuration's section `translation`."""
    return section["backends"].get(lang, section["backend"])


def _unknown(corpora: Mapping[str, Any], registered: Collection[tuple[str, str, str]]) -> list[str]:
    """The corpora whose version is not in the registry."""
    found = []
    for key, version in corpora.items():
        known = {other for corpus, other, _ in registered if corpus == key.replace("_", "-")}
        if known and version not in (known := known | set(OTHER_VERSIONS.get(key, []))):
            found.append(f"corpora.{key}: no version '{version}' in the registry; {nearest(version, known)}")
    return found


def _backends(backends: Mapping[str, str], table: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Backends of languages that no backend translates, or that a backend does not know.

    Besides texts in languages of `table`, CoCoA-MT's test set and TyDiP's requests are translated.
    """
    others = {*RELEASED, *get_args(Tydip)}
    found = []
    for lang, kind in backends.items():
        if lang not in table and lang not in others:
            found.append(f"translation.backends: resources/languages.csv has no '{lang}'")
        elif lang not in table and kind in OF_THE_TABLE:
            found.append(
                f"translation.backends: {kind} translates languages of resources/languages.csv, which has no"
                f" '{lang}'; take aws or apertium"
            )
    return found


def _translation(lang: str, row: Mapping[str, str], pairs: str, section: Mapping[str, Any]) -> list[str]:
    """Whether the backend can translate everything needed; `pairs`: the language of the training pairs."""
    match backend_of(section, lang):
        case "hf" if not row["nllb"]:
            return [f"translation.backend hf: column nllb of resources/languages.csv is empty for '{lang}'"]
        case "nmt" if pairs not in ("en", lang):
            return [
                f"translation.backend nmt translates from English, not from corpora.gyafc_language '{pairs}'"
                f" into '{lang}'; set gyafc_language to en or {lang}, add '{lang}: {lang}' to"
                " gyafc_languages, or take another backend"
            ]
        case "apertium":
            known = {chain.partition("=")[0] for chain in section["apertium"]["chains"]}
            wanted = [f"en-{lang}", f"{lang}-en", *([f"{pairs}-{lang}"] if pairs not in ("en", lang) else [])]
            missing = [direction for direction in wanted if direction not in known]
            if missing:
                return [f"translation.apertium.chains has no {', '.join(missing)}; or take another backend"]
    return []
