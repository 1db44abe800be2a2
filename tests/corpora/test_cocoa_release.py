"""The released layout, read into the canonical one."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.control.conftest import FUZZ, file_of, release, texts_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines
from workflow_scripts.corpora.cocoa import DOMAINS, kinds_of, path_of, read_texts
from workflow_scripts.corpora.cocoa_release import read
from workflow_scripts.text.markers import is_malformed, untagged

LANGUAGES = ("de", "es", "fr", "hi", "it", "ja", "pt")
PLACE = ("train", "telephony")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_file_is_read(tmp_path, language):
    read(release(tmp_path / "release", language), tmp_path / "out", language=language)
    for split, domains in DOMAINS.items():
        for domain in domains:
            for kind, text in texts_of(language).items():
                assert read_lines(path_of(tmp_path / "out", split, domain, kind)) == text
    assert len(list((tmp_path / "out").iterdir())) == 5 * len(kinds_of(language))


def test_the_folder_inside_will_do_and_old_files_go(tmp_path):
    root = release(tmp_path / "release", "ja")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "old.txt").touch()
    read(root / "CoCoA-MT", tmp_path / "out", language="ja")
    assert not (tmp_path / "out" / "old.txt").exists()
    assert len(list((tmp_path / "out").iterdir())) == 25


def test_domains_stand_one_after_the_other(canonical):
    folder = canonical("de")
    formal, feminine = read_texts(folder, "test", ("formal", "formal.feminine"))
    assert formal == texts_of("de")["formal"] * 3
    assert feminine == texts_of("de")["formal.feminine"] * 3
    (one,) = read_texts(folder, "test", ("en",), ("call_center",))
    assert one == texts_of("de")["en"]


def test_a_canonical_file_without_a_sentence_in_a_line_is_named(canonical, tmp_path):
    folder = shutil.copytree(canonical("de"), tmp_path / "copy")
    path = path_of(folder, "train", "telephony", "formal")
    path.write_text(path.read_text().replace("\n", "\n\n", 1))
    with pytest.raises(InputError, match=rf"{path.name}:2: empty line"):
        read_texts(folder, "train", ("formal",))


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        ("formal", None, r": no such file, nor one called formality-control\.train\.telephony\."),
        ("formal", "", "empty file"),
        ("formal", "Sind Sie sich sicher ?\n\nSind Sie Lehrer ?\n", "2: empty line"),
        ("formal", "Sind Sie sich sicher ?\n", "1 lines, but .* has 3"),
        ("en", b"Are you\nca\xf1\xf3n\nsure\n", "2: not UTF-8"),
        (
            "informal.annotated",
            "Bist [F]du[/F] dir sicher ?\nKönnen [F]Sie[/F] warten ?\nBist [F]du[/F] Lehrer ?\n",
            "2: without its markers",
        ),
    ],
)
def test_a_bad_file_is_named(tmp_path, kind, content, message):
    root = release(tmp_path / "release", "de")
    path = file_of(root, *PLACE, kind, "de")
    path.unlink()
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=message) as error:
        read(root, tmp_path / "out", language="de")
    assert error.value.path == (path.with_suffix("") if content is None else path)
    assert not (tmp_path / "out").exists()


def test_a_file_by_two_names_is_refused(tmp_path):
    root = release(tmp_path / "release", "de")
    path = file_of(root, *PLACE, "formal", "de")
    shutil.copy(path, path.with_suffix(""))
    with pytest.raises(InputError, match=f": there is also a file called {path.name}; download the corpus"):
        read(root, tmp_path / "out", language="de")


def test_malformed_lines_are_kept_and_counted(tmp_path, capsys):
    root = release(tmp_path / "release", "de")
    path = file_of(root, *PLACE, "formal.annotated", "de")
    lines = ["Sind [F]Sie sich sicher ?", "[F]Könnten [F]Sie[/F] warten ?", "Sind Sie Lehrer ?"]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    read(root, tmp_path / "out", language="de")
    assert read_lines(path_of(tmp_path / "out", *PLACE, "formal.annotated")) == lines
    assert "de: 2 annotated lines with malformed markers" in capsys.readouterr().err


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory):
    """A release of which one domain is written anew for each case."""
    return release(tmp_path_factory.mktemp("fuzzed"), "ja")


LINE = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])).filter(
    lambda text: text.lstrip("\ufeff").strip()
)


@pytest.mark.slow
@FUZZ
@given(
    st.lists(LINE, min_size=1, max_size=5),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
    st.booleans(),
)
@example(
    ["a\u2028b\x0b\x0c\x85c", "\u00a0x\u00a0", "[F]a[F] [/F", "y" * 100_000], "\r\n", b"\xef\xbb\xbf", False
)
def test_any_text_is_read_line_by_line(fuzzed, text, ending, mark, closed):
    lines = [line.rstrip("\r") for line in text]
    lines[0] = lines[0].removeprefix("\ufeff")
    plain = [untagged(line) for line in lines]
    if not all(line.strip() for line in plain):
        return
    with tempfile.TemporaryDirectory() as name:
        root, out = fuzzed, Path(name) / "out"
        for kind in kinds_of("ja"):
            content = ending.join(lines if kind == "formal.annotated" else plain)
            content += ending if closed or not content.split("\n")[-1] else ""
            file_of(root, *PLACE, kind, "ja").write_bytes(mark + content.encode())
        try:
            read(root, out, language="ja")
        except InputError as error:
            # Only a text that gets a marker by losing another is no reference with markers.
            assert "without its markers" in error.problem and any(untagged(line) != line for line in plain)
            return
        assert read_lines(path_of(out, *PLACE, "formal.annotated")) == lines
        assert read_lines(path_of(out, *PLACE, "formal")) == plain
        annotated, source = read_texts(out, "train", ("formal.annotated", "en"), PLACE[1:])
        assert (annotated, source) == (lines, plain)
        assert sum(map(is_malformed, annotated)) == sum(map(is_malformed, lines))


@pytest.mark.slow
@FUZZ
@given(
    st.binary()
    | st.lists(st.sampled_from([b"\n", b"\r", b"a", b"[F]", b"\xef\xbb\xbf", b"\xff"])).map(b"".join)
)
def test_any_bytes_are_read_or_refused_by_name(fuzzed, content):
    with tempfile.TemporaryDirectory() as name:
        root, out = fuzzed, Path(name) / "out"
        for kind in kinds_of("ja"):
            file_of(root, *PLACE, kind, "ja").write_bytes(content)
        try:
            read(root, out, language="ja")
        except InputError as error:
            assert "formality-control.train.telephony" in str(error)
            assert error.line is not None or error.problem.startswith("empty file")
            return
        count = content.count(b"\n") + (not content.endswith(b"\n"))
        assert len(read_lines(path_of(out, *PLACE, "formal"))) == count
