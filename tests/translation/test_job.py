"""Files through the cache: everything once, nothing lost, nothing above the price."""

import tracemalloc

import pytest

from workflow_scripts.core.cache import Cache
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.translation import job
from workflow_scripts.translation.job import CHUNK, translate_files

DIRECTION = ("en", "pt")


class Upper:
    """Translates to capitals and takes notes."""

    name = "upper"
    model = "1"
    largest_batch: int | None = None

    def __init__(self, fails_at: int | None = None) -> None:
        self.batches: list[list[str]] = []
        self.fails_at = fails_at

    def translate(self, texts: list[str]) -> list[str]:
        if len(self.batches) == self.fails_at:
            raise ConnectionError("pulled the plug")
        self.batches.append(texts)
        return [f" {text.upper()}\n" for text in texts]

    def cost(self, texts: list[str]) -> float:
        return sum(map(len, texts)) / 100


@pytest.fixture
def files(tmp_path):
    """Two sources with repetitions and empty lines, and their targets."""
    write_lines(tmp_path / "a", ["bb", "", "a", "bb", "dddd"])
    write_lines(tmp_path / "b", ["ccc", "a", " "])
    return [tmp_path / "a", tmp_path / "b"], [tmp_path / "A", tmp_path / "B.gz"]


def test_each_sentence_once(files, tmp_path):
    backend = Upper()
    translate_files(backend, DIRECTION, *files, tmp_path / "c", 3, None)
    assert backend.batches == [["dddd", "ccc", "bb"], ["a"]]
    assert read_lines(files[1][0]) == ["BB", "", "A", "BB", "DDDD"]
    assert read_lines(files[1][1]) == ["CCC", "A", ""]
    again = Upper(fails_at=0)
    write_lines(files[0][1], ["a", "bb", "dddd"])
    translate_files(again, DIRECTION, *files, tmp_path / "c", 3, None)
    assert again.batches == []
    assert read_lines(files[1][1]) == ["A", "BB", "DDDD"]


@pytest.mark.slow
def test_memory_does_not_grow_with_what_is_in_the_cache(tmp_path):
    peaks = []
    for size in (CHUNK, 4 * CHUNK):
        write_lines(tmp_path / "many", (f"sentence number {number}" for number in range(size)))
        paths = [tmp_path / "many"], [tmp_path / "MANY"]
        translate_files(Upper(), DIRECTION, *paths, tmp_path / f"c{size}", size, None)
        tracemalloc.start()
        translate_files(Upper(fails_at=0), DIRECTION, *paths, tmp_path / f"c{size}", size, None)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert read_lines(tmp_path / "MANY")[-1] == f"SENTENCE NUMBER {size - 1}"
    assert peaks[1] < peaks[0] * 1.2


def test_a_translation_that_leaves_the_cache_is_named(files, tmp_path, monkeypatch):
    """It was there when the job looked for what is missing: here nothing ever was."""
    monkeypatch.setattr(job, "_missing", lambda *_: set())
    with pytest.raises(InputError, match=r"'bb' has left this cache while it was read; run the job again"):
        translate_files(Upper(), DIRECTION, *files, tmp_path / "c", 32, None)


def test_a_job_writes_its_own_answers_whatever_another_one_keeps(files, tmp_path, monkeypatch):
    keep = Cache.keep
    monkeypatch.setattr(Cache, "keep", lambda self, answers: keep(self, dict.fromkeys(answers, "other")))
    translate_files(Upper(), DIRECTION, *files, tmp_path / "c", 32, None)
    assert read_lines(files[1][1]) == ["CCC", "A", ""]
    translate_files(Upper(fails_at=0), DIRECTION, *files, tmp_path / "c", 32, None)
    assert read_lines(files[1][1]) == ["other", "other", ""]


