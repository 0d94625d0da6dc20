"""Untrusted names below a folder: which are refused, and that no link leads a file out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb_formats import extraction
from assetdb_formats.extraction import TargetFolder, UnsafeNameError, checked_folder, relative_name
from tests.needs import needs_folder_descriptors, needs_links

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_a_name_is_a_path_below_the_folder() -> None:
    for path, expected in (
        ("../../../Game/Content/a.uasset", "Game/Content/a.uasset"),
        ("a", "a"),
        ("a/b.c d", "a/b.c d"),
        ("console/com10/Ünï", "console/com10/Ünï"),
        ("x" * 255, "x" * 255),
        ("é" * 127, "é" * 127),
    ):
        assert relative_name(path) == expected


def test_each_refusal_says_why() -> None:
    for path, what in (
        ("/a", "'/a' is an absolute path"),
        ("", "'' has '' inside"),
        ("../..", "'../..' names no file"),
        ("a/../b", "'a/../b' has '..' inside"),
        ("a//b", "'a//b' has '' inside"),
        ("./a", "'./a' has '.' inside"),
        ("a/b.", "'a/b.' has a part that is not a portable file name"),
        ("a/b ", "'a/b ' has a part that is not a portable file name"),
        ("con.txt", "'con.txt' has a part that is not a portable file name"),
        ("a\x7f", "'a\\x7f' has a part that is not a portable file name"),
        ("a\u200b", "'a\\u200b' has characters that cannot be shown"),
        ("x" * 256, f"{'x' * 256!r} has a part that is too long for a file name"),
        ("é" * 128, f"{'é' * 128!r} has a part that is too long for a file name"),
    ):
        with pytest.raises(UnsafeNameError) as caught:
            relative_name(path)
        assert caught.value.what == what


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../../../Game/../../outside",
        "a/../../b",
        "C:/Windows/x",
        "a\\..\\b",
        "nul",
        "a/CON.txt",
        "a/b\0c",
        "a//b",
        "a/./b",
        "trailing./x",
        "trailing /x",
        "..",
        "",
        "a/\u202eb",
        "x" * 300,
        "a/\ud800b",
    ],
)
def test_names_that_would_leave_their_folder_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnsafeNameError):
        relative_name(name)
    target = tmp_path / "target"
    with pytest.raises(UnsafeNameError):
        TargetFolder(str(target)).write(name, [b"x"])
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_case_collisions_are_refused(tmp_path: Path) -> None:
    target = TargetFolder(str(tmp_path))
    target.write("Maps/Arena.umap", [b"1"])
    target.write("Maps/Arena.umap", [b"2"])  # a patch over what it patches
    for name in ("Maps/arena.umap", "maps/Other.umap", "MAPS/Arena.umap/x"):
        with pytest.raises(UnsafeNameError, match="only in case"):
            target.write(name, [b"x"])
    assert (tmp_path / "Maps/Arena.umap").read_bytes() == b"2"


def test_case_collisions_of_letters_that_fold_to_several(tmp_path: Path) -> None:
    target = TargetFolder(str(tmp_path))
    target.write("Straße/a/b", [b"1"])
    with pytest.raises(UnsafeNameError, match="only in case"):
        target.write("STRASSE/a/b", [b"x"])


@needs_links
def test_no_link_is_followed_and_nothing_is_made_behind_one(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    root = tmp_path / "target"
    (root / "Inside").mkdir(parents=True)
    (root / "Inside" / "link").symlink_to(outside)
    (root / "link").symlink_to(outside)
    (root / "dangling").symlink_to(outside / "made")
    (root / "own").symlink_to(root / "Inside")
    (root / "file").write_bytes(b"before")
    target = TargetFolder(str(root))
    for name in ("link/x", "link/a/b.txt", "Inside/link/a/b/c", "dangling/a/b", "own/a/b", "file/a/b"):
        with pytest.raises(UnsafeNameError, match="a link or a file"):
            target.write(name, [b"x"])
    assert list(outside.iterdir()) == []
    assert [path.name for path in (root / "Inside").iterdir()] == ["link"]
    assert (root / "file").read_bytes() == b"before"
    target.write("dangling", [b"x"])  # the link itself is replaced
    assert (root / "dangling").read_bytes() == b"x"
    assert not (root / "dangling").is_symlink()


def test_a_file_does_not_replace_a_folder(tmp_path: Path) -> None:
    target = TargetFolder(str(tmp_path))
    target.write("a/b", [b"x"])
    with pytest.raises(UnsafeNameError, match="is a folder"):
        target.write("a", [b"x"])
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["b"]


def test_a_folder_that_windows_refuses_to_replace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Access is denied")  # as for a file that another program holds

    monkeypatch.setattr(extraction, "replace_file", refuse)
    (tmp_path / "a").mkdir()
    with pytest.raises(UnsafeNameError, match="is a folder"):
        TargetFolder(str(tmp_path)).write("a", [b"x"])
    with pytest.raises(PermissionError):
        TargetFolder(str(tmp_path)).write("b", [b"x"])


@needs_links
def test_the_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "elsewhere")
    assert TargetFolder(str(tmp_path / "out")).write("a/b", [b"x", b"yz"]) == 3
    assert (tmp_path / "elsewhere" / "a" / "b").read_bytes() == b"xyz"


@needs_folder_descriptors
def test_a_folder_that_becomes_a_link_while_a_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    root = tmp_path / "target"

    def pieces() -> Iterator[bytes]:
        (root / "a").rename(root / "moved")
        (root / "a").symlink_to(tmp_path / "outside")
        yield b"x"

    TargetFolder(str(root)).write("a/b", pieces())
    assert list((tmp_path / "outside").iterdir()) == []
    assert (root / "moved" / "b").read_bytes() == b"x"


@needs_links
def test_folders_by_their_paths_where_there_are_no_descriptors(tmp_path: Path) -> None:
    (tmp_path / "root" / "a").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    root = os.path.realpath(tmp_path / "root")
    assert checked_folder(root, ["a", "b"]) == os.path.join(root, "a", "b")
    assert (tmp_path / "root" / "a" / "b").is_dir()
    (tmp_path / "root" / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "root" / "file").write_bytes(b"")
    for name in ("link", "file"):
        with pytest.raises(Exception, match=f"^{name}$"):
            checked_folder(root, [name, "made"])
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    def pieces() -> list[bytes]:
        raise OSError(28, "No space left on device")

    class Pieces:
        def __iter__(self) -> object:
            return iter(pieces())

    with pytest.raises(OSError, match="No space"):
        TargetFolder(str(tmp_path)).write("a/b", Pieces())  # type: ignore[arg-type]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="the system does not list descriptors")
@needs_folder_descriptors
def test_no_descriptor_of_a_folder_is_left_open(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    target = TargetFolder(str(tmp_path))
    before = len(os.listdir("/dev/fd"))
    target.write("a/b/c/d", [b"x"])
    with pytest.raises(UnsafeNameError, match="lies behind file,"):
        target.write("file/b", [b"x"])
    assert len(os.listdir("/dev/fd")) == before
