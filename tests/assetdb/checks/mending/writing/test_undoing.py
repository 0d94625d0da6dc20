"""Steps are undone in reverse, and what was changed since is left alone and named."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.mending.writing import undoing
from assetdb.checks.mending.writing.journal import Rename, Write, digest
from assetdb.checks.mending.writing.safe_files import reached
from assetdb.checks.mending.writing.undoing import Undone, content_of, path_of, undo
from tests.needs import needs_links, needs_pipes

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.checks.mending.writing.journal import Step

A, B = "Assets/a.txt", "Assets/b.txt"
WRITTEN = Write(A, b"before", digest(b"after"))
MADE = Write(A, None, digest(b"after"))
REMOVED = Write(A, b"before", None)
MOVED = Rename(A, B, sha256(b"moved").hexdigest())


def undone(tmp_path: Path, step: Step, **files: bytes) -> tuple[Undone, dict[str, bytes]]:
    """Return the result of undoing a step where these files are, and the files then."""
    folder = tmp_path / "Assets"
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / f"{name}.txt").write_bytes(data)
    found = undo(str(tmp_path), [step], 77)
    return found, {path.stem: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("step", "now", "then", "is_undone"),
    [
        (WRITTEN, {"a": b"after"}, {"a": b"before"}, True),
        (WRITTEN, {"a": b"before"}, {"a": b"before"}, True),  # it was not done yet
        (WRITTEN, {"a": b"edited"}, {"a": b"edited"}, False),
        (WRITTEN, {}, {}, False),
        (MADE, {"a": b"after"}, {}, True),
        (MADE, {}, {}, True),
        (MADE, {"a": b"edited"}, {"a": b"edited"}, False),
        (REMOVED, {}, {"a": b"before"}, True),
        (REMOVED, {"a": b"before"}, {"a": b"before"}, True),
        (REMOVED, {"a": b"edited"}, {"a": b"edited"}, False),
        (MOVED, {"b": b"moved"}, {"a": b"moved"}, True),
        (MOVED, {"a": b"moved"}, {"a": b"moved"}, True),  # it was not done yet
        (MOVED, {}, {}, False),
        (MOVED, {"b": b"edited"}, {"b": b"edited"}, False),
        (MOVED, {"a": b"new", "b": b"moved"}, {"a": b"new", "b": b"moved"}, False),
        (MOVED, {"a": b"moved", "b": b"other"}, {"a": b"moved", "b": b"other"}, True),
        (Rename(A, B, ""), {"a": b"new", "b": b"whatever"}, {"a": b"new", "b": b"whatever"}, False),
        (Rename(A, B, ""), {"b": b"whatever"}, {"b": b"whatever"}, False),
    ],
)
def test_a_step_is_undone_unless_its_file_has_changed_since(
    tmp_path: Path, step: Step, now: dict[str, bytes], then: dict[str, bytes], *, is_undone: bool
) -> None:
    found, files = undone(tmp_path, step, **now)
    path = (path_of(step),)
    assert files == then
    assert found == (Undone(path, (), ()) if is_undone else Undone((), path, ()))


@needs_links
@needs_pipes
def test_a_second_link_of_a_rename_in_two_steps_is_removed(tmp_path: Path) -> None:
    (tmp_path / "Assets").mkdir()
    (tmp_path / A).write_bytes(b"edited since")
    os.link(tmp_path / A, tmp_path / B)
    assert undo(str(tmp_path), [MOVED], 77) == Undone((B,), (), ())
    assert os.listdir(tmp_path / "Assets") == ["a.txt"]


def test_steps_are_undone_from_the_last_and_told_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "Assets").mkdir()
    (tmp_path / B).write_bytes(b"after")
    steps: list[Step] = [WRITTEN, Rename(A, B, sha256(b"after").hexdigest()), Write("Assets/c.txt", b"c", None)]
    assert undo(str(tmp_path), steps, 77) == Undone((A, B, "Assets/c.txt"), (), ())
    assert (tmp_path / A).read_bytes() == b"before"
    assert not (tmp_path / B).exists()
    assert (tmp_path / "Assets/c.txt").read_bytes() == b"c"


def test_the_half_written_file_of_the_process_goes_and_that_of_another_stays(tmp_path: Path) -> None:
    (tmp_path / "Assets").mkdir()
    for process in (77, 78):
        (tmp_path / f"Assets/.{process}.a.txt.temporary").write_bytes(b"half")
    found, _ = undone(tmp_path, WRITTEN, a=b"before")
    assert found.undone == (A,)
    assert sorted(os.listdir(tmp_path / "Assets")) == [".78.a.txt.temporary", "a.txt"]


def test_a_path_whose_folder_is_gone_or_outside_the_project_is_left(tmp_path: Path) -> None:
    steps = [Write("Assets/None/a.txt", b"", None), Write("Library/a.txt", b"", None)]
    assert undo(str(tmp_path), steps, 77) == Undone((), ("Assets/None/a.txt", "Library/a.txt"), ())


def test_a_removed_file_gets_its_permissions_back(tmp_path: Path) -> None:
    (tmp_path / "Assets").mkdir()
    undo(str(tmp_path), [Write(A, b"before", None, 0o600)], 77)
    assert (tmp_path / A).stat().st_mode & 0o777 == (0o666 if os.name == "nt" else 0o600)


@needs_links
@needs_pipes
def test_a_refusal_of_the_system_is_told_with_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **_named: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "Assets").mkdir()
    (tmp_path / A).write_bytes(b"after")
    monkeypatch.setattr("assetdb.checks.mending.writing.safe_files.replace_file", refuse)
    assert undo(str(tmp_path), [WRITTEN], 77) == Undone((), (), (f"{A}: Permission denied",))


# --- how a moved file is recognised


def content(root: Path, path: str) -> str:
    with reached(str(root), path) as place:
        return content_of(place)


@needs_links
@needs_pipes
def test_a_content_id_is_of_the_bytes_the_target_of_a_link_or_the_kind(tmp_path: Path) -> None:
    (tmp_path / "Assets").mkdir()
    (tmp_path / A).write_bytes(b"moved")
    (tmp_path / "Assets/link").symlink_to("a.txt")
    os.mkfifo(tmp_path / "Assets/pipe")
    assert content(tmp_path, A) == sha256(b"moved").hexdigest()
    assert content(tmp_path, "Assets") == "folder"
    assert content(tmp_path, "Assets/link") == f"link:{sha256(b'a.txt').hexdigest()}"
    assert content(tmp_path, "Assets/pipe") == "other"
    with pytest.raises(FileNotFoundError):
        content(tmp_path, B)


def test_a_large_file_is_recognised_by_its_size_and_both_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undoing, "_LARGE", 8)
    monkeypatch.setattr(undoing, "_END", 3)
    (tmp_path / "Assets").mkdir()
    expected = {
        b"1234567": sha256(b"1234567").hexdigest(),
        b"12345678": f"8:{sha256(b'123678').hexdigest()}",
        b"123--678": f"8:{sha256(b'123678').hexdigest()}",
        b"123456789": f"9:{sha256(b'123789').hexdigest()}",
    }
    for data, found in expected.items():
        (tmp_path / A).write_bytes(data)
        assert content(tmp_path, A) == found
