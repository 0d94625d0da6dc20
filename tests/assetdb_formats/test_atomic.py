from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

import pytest

from assetdb_formats import atomic
from assetdb_formats.atomic import (
    put_in_place,
    remove_file,
    remove_leftovers,
    replace_file,
    rewrite_file,
    temporary_of,
)
from tests.needs import needs_folder_descriptors, needs_links, needs_modes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def test_a_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    assert replace_file(str(path), [b"af", memoryview(b"ter")]) == 5
    assert path.read_bytes() == b"after"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


def test_a_failure_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")

    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace_file(str(path), pieces())
    assert path.read_bytes() == b"before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


def test_the_temporary_file_of_another_is_not_touched(tmp_path: Path) -> None:
    other = tmp_path / f".{os.getpid()}.a.temporary"
    other.write_bytes(b"other")
    with pytest.raises(FileExistsError):
        replace_file(str(tmp_path / "a"), [b"mine"])
    assert other.read_bytes() == b"other"
    assert [entry.name for entry in tmp_path.iterdir()] == [other.name]


@needs_links
def test_a_symbolic_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"target")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    replace_file(str(tmp_path / "link"), [b"new"])
    assert (tmp_path / "target").read_bytes() == b"target"
    assert (tmp_path / "link").read_bytes() == b"new"
    assert not (tmp_path / "link").is_symlink()


