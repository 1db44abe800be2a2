"""Yahoo Answers: XML in parts, cut anywhere, larger than memory, and never trusted."""

import gzip
import tracemalloc
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workflow_scripts.core.counts import read_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines
from workflow_scripts.corpora.yahoo import read_questions, read_yahoo
from workflow_scripts.text.sentences import train


def document(
    *answers: str, best: str | None = None, category: str = "Família e Relacionamentos", tags: str = ""
) -> str:
    items = "".join(f"<answer_item>{escape(text, {chr(10): '&#xa;'})}</answer_item>" for text in answers)
    return (
        '<vespaadd><document type="wisdom"><uri>1</uri><subject>Posso?</subject><content>x</content>'
        f"<bestanswer>{escape(answers[0] if best is None else best)}</bestanswer>"
        f"<nbestanswers>{items}</nbestanswers>\n<cat>Amigos</cat><maincat>{escape(category)}</maincat>"
        f"<subcat>y</subcat>{tags or '<qlang>pt</qlang><qintl>br</qintl><language>pt-br</language>'}"
        "</document></vespaadd>\n"
    )


def write(folder: Path, *documents: str, cuts: Sequence[int] = (), head: str = "") -> list[Path]:
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n{head}<ystfeed>\n{"".join(documents)}</ystfeed>\n'
    data = text.encode()
    bounds = [0, *cuts, len(data)]
    paths = []
    for number, (start, end) in enumerate(pairwise(bounds), 1):
        paths.append(folder / f"FullOct2007.xml.part{number}.gz")
        paths[-1].write_bytes(gzip.compress(data[start:end], mtime=0))
    return paths


def read(
    folder: Path,
    *parts: Path,
    category: str = "Família e Relacionamentos",
    answers: Literal["all", "best"] = "all",
    punkt: Path | None = None,
) -> list[str]:
    out, counts = folder / "answers.txt.gz", folder / "counts.tsv"
    read_yahoo(*parts, out=out, counts=counts, language="pt", category=category, answers=answers, punkt=punkt)
    return read_lines(out)


def test_yahoo_sentences_and_counts(tmp_path):
    parts = write(
        tmp_path,
        document("Sim & não.", "um\n<br />\n<br/>dois  três<BR>quatro", best=" sim & não. "),
        document("igual", "igual", best="outra"),
        document("fora", category="Filmes"),
        document("english", tags="<qlang>en</qlang><language>en-us</language>"),
        document("sem qlang", tags="<language>pt-br</language>"),
    )
    assert read(tmp_path, *parts) == [
        "Sim & não.",
        "um",
        "dois três",
        "quatro",
        "igual",
        "igual",
        "outra",
        "sem qlang",
    ]
    assert read_counts(tmp_path / "counts.tsv") == {
        "language:pt": 4,
        "language:en": 1,
        "questions": 4,
        "all sentences": 9,
        "all best sentences": 4,
        "in category": 3,
        "answers": 6,
        "sentences": 8,
        "best sentences": 3,
    }
    assert "fora" in read(tmp_path, tmp_path, category="none")


def test_only_the_best_answers_may_be_read(tmp_path):
    parts = write(
        tmp_path,
        document("um", "dois<br>três", "Dois<br>Três", best=" dois<br>três "),
        document("quatro", best="cinco"),
        document("seis", best=""),
        document("fora<br>também", category="Filmes"),
    )
    assert read(tmp_path, *parts, answers="best") == ["dois", "três", "cinco"]
    best = read_counts(tmp_path / "counts.tsv")
    assert len(read(tmp_path, *parts)) == 8
    # The counts are those of both, whichever are written.
    assert best == read_counts(tmp_path / "counts.tsv")
    units = ("all sentences", "all best sentences", "sentences", "best sentences")
    assert [best[unit] for unit in units] == [10, 5, 8, 3]
    only = write(tmp_path, document("seis", best=""))
    with pytest.raises(InputError, match="no answer in language 'pt'"):
        read(tmp_path, *only, answers="best")


def test_yahoo_counts_every_language(tmp_path):
    tags = ["<qlang>fr</qlang>", "<qlang>en</qlang>", "<qlang>EN</qlang>", "<cat>x</cat>"]
    # Of two tags, `qlang` counts.
    tags += ["<qlang>fr</qlang><language>pt-br</language>", "<language>pt-br</language><qlang>it</qlang>"]
    parts = write(
        tmp_path, document("sim"), *(document("x", tags=tag) for tag in [*tags, "<qlang>a\tb\nc</qlang>"])
    )
    read(tmp_path, *parts)
    counts = read_counts(tmp_path / "counts.tsv")
    languages = {step: count for step, count in counts.items() if step.startswith("language:")}
    assert list(languages.items()) == [
        ("language:en", 2),
        ("language:fr", 2),
        ("language:a b c", 1),
        ("language:it", 1),
        ("language:pt", 1),
        ("language:unknown", 1),
    ]
    assert counts["all sentences"] == counts["sentences"] == 1


