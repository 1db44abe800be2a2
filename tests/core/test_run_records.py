"""Damaged records of Snakemake's: the files they describe are made again, and nothing ends in a traceback."""

import base64
import json
import os
from pathlib import Path

import pytest
from snakemake.persistence import MetadataRecord

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.run_records import Made, made, mend, seconds

WHOLE = b'{"rule": "r", "params": ["1"], "record_format_version": 6}'
DAMAGED = {
    "no UTF-8": b'{"rule": "\xff"}',
    "UTF-16": WHOLE.decode().encode("utf-16"),
    "cut": WHOLE[:-5],
    "empty": b"",
    "a list": b'["rule"]',
    "a number": b"5",
    "nothing in it": b"{}",
    "another type": b'{"rule": "r", "input": 5}',
    "deep": b"[" * 100_000,
}


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_record_is_a_mark_of_an_unfinished_file(data, tmp_path, capsys):
    whole, record = put(tmp_path, "metadata/eA==", WHOLE), put(tmp_path, "metadata/@long/eQ==", data)
    mend(tmp_path, MetadataRecord.model_validate)
    assert whole.read_bytes() == WHOLE and not record.exists()
    assert json.loads((tmp_path / "incomplete/@long/eQ==").read_text()) == {"external_jobid": None}
    assert not (tmp_path / "incomplete/eA==").exists()
    assert "1 damaged record: the files they describe are made again" in capsys.readouterr().err
    mend(tmp_path, MetadataRecord.model_validate)
    assert capsys.readouterr().err == ""


def test_a_folder_is_no_record(tmp_path):
    put(tmp_path, "metadata/eQ==/x", WHOLE)
    mend(tmp_path, MetadataRecord.model_validate)
    assert not list(tmp_path.glob("metadata/*")) and (tmp_path / "incomplete/eQ==").is_file()


def test_a_damaged_mark_is_still_one(tmp_path):
    mark = put(tmp_path, "incomplete/eA==", b"\xff5")
    mend(tmp_path, MetadataRecord.model_validate)
    assert json.loads(mark.read_text()) == {"external_jobid": None}


def test_nothing_changes_beside_another_run(tmp_path):
    record, lock = put(tmp_path, "metadata/eA==", b"{"), put(tmp_path, "locks/0.input.lock", b"x\n")
    mend(tmp_path, MetadataRecord.model_validate)
    assert record.exists()
    lock.write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"0\.input\.lock: a damaged lock of Snakemake; delete it"):
        mend(tmp_path, MetadataRecord.model_validate)


@pytest.mark.slow
def test_what_has_a_damaged_record_is_made_again(project, snakemake):
    target = project / "build/corpora/demo/world.json"
    words = ("--cores", 1, "--quiet", "--", "build/corpora/demo/world.json")
    assert snakemake(project, *words).returncode == 0
    (record,) = (path for path in project.glob(".snakemake/metadata/*") if b"demo_world" in path.read_bytes())
    # Damaged together: a disk rarely hits one file only.
    text, times = target.read_bytes(), target.stat()
    target.write_bytes(text[:-100])
    os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))
    record.write_bytes(record.read_bytes().replace(b"demo_world", b"demo\xff_world"))
    done = snakemake(project, *words)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    assert target.read_bytes() == text


def test_seconds_are_those_of_all_jobs_behind_a_file():
    records = {
        "text": Made("read", (), 0.0, 3.0),
        "model/one": Made("train", ("text/fr.txt", "given.csv"), 5.0, 15.0),
        "model/two": Made("train", ("text/fr.txt", "given.csv"), 5.0, 15.0),
        "again": Made("train", ("again",), 5.0, 16.0),
        "table": Made("table", ("model/one", "model/two", "again"), 20.0, 20.5),
    }
    assert seconds("table", records) == 3 + 10 + 11 + 0.5
    assert seconds("text/fr.txt", records) == 3 and seconds("given.csv", records) == 0


def test_how_files_were_made_is_read_from_whole_records(tmp_path):
    whole = {"rule": "r", "input": ["a"], "starttime": 1.5, "endtime": 3}
    texts = {
        "x" * 300: json.dumps(whole).encode(),
        "b": json.dumps({**whole, "endtime": None}).encode(),
        "c": json.dumps({"rule": "r"}).encode(),
        "d": b"{",
    }
    for name, data in texts.items():
        code = base64.urlsafe_b64encode(name.encode()).decode()
        parts = [code[start : start + 100] for start in range(0, len(code), 100)]
        put(tmp_path / "metadata", "/".join([*(f"@{part}" for part in parts[:-1]), parts[-1]]), data)
    assert made(tmp_path) == {"x" * 300: Made("r", ("a",), 1.5, 3.0)}
    assert made(tmp_path / "none") == {}
