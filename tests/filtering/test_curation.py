import tracemalloc
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflow_scripts.core.counts import add_counts, read_counts, write_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.filtering.criteria import Digests, curator, has_url, length_fault
from workflow_scripts.filtering.curate import curate
from workflow_scripts.filtering.curate_bitext import curate_bitext
from workflow_scripts.filtering.gather import gather
from workflow_scripts.filtering.shard import shard
from workflow_scripts.text.sentences import count_tokens

LIMITS = {"min_tokens": 5, "max_tokens": 25}


@pytest.mark.parametrize(
    "sentence",
    [
        "veja http://exemplo.org/a e pronto",
        "FTP://host is old",
        "guarda www.esempio.it per favore",
        "va sur exemple.com pour ça",
        "tá no blog.uol.com.br desde ontem",
        "escreve pra fulano@exemplo.com hoje",
        "leggi su esempio.it/amore adesso",
    ],
)
def test_addresses_are_found(sentence):
    assert has_url(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["è finita.it was over", "Ciao...come stai", "às 10.30 da noite", "M. Dupont etc.", "a://", "e/ou"],
)
def test_other_dots_are_no_addresses(sentence):
    assert not has_url(sentence)


def test_a_language_may_have_endings_of_its_own():
    sentence = "schau auf beispiel.de nach"
    assert not has_url(sentence) and has_url(sentence, ["de"])
    assert curator(1, 9, ["de"])(sentence) == "url" and curator(1, 9)(sentence) == ""


def test_lengths_are_nltk_tokens():
    # The full stop and the clitic are tokens of their own: 5, then 4.
    assert length_fault("She isn't here.", 5, 25) == ""
    assert length_fault("She isn't here", 5, 25) == "short"
    assert length_fault("a " * 25, 5, 25) == ""
    assert length_fault("a " * 26, 5, 25) == "long"
    assert length_fault("a, " * 13, 5, 25) == "long"


@given(st.text(st.sampled_from("ab'.,\"()-!:;$% \u00a0n't"), max_size=40))
def test_words_are_never_more_than_tokens(sentence):
    assert len(sentence.split()) <= count_tokens(sentence)


def test_curated_sentences_and_counts(tmp_path):
    good = ["Eu gosto muito de você.", "Ele disse que não vem hoje.", "eu gosto muito de você."]
    bad = ["Você gosta de mim ou não?", "Curto.", "Veja em www.exemplo.com.br agora mesmo.", "la " * 30]
    write_lines(tmp_path / "in.txt.gz", [good[0], bad[0], f"  {good[1]} ", *bad[1:], good[0], "", good[2]])
    curate(tmp_path / "in.txt.gz", tmp_path / "out.txt.gz", tmp_path / "counts.tsv", **LIMITS)
    assert read_lines(tmp_path / "out.txt.gz") == good
    assert (tmp_path / "counts.tsv").read_text() == (
        "step\tcount\nsentences\t9\ndropped:question\t1\ndropped:url\t1\ndropped:short\t2\ndropped:long\t1\n"
        "dropped:duplicate\t1\ncurated\t3\n"
    )


def test_what_systems_are_tested_on_is_left_out_and_counted(tmp_path):
    """Case, marks, spaces and compatible characters make no other sentence; another word does."""
    same = ["C’est l\u2019idée  de Paul !!", "c'est l'idée de Paul.", "C'EST L'IDE\u0301E DE PAUL !"]
    kept = ["C'est une idée de Paul.", "... ! - ... !"]
    write_lines(tmp_path / "in.txt.gz", [*same, *kept])
    for name, line in (("a", "C'est l'idée de Paul"), ("b", "...")):
        write_lines(tmp_path / name, [line])
    files = [tmp_path / name for name in ("in.txt.gz", "out.txt.gz", "counts.tsv")]
    curate(*files, **LIMITS, tested=[tmp_path / "a", tmp_path / "b"])
    assert read_lines(files[1]) == kept
    assert (
        (tmp_path / "counts.tsv")
        .read_text()
        .endswith("dropped:duplicate\t0\ndropped:tested\t3\ncurated\t2\n")
    )


@given(st.lists(st.sampled_from(["a b c d e", "a b c d f", "a b", "a b c d e ?", "http://x.org a b c d"])))
def test_curating_twice_changes_nothing(sentences):
    def once(texts):
        reason = curator(5, 25)
        return [text for text in texts if not reason(text)]

    assert once(once(sentences)) == once(sentences)
    assert len(once(sentences)) == len(
        {text for text in sentences if text.startswith("a b c d ") and "?" not in text}
    )