def test_a_word_of_two_languages_is_translated_from_each(files, tmp_path):
    # "no" is "in the" in Italian and Portuguese, and no backend's name says from which it translates.
    write_lines(files[0][0], ["no"])
    write_lines(files[0][1], [])
    for source in ("it", "pt"):
        backend = Upper()
        translate_files(backend, (source, "en"), *files, tmp_path / "c", 3, None)
        assert backend.batches == [["no"]]


def test_an_interrupted_job_goes_on(files, tmp_path):
    with pytest.raises(ConnectionError):
        translate_files(Upper(fails_at=1), DIRECTION, *files, tmp_path / "c", 2, None)
    assert not files[1][0].exists()
    backend = Upper()
    translate_files(backend, DIRECTION, *files, tmp_path / "c", 2, None)
    assert backend.batches == [["bb", "a"]]
    assert read_lines(files[1][0]) == ["BB", "", "A", "BB", "DDDD"]


def test_a_backend_can_ask_for_smaller_batches(files, tmp_path):
    backend = Upper()
    backend.largest_batch = 1
    translate_files(backend, DIRECTION, *files, tmp_path / "c", 32, None)
    assert backend.batches == [["dddd"], ["ccc"], ["bb"], ["a"]]


def test_the_price_of_what_is_missing(files, tmp_path, capsys):
    backend = Upper()
    with pytest.raises(
        InputError, match=r"10 characters would cost \$0\.1000, above \$0\.0900.*translation\.max_cost"
    ):
        translate_files(backend, DIRECTION, *files, tmp_path / "c", 32, 0.09)
    assert backend.batches == [] and not files[1][0].exists()
    assert "10 characters, $0.1000" in capsys.readouterr().err
    translate_files(backend, DIRECTION, *files, tmp_path / "c", 32, 0.10)
    translate_files(backend, DIRECTION, *files, tmp_path / "c", 32, 0.0)  # all is paid for
    assert len(backend.batches) == 1
    assert capsys.readouterr().err.endswith("0 characters, $0.0000\n")


def test_a_backend_that_loses_a_sentence_is_a_bug(files, tmp_path):
    backend = Upper()
    backend.translate = lambda texts: texts[1:]  # type: ignore[method-assign]
    with pytest.raises(ValueError, match="shorter"):
        translate_files(backend, DIRECTION, *files, tmp_path / "c", 32, None)


def test_an_answer_without_end_is_refused_and_the_others_are_kept(files, tmp_path):
    backend = Upper()
    backend.translate = lambda texts: [text * (1 << 20) if text == "bb" else text for text in texts]  # type: ignore[method-assign]
    with pytest.raises(InputError, match="upper answers with more than 1048576 bytes to 'bb'"):
        translate_files(backend, DIRECTION, *files, tmp_path / "c", 32, None)
    assert not files[1][0].exists()
    again = Upper()
    translate_files(again, DIRECTION, *files, tmp_path / "c", 32, None)
    assert again.batches == [["bb"]]


def test_half_a_character_in_an_answer_is_a_question_mark(files, tmp_path):
    backend = Upper()
    backend.translate = lambda texts: [f"{text}\ud83d" for text in texts]  # type: ignore[method-assign]
    translate_files(backend, DIRECTION, *files, tmp_path / "c", 32, None)
    assert read_lines(files[1][0]) == ["bb?", "", "a?", "bb?", "dddd?"]


def test_nothing_is_translated_again_while_the_cache_is_damaged(files, tmp_path):
    translate_files(Upper(), DIRECTION, *files, tmp_path / "c", 32, None)
    # A row that can no longer be found under its sentence.
    data = (tmp_path / "c").read_bytes()
    assert data.count(b"dddd") == 1
    (tmp_path / "c").write_bytes(data.replace(b"dddd", b"ddde"))
    backend = Upper()
    with pytest.raises(InputError, match=r"c: this cache of answers is damaged .*translation\.rescue"):
        translate_files(backend, DIRECTION, *files, tmp_path / "c", 32, None)
    assert backend.batches == []