def test_yahoo_with_punkt(tmp_path):
    train(["Falei com o sr. Silva ontem. Ele veio.", "O sr. Souza saiu. Foi bom."] * 50, tmp_path / "punkt")
    parts = write(tmp_path, document("Oi gente. Tudo bem\nsim. Não sei."))
    found = read(tmp_path, *parts, punkt=tmp_path / "punkt")
    assert found == ["Oi gente.", "Tudo bem", "sim.", "Não sei."]


@settings(max_examples=40)
@given(st.lists(st.integers(1, 900), max_size=4, unique=True).map(sorted))
def test_yahoo_is_cut_anywhere(tmp_path_factory, cuts):
    folder = tmp_path_factory.mktemp("yahoo")
    documents = [document("ção é ã\n&<br />ü", best="ß"), document("à noite", "日本")]
    parts = write(folder, *documents, cuts=cuts)
    answers = [question.answers for question in read_questions(parts)]
    assert answers == [["ção é ã\n&<br />ü", "ß"], ["à noite", "日本"]]


def test_yahoo_category_that_is_not_there(tmp_path):
    parts = write(tmp_path, document("a"), document("b", category="Filmes"))
    answer = "no answer in language 'pt' and category 'Familia e Relacionamento'"
    problem = rf"part\d*\.gz: {answer}; did you mean 'Família e Rel"
    with pytest.raises(InputError, match=problem):
        read(tmp_path, *parts, category="Familia e Relacionamento")
    assert not (tmp_path / "answers.txt.gz").exists()


def test_yahoo_language_that_is_not_there(tmp_path):
    parts = write(tmp_path, document("a", tags="<qlang>en</qlang>"))
    with pytest.raises(InputError, match="no question in language 'pt'"):
        read(tmp_path, *parts)


def test_yahoo_with_broken_parts(tmp_path):
    first, second = write(tmp_path, document("a" * 200), document("b"), cuts=[300])
    with pytest.raises(InputError, match=r"part1\.gz: not well-formed XML"):
        read(tmp_path, first)
    with pytest.raises(InputError, match=r"part2\.gz: not well-formed XML"):
        read(tmp_path, second, first)
    second.write_bytes(second.read_bytes()[:-12])
    with pytest.raises(InputError, match=r"part2\.gz: broken gzip"):
        read(tmp_path, first, second)
    first.write_bytes(b"plain")
    with pytest.raises(InputError, match=r"part1\.gz: broken gzip"):
        read(tmp_path, first, second)
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path, tmp_path / "none.gz")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: no \*\.xml"):
        read(tmp_path, tmp_path / "empty")
    assert not (tmp_path / "answers.txt.gz").exists()


