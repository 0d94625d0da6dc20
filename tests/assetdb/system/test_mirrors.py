"""Mirrors: trees of links, each of which counts as the file that it leads to."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.system import mirrors
from assetdb.system.mirrors import announce, forget, is_absent, is_at_or_below, is_folder, link_out, stands_for, tree_of
from tests.needs import needs_links

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = needs_links


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[Path]:
    tree, made = tmp_path / "tree", tmp_path / "mirror"
    (tree / "A" / "F").mkdir(parents=True)
    (tree / "A" / "a.txt").write_text("a")
    (made / "A").mkdir(parents=True)
    for path in ("A/F", "A/a.txt", "A/gone.txt"):
        (made / path).symlink_to(tree / path)
    (made / "A" / "other").symlink_to(tree / "A" / "a.txt")  # a link of the repository
    (made / "A" / "real").mkdir()
    announce(str(made), str(tree), [b"A/gone.txt", b"x"])
    yield made
    forget(str(made))


def test_a_link_of_a_mirror_counts_as_its_target(mirror: Path) -> None:
    tree = mirror.parent / "tree"
    for path in ("A/F", "A/a.txt"):
        found = stands_for(str(mirror / path))
        assert found is not None
        assert os.path.samestat(found, (tree / path).stat())
        assert stands_for(os.fsencode(mirror / path)) == found
    for path in ("A/other", "A/real", "A/gone.txt", "A/none", "."):
        assert stands_for(str(mirror / path)) is None
    assert stands_for(str(tree / "A/a.txt")) is None


def test_entries_that_are_folders(mirror: Path) -> None:
    with os.scandir(mirror / "A") as entries:
        assert {entry.name: is_folder(entry) for entry in entries} == {
            "F": True,
            "a.txt": False,
            "gone.txt": False,
            "other": False,
            "real": True,
        }


def test_files_that_the_tree_lacks_are_known(mirror: Path) -> None:
    assert is_absent(str(mirror / "A/gone.txt"))
    assert is_absent(os.fsencode(mirror / "x"))
    assert not is_absent(str(mirror / "A/a.txt"))
    assert not is_absent(str(mirror.parent / "tree/A/gone.txt"))
    assert not is_absent(f"{mirror}-more/x")


def test_a_mirror_is_known_by_its_real_path_until_it_is_forgotten(mirror: Path) -> None:
    tree = os.path.realpath(os.fsencode(mirror.parent / "tree"))
    (mirror.parent / "link").symlink_to(mirror)
    assert tree_of(os.fsencode(mirror)) == tree_of(os.fsencode(mirror.parent / "link")) == tree
    assert tree_of(tree) == b""
    assert stands_for(str(mirror.parent / "link/A/a.txt")) is not None
    forget(str(mirror))
    forget(str(mirror))
    assert tree_of(os.fsencode(mirror)) == b""
    assert stands_for(str(mirror / "A/a.txt")) is None
    with os.scandir(mirror / "A") as entries:
        assert {entry.name for entry in entries if is_folder(entry)} == {"real"}


def test_without_mirrors_nothing_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirrors, "_MIRRORS", {})
    assert tree_of(os.fsencode(tmp_path)) == b""
    assert not is_absent(str(tmp_path))
    assert stands_for(str(tmp_path)) is None


def test_links_that_lead_out_of_a_project(tmp_path: Path) -> None:
    root, outside = tmp_path / "project", tmp_path / "outside"
    for folder in (root / "Assets", outside, tmp_path / "project-two"):
        folder.mkdir(parents=True)
    (outside / "key").write_text("secret")
    (root / "Assets" / "a.txt").write_text("a")
    (tmp_path / "project-two" / "b.txt").write_text("b")
    links = {
        "out": (outside / "key", str(outside / "key")),
        "up": ("../../outside/key", str(outside / "key")),
        "in": ("a.txt", ""),
        "in-by-path": (root / "Assets" / "a.txt", ""),
        "gone": ("absent.txt", ""),
        "gone-out": (outside / "absent", str(outside / "absent")),
        "by-another": ("up", str(outside / "key")),
        "beside": ("../../project-two/b.txt", str(tmp_path / "project-two" / "b.txt")),
        "loop": ("loop", ""),
        "folder": (outside, str(outside)),
    }
    for name, (target, _) in links.items():
        (root / "Assets" / name).symlink_to(target)
    (root / "linked").symlink_to("Assets")
    for name, (_, found) in links.items():
        assert link_out(str(root / "Assets" / name), str(root)) == found, name
    assert link_out(str(root / "linked" / "out"), str(root)) == str(outside / "key")
    assert link_out(str(root / "Assets" / "a.txt"), str(root)) == ""
    assert link_out(str(root / "Assets" / "absent"), str(root)) == ""


def test_links_of_a_mirror_lead_out_only_where_those_of_its_tree_do(mirror: Path) -> None:
    tree = mirror.parent / "tree"
    (mirror.parent / "key").write_text("secret")
    (tree / "A" / "out").symlink_to(mirror.parent / "key")
    (mirror / "A" / "out").symlink_to(tree / "A" / "out")
    (mirror / "A" / "blob").symlink_to(mirror.parent / "key")  # content that git keeps
    assert link_out(str(mirror / "A" / "a.txt"), str(mirror)) == ""
    assert link_out(str(mirror / "A" / "blob"), str(mirror)) == ""
    assert link_out(str(mirror / "A" / "out"), str(mirror)) == str(mirror.parent / "key")


@pytest.mark.parametrize(
    ("path", "folder", "within"),
    [
        (b"/a", b"/a", True),
        (b"/a/b", b"/a", True),
        (b"/ab", b"/a", False),
        (b"/a", b"/a/b", False),
        (b"/a", b"/", True),
    ],
)
def test_at_or_below_a_folder(path: bytes, folder: bytes, within: bool) -> None:  # noqa: FBT001 - of the table
    assert is_at_or_below(path.replace(b"/", os.fsencode(os.sep)), folder.replace(b"/", os.fsencode(os.sep))) is within
