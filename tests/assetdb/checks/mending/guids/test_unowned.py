"""Referenced GUIDs that nothing has, and which file without a meta each may be of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.mending.guids.unowned import Unowned, may_be_of, unowned_guids
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import guid, make_project, write

if TYPE_CHECKING:
    from pathlib import Path

LOST = guid(77)
GRAPHICS = "ProjectSettings/GraphicsSettings.asset"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_project(tmp_path / "Game")


def unowned(root: Path) -> list[Unowned]:
    project = open_project(str(root), str(root.parent / "out"))
    try:
        return unowned_guids(project)
    finally:
        project.close()


def test_a_guid_that_nothing_has_is_told_with_the_objects_that_all_files_mean(
    root: Path,
) -> None:
    text = "%YAML 1.1\n--- !u!114 &1\nMonoBehaviour:\n"
    rows = f"  a: {{fileID: 7, guid: {LOST}, type: 3}}\n  b: {{fileID: 8, guid: {LOST}, type: 3}}\n"
    write(root, "Assets/Z.asset", 40, text + rows)
    (root / "Assets/Art/tiles.png.meta").write_text(
        (root / "Assets/Art/tiles.png.meta").read_text() + rows.partition("\n")[0]
    )
    expected = Unowned(LOST, "Assets/Art/tiles.png.meta", frozenset({12345, 7, 8}))
    assert unowned(root) == [expected]


def test_settings_are_searched_for_what_no_asset_names(root: Path) -> None:
    other = guid(78)
    rows = "".join(
        f"  a: {{fileID: 9, guid: {each}, type: 3}}\n"
        for each in (other.upper(), LOST, guid(1), guid(12), guid(11), "0" * 32, "0000000000000000f000000000000000")
    )
    (root / GRAPHICS).write_text(f"%YAML 1.1\n--- !u!30 &1\nGraphicsSettings:\n{rows}")
    assert unowned(root) == [
        Unowned(LOST, "Assets/Main.unity", frozenset({12345, 9})),
        Unowned(other, GRAPHICS, frozenset({9})),
    ]


def test_a_project_without_lost_guids_has_none(root: Path) -> None:
    for name in ("Main.unity", "Main.unity.meta"):
        (root / "Assets" / name).unlink()
    assert unowned(root) == []


@pytest.mark.parametrize(
    ("path", "folder", "is_fitting"),
    [("Assets/a.asmdef", False, True), ("Assets/a.mat", False, False), ("Assets/asmdef", True, False)],
)
@pytest.mark.parametrize("user", ["Assets/b.asmdef", "Assets/b.ASMREF"])
def test_assemblies_refer_to_assembly_definitions_alone(
    user: str, path: str, *, folder: bool, is_fitting: bool
) -> None:
    assert may_be_of(Unowned(LOST, user, frozenset({None})), path, folder=folder) == is_fitting


@pytest.mark.parametrize("folder", [True, False])
def test_a_reference_to_an_asset_as_a_whole_may_mean_anything(*, folder: bool) -> None:
    assert may_be_of(Unowned(LOST, "Assets/a.json", frozenset({None, 5})), "Assets/x", folder=folder)


@pytest.mark.parametrize(
    ("file_id", "path", "is_fitting"),
    [
        (2100000, "Assets/a.mat", True),  # its main object
        (2100000, "Assets/a.prefab", False),  # the main object of another kind
        (2100000, "Assets/a.odd", True),  # which may have any
        (100100000, "Assets/a.prefab", True),
        (12345, "Assets/a.prefab", True),  # an object within
        (12345, "Assets/a.mat", False),  # which has one object alone
        (2800000, "Assets/a.png", True),
        (21300000, "Assets/a.png", True),  # the sprite of a picture
        (21200000, "Assets/a.png", False),
        (-77, "Assets/a.png", True),
        (-2100000, "Assets/a.mat", False),
        (7400000, "Assets/a.fbx", False),
        (7400002, "Assets/a.fbx", True),
        (11500000, "Assets/a.cs", True),
        (12345, "Assets/a.cs", False),
        (11400000, "Assets/a.asset", True),
        (12345, "Assets/a.asset", True),
        (0, "Assets/a.prefab", True),
        (0, "Assets/a.mat", False),
        ((1 << 31) // 100_000 * 100_000, "Assets/a.prefab", False),
        (((1 << 31) // 100_000 + 1) * 100_000, "Assets/a.prefab", True),  # no class has so high a number
    ],
)
def test_an_object_fits_a_kind_that_may_have_it(file_id: int, path: str, *, is_fitting: bool) -> None:
    row = Unowned(LOST, "Assets/Main.unity", frozenset({file_id}))
    assert may_be_of(row, path, folder=False) == is_fitting
    assert not may_be_of(row, path, folder=True)


def test_one_fitting_object_of_several_is_enough() -> None:
    assert may_be_of(Unowned(LOST, "Assets/a.unity", frozenset({5, 2100000})), "Assets/a.mat", folder=False)
