"""The journal of a change: written before all else, read back as it was, refused where it is of others."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import msgspec
import pytest

from assetdb.checks.mending.writing.journal import (
    VERSION,
    Journal,
    Rename,
    Write,
    begun,
    digest,
    has_journal,
    read_journal,
    refuse_others,
    remove_journal,
    set_journal_aside,
    write_journal,
)
from assetdb.errors import FileError, MendingError
from assetdb.store.lock_owner import process_start
from tests.needs import needs_folder_descriptors, needs_links

if TYPE_CHECKING:
    from pathlib import Path

NAME = ".assetdb-mending"
STEPS = (
    Write("Assets/a.txt", b"\xff\0before", digest(b"after"), 0o644),
    Write("Assets/new.txt", None, digest(b"new")),
    Write("Assets/gone.txt", b"", None),
    Rename("Assets/Old", "Assets/New", ""),
)


@pytest.mark.parametrize("phase", ["doing", "done"])
def test_a_journal_is_read_as_it_was_written(tmp_path: Path, phase: str) -> None:
    written = Journal(77, "doing" if phase == "doing" else "done", STEPS, ("Assets/.x",))
    assert not has_journal(str(tmp_path))
    write_journal(str(tmp_path), written)
    assert has_journal(str(tmp_path))
    assert read_journal(str(tmp_path)) == written
    assert os.listdir(tmp_path) == [NAME]
    assert json.loads((tmp_path / NAME).read_bytes())["version"] == VERSION == 3


def test_a_digest_is_of_the_bytes_and_nothing_has_none() -> None:
    assert digest(b"abc") == hashlib.sha256(b"abc").hexdigest()
    assert digest(b"") == hashlib.sha256().hexdigest()
    assert digest(None) is None


def test_a_journal_that_could_not_be_read_back_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(1, "doing", STEPS)
    write_journal(str(tmp_path), journal)
    size = (tmp_path / NAME).stat().st_size
    (tmp_path / NAME).unlink()
    monkeypatch.setattr("assetdb.checks.mending.writing.journal._LARGEST", size - 1)
    with pytest.raises(MendingError) as caught:
        write_journal(str(tmp_path), journal)
    assert str(caught.value) == f"the files to change are too large to be put back all at once ({size:,} bytes)"
    assert not has_journal(str(tmp_path))
    monkeypatch.setattr("assetdb.checks.mending.writing.journal._LARGEST", size)
    write_journal(str(tmp_path), journal)
    assert read_journal(str(tmp_path)) == journal


def test_no_journal_is_none_and_needs_no_removal(tmp_path: Path) -> None:
    assert read_journal(str(tmp_path)) is None
    assert read_journal(str(tmp_path / "none")) is None
    remove_journal(str(tmp_path))
    write_journal(str(tmp_path), Journal(1, "doing", ()))
    remove_journal(str(tmp_path))
    assert not has_journal(str(tmp_path))


@needs_links
def test_a_link_without_a_target_counts_as_a_journal(tmp_path: Path) -> None:
    (tmp_path / NAME).symlink_to("nowhere")
    assert has_journal(str(tmp_path))


@pytest.mark.parametrize("data", [b"", b"{", b'{"process": 1, "version": 3', b"\xff"])
def test_bytes_that_are_no_json_are_damage(tmp_path: Path, data: bytes) -> None:
    (tmp_path / NAME).write_bytes(data)
    with pytest.raises(FileError, match="is damaged") as caught:
        read_journal(str(tmp_path))
    assert str(caught.value).startswith(str(tmp_path / NAME))


@pytest.mark.parametrize(
    "document",
    [
        {"version": 1},
        {"version": 2, "process": 1, "phase": "doing", "steps": []},
        {"version": "3"},
        [],
        {"process": 1, "phase": "doing", "steps": []},
        {"version": 3, "process": 1, "phase": "else", "steps": []},
        {"version": 3, "process": 1, "phase": "doing", "steps": [{"type": "other"}]},
    ],
)
def test_json_of_another_version_is_left_to_that_version(tmp_path: Path, document: object) -> None:
    (tmp_path / NAME).write_text(json.dumps(document))
    with pytest.raises(MendingError, match="another version of assetdb left an unfinished change here"):
        read_journal(str(tmp_path))


def test_a_journal_is_set_aside_under_the_first_free_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2):
        (tmp_path / NAME).write_text(f"{number}")
        assert set_journal_aside(str(tmp_path)) == f"{NAME}.{number}"
        assert (tmp_path / f"{NAME}.{number}").read_text() == f"{number}"
        assert not has_journal(str(tmp_path))
    (tmp_path / NAME).write_text("3")
    monkeypatch.setattr("assetdb.checks.mending.writing.journal._MOST_ASIDE", 3)
    with pytest.raises(MendingError, match="there are too many such files already: remove them"):
        set_journal_aside(str(tmp_path))
    assert (tmp_path / NAME).read_text() == "3"
    monkeypatch.setattr("assetdb.checks.mending.writing.journal._MOST_ASIDE", 4)
    assert set_journal_aside(str(tmp_path)) == f"{NAME}.3"


@needs_folder_descriptors
def test_the_journal_and_its_name_are_on_the_disk_before_anything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_ino))
    write_journal(str(tmp_path), Journal(1, "doing", STEPS))
    assert synced == [(tmp_path / NAME).stat().st_ino, tmp_path.stat().st_ino]


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="only Linux has files without a name")
def test_a_kill_before_the_journal_has_its_name_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class KilledError(BaseException):
        pass

    def kill(*_: object, **__: object) -> None:
        assert os.listdir(tmp_path) == []
        raise KilledError

    monkeypatch.setattr(os, "link", kill)
    with pytest.raises(KilledError):
        write_journal(str(tmp_path), begun(str(tmp_path), STEPS, ()))
    assert os.listdir(tmp_path) == []


def test_a_journal_is_believed_where_it_was_written(tmp_path: Path) -> None:
    journal = begun(str(tmp_path), STEPS, ("Assets/.x",))
    assert (journal.process, journal.steps, journal.trash) == (os.getpid(), STEPS, ("Assets/.x",))
    refuse_others(str(tmp_path), journal)
    refuse_others(str(tmp_path), msgspec.structs.replace(journal, process=1 << 70))  # of a process that ended


@pytest.mark.parametrize("place", ["folder", "", "0 0"])
def test_a_journal_of_another_folder_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "other").mkdir()
    journal = begun(str(tmp_path / "other"), STEPS, ())
    if place != "folder":
        journal = msgspec.structs.replace(begun(str(tmp_path), STEPS, ()), folder=place)
    with pytest.raises(MendingError, match="is not believed: it was written in another folder"):
        refuse_others(str(tmp_path), journal)
    refuse_others(str(tmp_path), journal, is_trusted=True)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux numbers its starts")
@pytest.mark.parametrize("start", ["", "7", "0f6b3c9e-0000-4000-8000-000000000000 7"])
def test_a_journal_of_another_start_of_the_computer_is_refused(tmp_path: Path, start: str) -> None:
    journal = msgspec.structs.replace(begun(str(tmp_path), STEPS, ()), start=start)
    with pytest.raises(MendingError, match="is not believed: it was written before this computer was started"):
        refuse_others(str(tmp_path), journal)


def test_a_journal_whose_process_runs_is_refused(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        start = process_start(process.pid)
        journal = msgspec.structs.replace(begun(str(tmp_path), STEPS, ()), process=process.pid, start=start)
        for is_trusted in (False, True):
            with pytest.raises(MendingError, match=f"process {process.pid} is changing files now"):
                refuse_others(str(tmp_path), journal, is_trusted=is_trusted)
        process.communicate(b"\n")
    refuse_others(str(tmp_path), journal)
