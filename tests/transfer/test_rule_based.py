"""RULE-BASED in its three readings."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.text import sentences
from workflow_scripts.text.abbreviations import read_abbreviations
from workflow_scripts.transfer.rule_based import rule_based
from workflow_scripts.transfer.rules import CarefulRules, PaperRules, ReleasedRules

LISTS = Path(__file__).parents[2] / "resources" / "abbreviations"
SIZES = {"pt": 64, "it": 21, "fr": 48}
RULES = {language: CarefulRules(read_abbreviations(LISTS / f"{language}.tsv")) for language in [*SIZES, "en"]}
PAPER = {language: PaperRules(rules.abbreviations) for language, rules in RULES.items()}
PT = RULES["pt"]


@pytest.mark.parametrize(("language", "size"), SIZES.items())
def test_lists_have_the_sizes_of_the_paper(language, size):
    assert len(read_abbreviations(LISTS / f"{language}.tsv")) == size


@pytest.mark.parametrize("language", RULES)
def test_lists_are_sorted_and_need_one_pass(language):
    keys = [line.split("\t")[0] for line in read_lines(LISTS / f"{language}.tsv")]
    assert keys == sorted(keys)
    for short, expansion in RULES[language].abbreviations.items():
        assert not {word.lower() for word in expansion.split()} & set(keys), short
        assert RULES[language](f"A {short} b.").split(" ", 1)[1] == f"{expansion} b.", short


@pytest.mark.parametrize(
    ("language", "informal", "formal"),
    [
        # The outputs that the paper prints in Table 8.
        (
            "pt",
            "n preciso pedir pois sei q ela vai vir atras!!",
            "não preciso pedir pois sei que ela vai vir atras!",
        ),
        (
            "fr",
            "drôle heinnnnnnnnn s étais ma femme de ménage!",
            "Drôle hein s étais ma femme de ménage!",
        ),
        ("it", "un po'di raffreddore ma tutto ok!!!", "Un po'di raffreddore ma tutto ok!"),
        # Appendix C.
        ("it", "ciaooo bella", "Ciao bella"),
        ("pt", "oi kra", "Oi cara"),
        ("it", "amore ta", "Amore ti amo"),
        ("fr", "bjr à tous", "bonjour à tous"),
        ("pt", "EU e A MARIA, o João e VC...", "Eu e a maria, o joão e você."),
        ("pt", '"eu e vc" disse @vc, d\'q ou q-q', '"Eu e você" disse @você, d\'q ou q-q'),
        ("pt", "  custa   1000 em www.x.com??!! c/vc", "Custa 10 em w.x.com?! com você"),
        ("pt", "3 dias", "3 dias"),
        ("pt", "!!", "!"),
        ("pt", "", ""),
    ],
)
def test_the_appendix_to_the_letter(language, informal, formal):
    assert PAPER[language](informal) == formal


@given(st.text(max_size=30))
def test_nothing_but_the_first_letter_and_expansions_has_capitals(text):
    out = PaperRules({})(text)
    assert out[1:].lower() == out[1:] or not out[0].isalpha()
    assert not re.search(r"(.)\1\1", out.lower()) or re.search(r"(.)\1\1", text.lower())


@pytest.mark.parametrize(
    ("informal", "formal"),
    [
        (
            "veja http://www.aaa.com/???q=VC e www.GOOOGLE.com!!",
            "Veja http://www.aaa.com/???q=VC e www.GOOOGLE.com!",
        ),
        ("www.foo.com é bom", "www.foo.com é bom"),
        ("EMAIL: VC@XXX.COM.BR ou @VC", "Email: VC@XXX.COM.BR ou @VC"),
        ("Custou 1000 reais, 10.000,00 ou 1,,5", "Custou 1000 reais, 10.000,00 ou 1,5"),
        ("sei la... ou não....... né..", "Sei la... ou não... não é."),
        ("Luís XIII e VIII", "Luís xiii e viii"),
        ("EU NÃO SEI!", "Eu não sei!"),
        ("Eu vi a Maria, a letra A e o João", "Eu vi a Maria, a letra A e o João"),
        ("EU e A MARIA", "Eu e a maria"),
        ("QUE LEGAALLLL :))", "Que legaal :)"),
        ('"vc sabe" disse', '"Você sabe" disse'),
        ("VC SABE Q", "Você sabe que"),
        ("10 q e 3 vc", "10 q e 3 vc"),
        ("c/vc, p/ mim", "Com você, para mim"),
        ("sem ab, vcx, xvc, q-q, d'q", "Sem ab, vcx, xvc, q-q, d'q"),
        ("  dois   espaços\u00a0aqui ", "Dois espaços aqui"),
        ("3 dias", "3 dias"),
        ("ßa ok", "ßa ok"),
        ("", ""),
        ("???", "?"),
    ],
)
def test_careful_rules(informal, formal):
    assert PT(informal) == formal


WORDS = st.sampled_from(
    [
        *"aqnAQ!?.,1 ",
        "vc",
        "VC",
        "aaa",
        "!!!",
        "...",
        "1000",
        "http://x.com/a?b=1",
        "ciaooo",
        "www.aaa.it",
        "né",
        '"',
    ]
)


@given(st.lists(WORDS).map(" ".join) | st.lists(WORDS).map("".join) | st.text(max_size=30))
def test_careful_rules_are_stable_and_keep_digits(text):
    once = PT(text)
    assert re.findall(r"\d", once) == re.findall(r"\d", text)
    assert once == " ".join(once.split())
    for address in re.findall(r"(?<!\S)http://\S+\w(?!\S)", text):
        assert address in once


@given(
    st.lists(
        st.sampled_from(["vc", "q", "Oi", "OI", "aaaa", "boooom", "sim!!", "n,", "1000", "a.b.com"]),
        min_size=1,
    )
)
def test_careful_rules_applied_twice_change_nothing(words):
    once = PT(" ".join(words))
    assert PT(once) == once


@pytest.mark.parametrize(
    ("informal", "formal"),
    [
        (
            "n preciso pedir pois sei q ela vai vir atras!!",
            "Não preciso pedir pois sei que ela vai vir atras!",
        ),
        ("custa 1000 em www.x.com", "Custa 10 em w.x.com"),
        ("aaa aaaa aaaaa", "A aa a"),
        ("EU SEI. Você não.", "Eu sei."),
        ("sim... a Maria", "Sim ... a maria"),
        ('disse "oi" (VC)', "Disse `` oi''( você)"),
        ("c'est l'ami", "C'est l'ami"),
        ("I can't", "I ca n't"),
        ("", ""),
        ("   ", ""),
    ],
)
def test_released_rules(informal, formal):
    rules = ReleasedRules(PT.abbreviations, sentences.default_splitter())
    assert rules(informal) == formal


def test_rule_based_command(tmp_path):
    write_lines(tmp_path / "in.txt", ["oi VC!!", "", "o sr. Lima. Oi"])
    sentences.train(["O sr. Lima viu o sr. Costa e o sr. Souza com o sr. Alves."] * 9, tmp_path / "punkt")
    expected = {
        ("paper", None): ["Oi você!", "", "O sr. lima. oi"],
        ("careful", None): ["Oi você!", "", "O sr. Lima. Oi"],
        ("released", None): ["Oi você!", "", "O sr."],
        ("released", tmp_path / "punkt"): ["Oi você!", "", "O sr. lima."],
    }
    for (mode, splitter), lines in expected.items():
        rule_based(
            tmp_path / "in.txt",
            tmp_path / "out.txt",
            language="pt",
            mode=mode,  # type: ignore[arg-type]
            abbreviations=LISTS / "pt.tsv",
            splitter=splitter,
        )
        assert read_lines(tmp_path / "out.txt") == lines


def test_rule_based_command_line(tmp_path):
    write_lines(tmp_path / "in.txt", ["oi VC!!"])
    command = [
        sys.executable,
        "-m",
        "workflow_scripts.transfer.rule_based",
        tmp_path / "in.txt",
        tmp_path / "out.txt",
    ]
    command += ["--language", "pt", "--mode", "paper", "--abbreviations"]
    done = subprocess.run([*command, LISTS / "pt.tsv"], capture_output=True, text=True, cwd=LISTS.parents[1])
    assert (done.returncode, done.stdout) == (0, "")
    assert read_lines(tmp_path / "out.txt") == ["Oi você!"]
    failed = subprocess.run(
        [*command, tmp_path / "none.tsv"], capture_output=True, text=True, cwd=LISTS.parents[1]
    )
    assert failed.returncode == 2
    assert failed.stderr == f"error: {tmp_path / 'none.tsv'}: no such file\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("vc\tvocê\nq que\n", r"list\.tsv:2: not an abbreviation"),
        ("vc\t \n", r"list\.tsv:1: not an abbreviation"),
        ("vc\tvocê\nVC\tvoce\n", r"list\.tsv:2: 'vc' occurs twice"),
    ],
)
def test_bad_abbreviations(tmp_path, text, message):
    (tmp_path / "list.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_abbreviations(tmp_path / "list.tsv")


def test_an_empty_list_expands_nothing(tmp_path):
    (tmp_path / "list.tsv").write_text("")
    assert CarefulRules(read_abbreviations(tmp_path / "list.tsv"))("vc q!!") == "Vc q!"
