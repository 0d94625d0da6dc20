"""Hierarchies of scenes: objects of their own, of prefabs that are placed, and what instances leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.builds.trace.contents import Contents
from assetdb.builds.trace.placed import Hierarchies
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity.importers.fbx_writer import Node, model
from tests.system.graph.project import HEAD, add, guid_of

if TYPE_CHECKING:
    from pathlib import Path

PREFAB, SCENE, MODEL = "Assets/Tree.prefab", "Assets/Main.unity", "Assets/Things.fbx"
OBJECT = """--- !u!1 &{go}
GameObject:
  m_Component:
  - component: {{fileID: {transform}}}
  m_Name: {name}
--- !u!4 &{transform}
Transform:
  m_GameObject: {{fileID: {go}}}
  m_Father: {{fileID: {father}}}
"""
INSTANCE = """--- !u!1001 &1000
PrefabInstance:
  m_Modification:
    m_TransformParent: {{fileID: 2}}
    m_Modifications:
    - target: {{fileID: 11, guid: {guid}, type: 3}}
      propertyPath: m_Name
      value: Oak
      objectReference: {{fileID: 0}}
    m_RemovedComponents: []
    m_RemovedGameObjects:
    - {{fileID: 15, guid: {guid}, type: 3}}
  m_SourcePrefab: {{fileID: 100100000, guid: {guid}, type: 3}}
"""


def test_an_instance_hangs_where_the_scene_places_it_without_what_it_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "ProjectSettings").mkdir()
    parts = ((11, 12, 0, "Tree"), (13, 14, 12, "Leaf"), (15, 16, 12, "Gone"))
    body = "".join(OBJECT.format(go=go, transform=own, father=up, name=name) for go, own, up, name in parts)
    add(tmp_path, PREFAB, HEAD + body)
    scene = OBJECT.format(go=1, transform=2, father=0, name="Root") + INSTANCE.format(guid=guid_of(PREFAB))
    add(tmp_path, SCENE, HEAD + scene)
    project = open_project(str(tmp_path))
    project.refresh()
    found = Hierarchies(project, Contents(project))
    objects, paths = found.of(guid_of(SCENE)), found.paths(guid_of(SCENE))
    assert {(paths[number], row.kind) for number, row in objects.items()} == {
        (way, kind)
        for way in (("Root",), ("Root", "Oak"), ("Root", "Oak", "Leaf"))
        for kind in ("GameObject", "Transform")
    }
    assert objects[1000 ^ 13].origins == ((guid_of(PREFAB), 13),)


def test_a_prefab_that_places_itself_ends(tmp_path: Path) -> None:
    (tmp_path / "ProjectSettings").mkdir()
    body = OBJECT.format(go=1, transform=2, father=0, name="Root") + INSTANCE.format(guid=guid_of(PREFAB))
    add(tmp_path, PREFAB, HEAD + body)
    project = open_project(str(tmp_path))
    project.refresh()
    assert set(Hierarchies(project, Contents(project)).of(guid_of(PREFAB))) == {1, 2}


def test_a_model_has_its_objects_and_what_hangs_from_them(tmp_path: Path) -> None:
    """Its meshes and materials are no part of a scene."""
    (tmp_path / "ProjectSettings").mkdir()
    add(tmp_path, MODEL, "", "ModelImporter")
    (tmp_path / MODEL).write_bytes(model(7400, (Node("Crate", "Mesh", (Node("Lid", "Mesh"),)), Node("Floor"))))
    project = open_project(str(tmp_path))
    project.refresh()
    found = Hierarchies(project, Contents(project))
    objects, paths = found.of(guid_of(MODEL)), found.paths(guid_of(MODEL))
    hanging = {"Transform", "MeshFilter", "MeshRenderer", "SkinnedMeshRenderer", "Animator", "Animation"}
    lid = {row.kind for number, row in objects.items() if paths[number] == ("Things", "Crate", "Lid")}
    assert lid == {row.kind for row in objects.values()} == {"GameObject", *hanging}
