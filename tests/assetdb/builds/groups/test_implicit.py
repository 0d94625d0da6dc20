"""What bundles take along without an entry, how large it is, and what several of them would hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.builds.groups.implicit import (
    PlannedContent,
    PlannedDuplicate,
    Pulled,
    contents,
    planned_duplicates,
    source_size,
)
from assetdb.builds.groups.plan import PLAYER, Member, plan_groups
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.builds.projects import add_group, add_settings, reference
from tests.system.graph.project import HEAD, add, data_asset, guid_of

if TYPE_CHECKING:
    from pathlib import Path

A, B = "Assets/a.asset", "Assets/b.asset"


def member(path: str) -> Member:
    return Member(guid_of(path), path, path, (), path)


def pulled(path: str, size: int | None) -> Pulled:
    return Pulled(guid_of(path), path, size, (A,))


def test_the_size_of_a_content_is_that_of_its_files_each_once() -> None:
    one, two = member(A), member(B)
    assert PlannedContent("x", "g", (one, two, one), (5, None, 5), (pulled("c", 7), pulled("d", None))).size == 12
    assert PlannedContent("x", "g", (), (), ()).size == 0


def test_all_copies_but_one_are_wasted() -> None:
    assert PlannedDuplicate("g", A, 10, "", ("x", "y", "z")).wasted == 20
    assert PlannedDuplicate("g", A, None, "", ("x", "y")).wasted == 0


def test_duplicates_have_their_owner_and_holders_and_the_most_wasteful_come_first() -> None:
    held = [
        PlannedContent("one", "g", (member(A),), (5,), (pulled("s.mat", 9), pulled("t.mat", 9))),
        PlannedContent("two", "g", (member(B),), (3,), (pulled("s.mat", 9),)),
        PlannedContent(PLAYER, "", (member(A),), (5,), (pulled("t.mat", 9), pulled("s.mat", 9))),
    ]
    assert planned_duplicates(held) == [
        PlannedDuplicate(guid_of("s.mat"), "s.mat", 9, "", tuple(sorted(("one", "two", PLAYER)))),
        PlannedDuplicate(guid_of("t.mat"), "t.mat", 9, "", tuple(sorted(("one", PLAYER)))),
        PlannedDuplicate(guid_of(A), A, 5, "one", tuple(sorted(("one", PLAYER)))),
    ]
    assert planned_duplicates(held[:1]) == []


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (b"", 0),
        (b"x" * 2000, 2000),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 777\n", 777),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n" + b" " * 2000, 2056),
    ],
)
def test_a_source_has_its_own_size_or_that_in_its_pointer(tmp_path: Path, data: bytes, size: int) -> None:
    (tmp_path / "a").write_bytes(data)
    assert source_size(str(tmp_path / "a")) == size


def test_a_source_that_is_not_here_has_no_size(tmp_path: Path) -> None:
    assert source_size(str(tmp_path / "a")) is None
    assert source_size("a\0b") is None


def taken(
    root: Path, entries: tuple[str, ...], groups: dict[str, tuple[str, ...]] | None = None
) -> dict[str, tuple[str, ...]]:
    """Return path and way of what the first group's bundle takes along."""
    (root / "ProjectSettings").mkdir(exist_ok=True)
    every = {"First": entries, **(groups or {})}
    for name, paths in every.items():
        add_group(root, name, *[(path, path, ()) for path in paths])
    add_settings(root, *every)
    project = open_project(str(root), str(root / "out"))
    try:
        plan = plan_groups(project)
        assert plan is not None
        (found, *_) = contents(project, plan)
        return {row.path: row.way for row in found.implicit}
    finally:
        project.close()


def test_what_a_member_refers_to_comes_along_with_the_way_to_it(tmp_path: Path) -> None:
    add(tmp_path, A, data_asset("a", reference(B)))
    add(tmp_path, B, data_asset("b", reference("Assets/c.asset")))
    add(tmp_path, "Assets/c.asset", data_asset("c", reference(A)))
    assert taken(tmp_path, (A,)) == {B: (A,), "Assets/c.asset": (A, B)}


def test_a_member_of_another_bundle_stays_there_with_what_only_it_refers_to(tmp_path: Path) -> None:
    add(tmp_path, A, data_asset("a", reference(B)))
    add(tmp_path, B, data_asset("b", reference("Assets/c.asset")))
    add(tmp_path, "Assets/c.asset", data_asset("c"))
    assert taken(tmp_path, (A,), {"Second": (B,)}) == {}


@pytest.mark.parametrize(
    "path", ["Assets/x.cs", "Assets/x.unity", "Assets/Editor/x.asset", "Assets/x.lighting", "Assets/x.asmdef"]
)
def test_code_scenes_and_what_is_of_the_editor_alone_stay_out(tmp_path: Path, path: str) -> None:
    add(tmp_path, A, data_asset("a", reference(path)))
    add(tmp_path, path, data_asset("x") if path.endswith(".asset") else HEAD)
    assert taken(tmp_path, (A,)) == {}


@pytest.mark.parametrize(
    ("file_id", "is_leaf"),
    [
        *((4300000, True), (7400002, True), (9000000, True)),  # a mesh, a clip, an avatar: nothing hangs from them
        *(
            (100000, False),
            (2300000, False),
            (99_999, False),
            (100_000_000, False),
            (4_300_000_000, False),
            (-43, False),
        ),
    ],
)
def test_a_mesh_of_a_model_takes_no_material_along(tmp_path: Path, file_id: int, is_leaf: bool) -> None:  # noqa: FBT001
    """The class of an object in a model of before 2019 is its fileID by 100,000."""
    model, material = "Assets/m.fbx", "Assets/m.mat"
    pointer = f"{{fileID: {file_id}, guid: {guid_of(model)}, type: 3}}"
    add(tmp_path, A, data_asset("a", pointer))
    add(tmp_path, material, data_asset("m"))
    add(tmp_path, model, "", "ModelImporter")
    remap = f"{{fileID: 2100000, guid: {guid_of(material)}, type: 2}}"
    external = "  - first:\n      type: UnityEngine:Material\n      assembly: UnityEngine.CoreModule\n      name: M\n"
    meta = tmp_path / f"{model}.meta"
    meta.write_text(
        f"fileFormatVersion: 2\nguid: {guid_of(model)}\nModelImporter:\n  serializedVersion: 23\n"
        f"  externalObjects:\n{external}    second: {remap}\n  fileIdsGeneration: 1\n"
    )
    expected = {model: (A,)} if is_leaf else {model: (A,), material: (A, model)}
    assert taken(tmp_path, (A,)) == expected