@pytest.mark.skipif(not hasattr(os, "mknod") or os.getuid() != 0, reason="only root makes devices")
@pytest.mark.parametrize("replace", [replace_file, rewrite_file])
def test_a_device_is_not_replaced(tmp_path: Path, replace: Callable[..., int]) -> None:
    path = tmp_path / "null"
    os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    with pytest.raises(OSError, match="no file replaces") as raised:
        replace(str(path), [b"data"])
    assert raised.value.filename == str(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["null"]
    assert path.is_char_device()


def test_errors_name_the_file_and_not_the_temporary_one(tmp_path: Path) -> None:
    for path in (tmp_path / "no folder" / "a", tmp_path / "folder"):
        (tmp_path / "folder").mkdir(exist_ok=True)
        with pytest.raises(OSError, match=r"directory|Access") as caught:
            replace_file(str(path), [b"new"])
        assert caught.value.filename == str(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]


@needs_folder_descriptors
def test_a_folder_that_was_moved_meanwhile_is_still_the_one(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    directory = os.open(tmp_path / "folder", os.O_RDONLY)
    (tmp_path / "folder").rename(tmp_path / "moved")
    (tmp_path / "folder").mkdir()
    try:
        assert replace_file("a", [b"new"], directory=directory) == 3
        with pytest.raises(ZeroDivisionError):
            replace_file("a", (bytes(1 // number) for number in (1, 0)), directory=directory)
    finally:
        os.close(directory)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["a"]
    assert (tmp_path / "moved" / "a").read_bytes() == b"new"


def test_an_error_of_a_full_disk_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a"

    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left on device") as found:
        replace_file(str(path), pieces())
    assert found.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []


def test_a_temporary_file_lies_beside_its_target_with_a_name_that_is_not_too_long() -> None:
    assert temporary_of(os.path.join("folder", "name"), 12) == os.path.join("folder", ".12.name.temporary")
    assert temporary_of("x" * 41, 1) == f".1.{'x' * 40}.temporary"


@needs_modes
def test_permissions_are_those_asked_for_or_those_before(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert replace_file(str(path), [b"one"], mode=0o640) == 3
    assert path.stat().st_mode & 0o7777 == 0o640
    assert rewrite_file(str(path), [b"second"]) == 6
    assert (path.read_bytes(), path.stat().st_mode & 0o7777) == (b"second", 0o640)
    replace_file(str(path), [b"third"])
    before = os.umask(0)
    os.umask(before)
    assert path.stat().st_mode & 0o7777 == 0o666 & ~before
    assert rewrite_file(str(tmp_path / "new"), [b""]) == 0


def test_a_rename_of_the_callers_decides_whether_another_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")

    def refuse(source: str, target: str) -> None:
        raise FileExistsError(errno.EEXIST, "File exists", source, None, target)

    with pytest.raises(FileExistsError) as caught:
        replace_file(str(path), [b"new"], rename=refuse)
    assert (caught.value.filename, caught.value.filename2) == (str(path), None)
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"before", ["a"])

    def other(*_: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "elsewhere")

    with pytest.raises(PermissionError) as denied:
        replace_file(str(path), [b"new"], rename=other)
    assert denied.value.filename == "elsewhere"
    replace_file(str(path), [b"new"], rename=os.replace)
    assert path.read_bytes() == b"new"


def test_leftovers_of_some_names_are_removed(tmp_path: Path) -> None:
    for name in (".1.a.temporary", ".2.a.temporary", ".3.b.temporary", ".4.c.temporary", "a", ".a.temporary"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / ".5.b.temporary").mkdir()  # cannot be removed, and hinders nothing
    remove_leftovers(str(tmp_path), ["a", "b"], keep=".2.a.temporary")
    assert sorted(os.listdir(tmp_path)) == [".2.a.temporary", ".4.c.temporary", ".5.b.temporary", "a"]
    remove_leftovers(str(tmp_path / "absent"), ["a"])


def refusal(code: int) -> PermissionError:
    """Return the error of Windows for an open file, which Python gives the number of the system as well."""
    error = PermissionError(errno.EACCES, "refused")
    error.winerror = code
    return error


class Held:
    """A file that somebody holds, as Windows treats it: not to be replaced, perhaps not to be renamed or removed."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = str(path)
        self.may_be_renamed = self.may_be_removed = False
        self.tries = 0
        self.free_after = -1
        for name in ("replace", "rename", "unlink"):
            monkeypatch.setattr(os, name, self.guarded(name, getattr(os, name)))
        monkeypatch.setattr(atomic.time, "sleep", lambda _: None)

    def guarded(self, name: str, real: Callable[..., None]) -> Callable[..., None]:
        def call(*places: str, **options: object) -> None:
            if name == "replace" and places[1] == self.path and os.path.exists(self.path):
                self.tries += 1
                if self.tries != self.free_after:
                    raise refusal(5)
            if name == "rename" and places[0] == self.path and not self.may_be_renamed:
                raise refusal(32)
            if name == "unlink" and ".a.temporary" in places[0] and not self.may_be_removed:
                raise refusal(5)
            real(*places, **options)

        return call


def test_a_file_that_is_open_is_moved_aside_and_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    held = Held(path, monkeypatch)
    held.may_be_renamed = held.may_be_removed = True
    replace_file(str(path), [b"after"])
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"after", ["a"])


def test_a_file_that_is_mapped_is_removed_once_it_is_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    held = Held(path, monkeypatch)
    held.may_be_renamed = True
    replace_file(str(path), [b"after"])
    assert path.read_bytes() == b"after"
    (aside,) = (name for name in os.listdir(tmp_path) if name != "a")
    assert (tmp_path / aside).read_bytes() == b"before"
    replace_file(str(path), [b"again"])
    assert len(os.listdir(tmp_path)) == 3
    held.may_be_removed = True
    remove_leftovers(str(tmp_path), ["a"])
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"again", ["a"])


def test_a_file_that_somebody_else_holds_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    held = Held(path, monkeypatch)
    held.may_be_removed = True
    held.free_after = 4
    replace_file(str(path), [b"after"])
    assert (path.read_bytes(), held.tries) == (b"after", 4)


def test_a_file_that_is_held_for_long_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    held = Held(path, monkeypatch)
    held.may_be_removed = True
    clock = iter(range(100))
    monkeypatch.setattr(atomic.time, "monotonic", lambda: next(clock))
    with pytest.raises(PermissionError) as caught:
        replace_file(str(path), [b"after"])
    assert caught.value.filename == str(path)
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"before", ["a"])
    assert held.tries == 2  # seconds


def test_another_refusal_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic.time, "sleep", lambda _: pytest.fail("it waited"))
    (tmp_path / "folder").mkdir()
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(OSError, match=r"directory|denied"):
        put_in_place(str(tmp_path / "a"), str(tmp_path / "folder"))


def test_a_read_only_file_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"")
    path.chmod(0o444)
    real = os.unlink

    def unlink(name: str, *, dir_fd: int | None = None) -> None:
        if not os.stat(name).st_mode & 0o200:
            raise refusal(5)
        real(name, dir_fd=dir_fd)

    monkeypatch.setattr(os, "unlink", unlink)
    remove_file(str(path))
    assert not path.exists()
    with pytest.raises(FileNotFoundError):
        remove_file(str(path))
