"""Findings of files that a side of a merge moved: a finding that the other side has at the former path is not new."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.engine import Selection
from assetdb.checks.merges.merge import check_merge
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.merges.test_merge import hold_merge
from tests.assetdb.history.git_project import commit, git, make_repository, meta_of
from tests.assetdb.unity_project import HEAD, game_object, guid, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TARGET = "Assets/Prefabs/Target.prefab"
LIST = "Assets/Lists/List.asset"
OTHER = "Assets/Lists/Other.asset"
MOVED = "Assets/Moved.asset"


def listing(*numbers: int) -> str:
    """Return an asset that refers to some prefabs."""
    rows = "".join(f"  - {{fileID: 100, guid: {guid(number)}, type: 3}}\n" for number in numbers)
    return f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  items:\n{rows}"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project on ``main`` with a branch ``feature``, in which a list refers to a prefab."""
    root = make_repository(tmp_path / "repository")
    write(root, TARGET, 70, HEAD + game_object(100, "Target", 0))
    write(root, LIST, 72, listing(70))
    write(root, OTHER, 73, listing())
    commit(root)
    git(root, "branch", "feature")
    return root


def move(root: Path, path: str, target: str) -> None:
    """Move an asset with its meta."""
    (root / target).parent.mkdir(parents=True, exist_ok=True)
    git(root, "mv", path, target)
    git(root, "mv", f"{path}.meta", f"{target}.meta")


def replace(root: Path) -> None:
    """Move the list, and put another file in its place."""
    move(root, LIST, MOVED)
    write(root, LIST, 74, listing())


def replace_with_a_user(root: Path) -> None:
    """Move the list, and put another file in its place that refers to another prefab."""
    move(root, LIST, MOVED)
    write(root, LIST, 74, listing(20))


def swap(root: Path) -> None:
    """Let two lists change places."""
    move(root, LIST, MOVED)
    move(root, OTHER, LIST)
    move(root, MOVED, OTHER)


def rotate(root: Path) -> None:
    """Move the list onto the place of another one, which is moved, too."""
    move(root, OTHER, MOVED)
    move(root, LIST, OTHER)


def rename_folder(root: Path) -> None:
    """Rename the folder of the lists."""
    git(root, "mv", "Assets/Lists", "Assets/More")
    if meta_of(root / "Assets/Lists").exists():
        git(root, "mv", "Assets/Lists.meta", "Assets/More.meta")


def rename_case(root: Path) -> None:
    """Rename the list in case alone."""
    move(root, LIST, "Assets/Lists/list.asset")


def move_asset_alone(root: Path) -> None:
    """Move the list without its meta."""
    git(root, "mv", LIST, MOVED)


def move_meta_alone(root: Path) -> None:
    """Move the meta of the list alone, beside a new file."""
    git(root, "mv", f"{LIST}.meta", f"{MOVED}.meta")
    (root / MOVED).write_text(listing(70))


MOVES = [replace, replace_with_a_user, swap, rotate, rename_folder, rename_case, move_asset_alone, move_meta_alone]


def remove_target(root: Path) -> None:
    """Delete the prefab to which the list refers."""
    (root / TARGET).unlink()
    meta_of(root / TARGET).unlink()


def remove_and_add_there(root: Path) -> None:
    """Delete the prefab, and put a new file where the other side moves the list."""
    remove_target(root)
    write(root, MOVED, 75, listing())


def remove_and_move(root: Path) -> None:
    """Delete the prefab, and move the list elsewhere."""
    remove_target(root)
    move(root, LIST, "Assets/Elsewhere/List.asset")


def remove_and_replace(root: Path) -> None:
    """Delete the prefab, and put another file in place of the list."""
    remove_target(root)
    move(root, LIST, "Assets/Elsewhere/List.asset")
    write(root, LIST, 76, listing())


CHANGES = [remove_target, remove_and_add_there, remove_and_move, remove_and_replace]


@pytest.mark.long
@pytest.mark.parametrize("mover", ["main", "feature"])
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("moved", MOVES, ids=lambda moved: moved.__name__)
def test_a_merge_of_a_move_has_what_a_checkout_of_it_has(
    root: Path, tmp_path: Path, moved: Callable[[Path], None], change: Callable[[Path], None], mover: str
) -> None:
    git(root, "checkout", "-q", mover)
    moved(root)
    commit(root)
    git(root, "checkout", "-q", "feature" if mover == "main" else "main")
    change(root)
    commit(root)
    git(root, "checkout", "-q", "main")
    hold_merge(root, tmp_path, is_exact=True)


@pytest.mark.parametrize("mover", ["main", "feature"])
@pytest.mark.parametrize("moved", [replace, replace_with_a_user, swap, rotate])
def test_a_finding_at_the_former_path_is_not_new(root: Path, moved: Callable[[Path], None], mover: str) -> None:
    git(root, "checkout", "-q", mover)
    moved(root)
    commit(root)
    git(root, "checkout", "-q", "feature" if mover == "main" else "main")
    remove_target(root)
    commit(root)
    git(root, "checkout", "-q", "main")
    project = open_project(str(root))
    try:
        assert check_merge(project, "feature", Selection()).findings == ()
    finally:
        project.close()