def whole(*documents: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<ystfeed>\n{"".join(documents)}</ystfeed>\n'.encode()


def test_yahoo_is_one_document_or_several_or_parts(tmp_path):
    texts = [f"é {number}" for number in range(12)]
    documents = [document(text) for text in texts]
    together = whole(*documents)
    forms: dict[str, dict[str, bytes]] = {
        "plain": {"answers.xml": together},
        "gzip": {"answers.xml.gz": gzip.compress(together)},
        "two gzips": {
            "a.xml.gz": gzip.compress(whole(*documents[:5])),
            "b.xml.gz": gzip.compress(whole(*documents[5:])),
        },
        "many": {f"answers{i}.xml": whole(one) for i, one in enumerate(documents)},
        "parts": {
            f"answers.xml.part{i + 1}.gz": gzip.compress(together[100 * i : 100 * (i + 1)])
            for i in range(len(together) // 100 + 1)
        },
        # The cut falls behind the last element, and the rest is white space.
        "white end": {
            "answers.xml.part1.gz": gzip.compress(together[:-1]),
            "answers.xml.part2.gz": gzip.compress(together[-1:]),
        },
    }
    assert len(forms["parts"]) > 10
    for name, files in forms.items():
        folder = tmp_path / name
        folder.mkdir()
        for file, data in files.items():
            (folder / file).write_bytes(data)
        (folder / "README.txt").touch()
        assert read(tmp_path, folder) == texts, name


def test_yahoo_with_a_document_that_does_not_end(tmp_path):
    first, second = tmp_path / "a.xml", tmp_path / "b.xml"
    first.write_bytes(whole(document("a"))[:-12])
    second.write_bytes(whole(document("b")))
    with pytest.raises(InputError, match=r"b\.xml: not well-formed XML"):
        read(tmp_path, first, second)
    with pytest.raises(InputError, match=r"a\.xml: not well-formed XML"):
        read(tmp_path, second, first)
    first.write_bytes(whole(document("a")) + b"more")
    with pytest.raises(InputError, match=r"a\.xml: not well-formed XML"):
        read(tmp_path, first, second)


def test_yahoo_declares_no_entities(tmp_path):
    head = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>\n'
    parts = write(tmp_path, document("a").replace("<uri>1", "<uri>&b;"), head=head)
    with pytest.raises(InputError, match="declares a document type"):
        read(tmp_path, *parts)


@pytest.mark.slow
def test_yahoo_memory_does_not_grow(tmp_path):
    peaks = []
    for size in (500, 3_000):
        parts = write(tmp_path, *(document(f"resposta número {i} " + "e mais " * 60) for i in range(size)))
        tracemalloc.start()
        out = tmp_path / "answers.txt.gz"
        read_yahoo(*parts, out=out, counts=tmp_path / "c.tsv", language="pt", category="none")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert len(read_lines(out)) == size
    assert peaks[1] < peaks[0] * 1.2


def test_yahoo_on_the_command_line(tmp_path, module):
    parts = write(tmp_path, document("sim", "não"), cuts=[100])
    options = ("--out", tmp_path / "o.txt", "--counts", tmp_path / "c.tsv", "--language", "pt")
    done = module("corpora.yahoo", *parts, *options, "--category", "none")
    assert done.returncode == 0, done.stderr
    # All answers, where nothing else is asked for.
    assert read_lines(tmp_path / "o.txt") == ["sim", "não"]


def test_markup_that_is_not_escaped_is_text(tmp_path):
    text = document("A").replace("<answer_item>A<", "<answer_item>one<br/>two <b>three</b><")
    assert read(tmp_path, *write(tmp_path, text)) == ["one", "two <b>three", "A"]


def test_markup_within_markup_is_text(tmp_path):
    text = document("A").replace("<answer_item>A<", "<answer_item>1 <b>2 <i>3 <u>4</u></i> 5</b> 6<")
    assert read(tmp_path, *write(tmp_path, text)) == ["1 <b>2 <i>3 <u>4 5 6", "A"]


def test_a_question_may_lack_its_category_and_its_best_answer(tmp_path):
    text = document("A").replace("<bestanswer>A</bestanswer>", "")
    text = text.replace("<maincat>Família e Relacionamentos</maincat>", "")
    (question,) = read_questions(write(tmp_path, text))
    assert (question.category, question.language, question.answers, question.best) == ("", "pt", ["A"], None)


def test_the_best_answer_is_the_first_of_equal_ones(tmp_path):
    assert read(tmp_path, *write(tmp_path, document("um", "UM", best="Um")), answers="best") == ["um"]


def test_a_file_has_one_document(tmp_path, monkeypatch):
    """Even where the second one begins with a chunk."""
    one = whole(document("a"))
    (tmp_path / "a.xml").write_bytes(one * 2)
    monkeypatch.setattr("workflow_scripts.corpora.yahoo.CHUNK", len(one))
    with pytest.raises(InputError, match=r"a\.xml: not well-formed XML"):
        read(tmp_path, tmp_path / "a.xml")


def test_an_answer_outside_a_question_is_named(tmp_path):
    parts = write(tmp_path, document("A"), "<bestanswer>B</bestanswer>")
    with pytest.raises(
        InputError, match=r"part1\.gz: 'bestanswer' stands outside a question \(document or vespaadd\)"
    ):
        read(tmp_path, *parts)


@pytest.mark.parametrize("encoding", ["no-such", "hex", "shift_jis"])
def test_an_encoding_that_cannot_be_read_is_named(tmp_path, encoding):
    path = tmp_path / "a.xml"
    path.write_bytes(f'<?xml version="1.0" encoding="{encoding}"?><a/>'.encode())
    with pytest.raises(InputError, match=r"a\.xml: declares an encoding that cannot be read"):
        read(tmp_path, path)


def test_a_part_without_a_byte_is_named(tmp_path):
    parts = write(tmp_path, document("A"))
    parts[0].with_name("x.gz").write_bytes(b"")
    with pytest.raises(InputError, match=r"x\.gz: broken gzip \(not a byte in it\)"):
        read(tmp_path, *parts, parts[0].with_name("x.gz"))


# A third of a second; with squares of the length it would be minutes.
@pytest.mark.timeout(60)
def test_long_runs_do_not_take_forever(tmp_path):
    """A '<' before a hundred thousand spaces: each is looked at once."""
    found = read(tmp_path, *write(tmp_path, document("a <" + " " * 100_000 + "b " + "<p " * 50_000)))
    assert found[0] == "a < b" + " <p" * 50_000