@given(
    st.lists(st.integers(0, (1 << 64) - 1) | st.integers(2, 40) | st.integers(2, 40).map(lambda n: n << 11))
)
def test_digests_are_a_set(numbers):
    digests, members = Digests(), set()
    for number in [*numbers, *numbers]:
        number = number or 1
        assert digests.add(number) == (number not in members)
        members.add(number)


@pytest.mark.slow
def test_digests_grow_and_need_little_memory():
    numbers = [int.from_bytes(blake2b(str(n).encode(), digest_size=8).digest(), "big") for n in range(50_000)]
    tracemalloc.start()
    digests = Digests()
    assert all(map(digests.add, numbers))
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert not any(map(digests.add, numbers))
    assert kept < 33 * len(numbers)


def test_bitext_filters_look_at_both_sides(tmp_path):
    target = "Eu gosto muito de você."
    pairs = [
        ("I like you.", target),
        ("I like you!", target),
        ("I like you.", target),
        ("Do I like you?", target),
        ("I like you, see example.com now.", target),
        ("I really do like you so very much.", "Gosto."),
        ("Yes " * 30, target),
    ]
    write_lines(tmp_path / "in.tsv.gz", map("\t".join, pairs))
    curate_bitext(tmp_path / "in.tsv.gz", tmp_path / "out.tsv.gz", tmp_path / "counts.tsv", **LIMITS)
    kept = [line.split("\t") for line in read_lines(tmp_path / "out.tsv.gz")]
    assert kept == [[left.strip(), right] for left, right in (pairs[0], pairs[1], pairs[6])]
    assert list(read_counts(tmp_path / "counts.tsv").values()) == [7, 1, 1, 1, 0, 1, 3]


def scatter(folder, pairs, count):
    write_lines(folder / "en.txt", (pair[0] for pair in pairs))
    write_lines(folder / "fr.txt", (pair[1] for pair in pairs))
    shards = [folder / f"s{number}.tsv.gz" for number in range(count)]
    shard(folder / "en.txt", folder / "fr.txt", shards_out=shards)
    return shards


def test_scattered_and_gathered_bitext_is_the_same(tmp_path):
    pairs = [(f"Line {i % 70} here", f"La ligne\u00a0{i % 70}") for i in range(200)]
    shards = scatter(tmp_path, pairs, 3)
    parts = [read_lines(path) for path in shards]
    assert all(len(part) > 20 for part in parts)
    assert not set(parts[0]) & set(parts[1])
    order = [f"{left}\t{right}" for left, right in pairs]
    for part in parts:
        assert part == [line for line in order if line in set(part)]
    for number in range(3):
        write_counts(
            tmp_path / f"c{number}", {"raw": len(parts[number]), **({"dropped:x": 1} if number else {})}
        )
    outs = (tmp_path / "o.en.gz", tmp_path / "o.fr.gz", tmp_path / "o.tsv")
    gather(*outs, shards=shards, counts=[tmp_path / f"c{number}" for number in range(3)])
    assert list(zip(read_lines(outs[0]), read_lines(outs[1]), strict=True)) == [
        tuple(line.split("\t")) for part in parts for line in part
    ]
    assert read_counts(outs[2]) == {"raw": 200, "dropped:x": 2}


def test_copies_meet_whatever_their_case_and_space(tmp_path):
    pairs = [("Good  Morning", "Bonjour"), ("good morning", "BONJOUR"), ("good\tmorning ", "bonjour")]
    parts = [read_lines(path) for path in scatter(tmp_path, pairs, 5)]
    assert sorted(map(len, parts)) == [0, 0, 0, 0, 3]
    assert all(line.count("\t") == 1 for part in parts for line in part)


def test_shards_of_files_that_are_not_parallel(tmp_path):
    write_lines(tmp_path / "en.txt", "abc")
    write_lines(tmp_path / "fr.txt", "ab")
    with pytest.raises(InputError, match="not parallel"):
        shard(tmp_path / "en.txt", tmp_path / "fr.txt", shards_out=[tmp_path / "s.gz"])
    assert not (tmp_path / "s.gz").exists()


def test_summed_counts_keep_an_order():
    tables = [{"raw": 5, "dropped:b": 1, "kept": 4}, {"raw": 3, "dropped:a": 1, "dropped:c": 1, "kept": 1}]
    assert list(add_counts(tables).items()) == [
        *(("raw", 8), ("dropped:a", 1), ("dropped:c", 1), ("dropped:b", 1), ("kept", 5)),
    ]


@pytest.mark.parametrize("text", ["hello\n", "step\tcount\nraw\tmany\n"])
def test_broken_counts(tmp_path, text):
    (tmp_path / "c").write_text(text)
    with pytest.raises(InputError, match="not a"):
        read_counts(tmp_path / "c")
