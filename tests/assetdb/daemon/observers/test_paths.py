"""What of a project is watched: paths, mounts around it, and the links that lead to it."""

from __future__ import annotations

import ntpath
import os
import posixpath
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.observers.paths import (
    WatchedPaths,
    mounts,
    named,
    read_link,
    relevant_mounts,
    remote_kind,
    resolution_steps,
)
from tests.needs import needs_links, needs_posix_paths

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

ROOT = b"/home/me/Game"


def mount(place: str, kind: str) -> bytes:
    return f"36 35 98:0 / {place} rw,noatime master:1 - {kind} /dev/root rw\n".encode()


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        (ROOT + b"/Assets/a.txt", b"Assets/a.txt"),
        (ROOT + b"/Packages/p/a.txt", b"Packages/p/a.txt"),
        (ROOT + b"/Assets", b"Assets"),
        (ROOT, None),
        (ROOT + b"/Library/a.txt", None),
        (ROOT + b"Other/Assets/a.txt", None),
        (ROOT + b"/Assets/.git/x", None),
        (ROOT + b"/Assets/Samples~/x", None),
        (ROOT + b"/Assets//a.txt", None),
        (ROOT + b"/Assets/", None),
    ],
)
def test_a_path_that_is_seen_is_relative_to_the_project(path: bytes, inside: bytes | None) -> None:
    assert WatchedPaths(ROOT, b"/out").relative(path) == inside


@pytest.mark.parametrize(
    ("flavour", "root", "name", "inside"),
    [
        (posixpath, "/Game", "/Game/Assets/a.txt", b"Assets/a.txt"),
        (posixpath, "/Game", "Assets/a.txt", b"Assets/a.txt"),
        (posixpath, "/Game", "Assets/\udcff", os.fsencode("Assets/\udcff")),
        (posixpath, "/", "/Assets/a.txt", b"Assets/a.txt"),
        (posixpath, "/Game", "/etc/passwd", b"../etc/passwd"),
        (posixpath, "/Game", "/Game/Assets/../../Other", b"../Other"),
        (ntpath, "C:\\Game", "C:\\Game\\Assets\\a.txt", b"Assets/a.txt"),
        (ntpath, "C:\\Game", "c:/Game/Assets/Deep/a.txt", b"Assets/Deep/a.txt"),  # as VS Code writes it
        (ntpath, "C:\\Game", "Assets/a.txt", b"Assets/a.txt"),
        (ntpath, "Z:\\", "z:\\Assets\\a.txt", b"Assets/a.txt"),
        (ntpath, "C:\\Game", "D:\\Game\\Assets\\a.txt", b""),
        (ntpath, "C:\\Game", "C:\\Other\\a.txt", b"../Other/a.txt"),
    ],
)
def test_a_path_that_a_program_names_is_relative_to_the_project(
    flavour: ModuleType, root: str, name: str, inside: bytes
) -> None:
    assert named(root, name, flavour) == inside


def test_a_file_set_aside_is_a_finding_of_its_folder(tmp_path: Path) -> None:
    from assetdb.settings.project import SET_ASIDE, is_set_aside  # noqa: PLC0415 - of this test alone

    name = b".a.txt" + SET_ASIDE
    assert is_set_aside(name)
    paths = WatchedPaths(ROOT, b"/out")
    assert paths.relative(ROOT + b"/Assets/Deep/" + name) == b"Assets/Deep"
    assert paths.relative(ROOT + b"/" + name) is None


def test_mounts_have_their_place_with_spaces_and_their_kind() -> None:
    lines = (
        mount("/", "ext4")
        + mount("/with\\040space/\\303\\251", "nfs")
        + b"too short\n36 35 98:0 / /x rw -\n36 - ext4\n"
    )
    assert [row[:2] for row in mounts(lines)] == [(b"/", "ext4"), (b"/with space/\xc3\xa9", "nfs")]
    assert list(mounts(b"")) == []


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ([("/", "ext4")], ""),
        ([("/", "nfs4")], "nfs4"),
        ([("/", "nfs"), ("/home", "ext4")], ""),  # the nearest counts
        ([("/", "ext4"), ("/home", "cifs")], "cifs"),
        ([("/home", "cifs"), ("/", "ext4")], "cifs"),
        ([("/home/me/Game", "9p")], "9p"),
        ([("/home/me/Game", "9p"), ("/home/me/Game", "ext4")], ""),  # the later one lies over it
        ([("/", "ext4"), ("/home/me/Game/Assets/Shared", "fuse.sshfs")], "fuse.sshfs"),
        ([("/", "ext4"), ("/home/me/Game2", "nfs"), ("/home/m", "nfs")], ""),
        ([("/home/me/Game/Assets", "fuseblk"), ("/", "overlay")], ""),
    ],
)
def test_a_remote_file_system_around_or_in_a_project_is_told(rows: list[tuple[str, str]], kind: str) -> None:
    lines = b"".join(mount(*row) for row in rows)
    assert remote_kind(lines, ROOT) == kind
    assert remote_kind(b"", ROOT) == ""


def test_only_mounts_around_and_in_a_project_matter() -> None:
    around = [mount(place, "ext4").rstrip(b"\n") for place in ("/", "/home", "/home/me/Game", "/home/me/Game/Assets")]
    others = [mount(place, "ext4").rstrip(b"\n") for place in ("/home/me/Game2", "/home/m", "/var")]
    assert relevant_mounts(b"\n".join([*others, *around]), ROOT) == b"\n".join(around)


LINKS = {
    b"/a/link": b"../b/./c",
    b"/a/absolute": b"/b",
    b"/loop": b"loop",
}


LINKED = [
    pytest.param(
        *(b"/a/link/d", [(b"/", b"a"), (b"/a", b"link"), (b"/", b"b"), (b"/b", b"c"), (b"/b/c", b"d")]),
        marks=needs_posix_paths,
    ),
    pytest.param(
        *(b"/a/absolute/d", [(b"/", b"a"), (b"/a", b"absolute"), (b"/", b"b"), (b"/b", b"d")]),
        marks=needs_posix_paths,
    ),
]


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        (b"/a/b", [(b"/", b"a"), (b"/a", b"b")]),
        (b"/a//./b/../c", [(b"/", b"a"), (b"/a", b"b"), (b"/a", b"c")]),
        (b"/../a", [(b"/", b"a")]),
        *LINKED,
        (b"/", []),
    ],
)
def test_each_folder_and_name_on_the_way_to_a_path_is_a_step(path: bytes, steps: list[tuple[bytes, bytes]]) -> None:
    assert list(resolution_steps(path, LINKS.get)) == steps


def test_links_in_a_circle_end_as_the_kernel_ends_them() -> None:
    assert list(resolution_steps(b"/loop", LINKS.get)) == [(b"/", b"loop")] * 41


@needs_links
def test_a_link_has_a_target_and_nothing_else_has(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    (tmp_path / "file").write_bytes(b"")
    place = os.fsencode(tmp_path)
    assert read_link(place + b"/link") == b"target"
    assert [read_link(place + b"/" + name) for name in (b"file", b"none", b"a\0b")] == [None] * 3
