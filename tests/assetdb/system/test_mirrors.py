"""Mirrors: trees of links, each of which counts as the file that it leads to."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.system import mirrors
from assetdb.system.mirrors import announce, forget, is_absent, is_folder, stands_for, tree_of
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
