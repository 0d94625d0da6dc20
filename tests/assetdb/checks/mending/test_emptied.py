"""Folders that lose their last file go along with their metas, unless something refers to them or is in them."""

from __future__ import annotations

import sys
from contextlib import closing
from time import process_time
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.mending.emptied import Completed, emptied_folders, removal_note, with_emptied
from assetdb.checks.mending.moving import plan_moves, plan_removal
from assetdb.checks.mending.writing.apply import apply
from assetdb.errors import MendingError
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.healthy import guid_of, make_healthy, put, put_group

if TYPE_CHECKING:
    from pathlib import Path

DEEP, OTHER, KEPT = "Assets/New/Deep/a.txt", "Assets/New/Other/b.txt", "Assets/Kept/c.txt"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_healthy(tmp_path / "game", 1)
    for path in (DEEP, OTHER, KEPT):
        put(root, path, "x")
    (root / "Assets/Kept/.gitkeep").write_text("")
    return root


def completed(root: Path, *paths: str, target: str = "") -> Completed:
    plan = plan_moves(str(root), paths, target) if target else plan_removal(str(root), paths)
    with closing(open_project(str(root))) as project:
        return with_emptied(str(root), plan, lambda: project)


def names(root: Path) -> set[str]:
    return {path.name for path in (root / "Assets").iterdir()}


def test_inner_folders_are_first(root: Path) -> None:
    plan = plan_removal(str(root), [DEEP, OTHER, KEPT])
    assert emptied_folders(str(root), plan) == ["Assets/New/Deep", "Assets/New/Other", "Assets/New"]
    assert emptied_folders(str(root), plan_removal(str(root), [DEEP])) == ["Assets/New/Deep"]


def test_a_folder_goes_with_its_last_file(root: Path) -> None:
    found = completed(root, DEEP, OTHER, KEPT)
    assert (found.removed, found.notes) == (("Assets/New",), ())
    apply(found.plan, str(root))
    assert not {"New", "New.meta"} & names(root)
    assert sorted(path.name for path in (root / "Assets/Kept").iterdir()) == [".gitkeep"]


def test_a_folder_goes_when_its_last_file_moves(root: Path) -> None:
    assert completed(root, DEEP, target="Assets/New/Deep/renamed.txt").removed == ()
    found = completed(root, DEEP, target="Assets/Kept")
    assert found.removed == ("Assets/New/Deep",)
    apply(found.plan, str(root))
    assert sorted(path.name for path in (root / "Assets/New").iterdir()) == ["Other", "Other.meta"]
    assert (root / "Assets/Kept/a.txt.meta").exists()
    assert removal_note("Assets/A") == "Assets/A is empty then, and git keeps no empty folder: it goes with its meta"


def test_a_folder_to_which_something_refers_stays_and_those_around_it(root: Path) -> None:
    row = f"  - m_GUID: {guid_of('Assets/New/Deep')}\n    m_Address: Deep\n    m_ReadOnly: 0\n"
    put_group(root, row)
    found = completed(root, DEEP, OTHER)
    assert found.removed == ("Assets/New/Other",)
    (note,) = found.notes
    assert note.startswith("Assets/New/Deep is empty then, which git does not keep, and Assets/AddressableAssetsData/")
    apply(found.plan, str(root))
    assert sorted(path.name for path in (root / "Assets/New").iterdir()) == ["Deep", "Deep.meta"]


def test_nothing_goes_if_a_file_came_into_the_folder_meanwhile(root: Path) -> None:
    found = completed(root, DEEP, OTHER)
    (root / "Assets/New/late.txt").write_text("late")
    with pytest.raises(MendingError, match=r"Assets/New/late\.txt: was created since this was planned"):
        apply(found.plan, str(root))
    for path in (DEEP, OTHER, "Assets/New/late.txt", "Assets/New/Deep.meta"):
        assert (root / path).is_file()
    assert not [path for path in (root / "Assets").rglob(".*") if path.name != ".gitkeep"]


def test_a_plan_that_empties_nothing_opens_no_project(root: Path) -> None:
    plan = plan_removal(str(root), [KEPT])

    def refuse() -> None:
        raise AssertionError

    assert with_emptied(str(root), plan, refuse) == Completed(plan)  # type: ignore[arg-type]  # it is not called


def test_thousands_of_paths_are_planned_in_seconds(tmp_path: Path) -> None:
    (tmp_path / "ProjectSettings").mkdir()
    for folder in ("Full", "Target"):
        (tmp_path / "Assets" / folder).mkdir(parents=True)
    count = 3000 if sys.platform != "win32" else 500  # a call of the system takes Wine ten times as long
    paths = [f"Assets/Full/{number}.txt" for number in range(count)]
    for path in paths:
        (tmp_path / path).touch()
    started = process_time()
    for plan in (plan_removal(str(tmp_path), paths), plan_moves(str(tmp_path), paths, "Assets/Target")):
        assert emptied_folders(str(tmp_path), plan) == ["Assets/Full"]
    assert emptied_folders(str(tmp_path), plan_removal(str(tmp_path), paths[1:])) == []
    assert process_time() - started < 10
