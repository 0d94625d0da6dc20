"""Answers of deps and usages as rows and as JSON."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.relations import (
    AssetInfo,
    component_text,
    content_of,
    dependencies_of,
    dependency_fields,
    describe,
    describe_subject,
    folder_of,
    is_known,
    place_fields,
    sharing,
    type_text,
    usage_fields,
    usages_of,
)
from assetdb.query.selecting.selector import NO_GUID, Subject
from assetdb.query.snapshots.snapshot import open_project
from assetdb.store.indexes.graph import Graph
from tests.assetdb.packages.packages_project import TEXT, TMP
from tests.assetdb.unity_project import HEAD, component, game_object, guid, instance, make_project, write, write_meta

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.query.snapshots.snapshot import Snapshot

USERS = {"Assets/Main.unity", "Assets/data.asset", "Assets/Prefabs/Player.prefab", "Assets/Twin/Two.prefab"}
SHARED = ["Assets/Copy.png", "Assets/Art/tiles.png"]
PLAYER = "Assets/Prefabs/Player.prefab"
IMAGE_DLL = "f70555f144d8491a825f0804e09c671c"  # UnityEngine.UI.dll of Unity up to 2018
PACKAGE = "Library/PackageCache/com.acme.tools@1.0.0"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    root = make_project(tmp_path_factory.mktemp("relations") / "Game")
    shutil.copy(root / "Assets/Art/tiles.png", root / "Assets/Copy.png")
    shutil.copy(root / "Assets/Art/tiles.png.meta", root / "Assets/Copy.png.meta")
    write(
        root, "Assets/Prefabs/Broken.prefab", 60, "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    )
    twin = f"  script: {{fileID: 11500000, guid: {guid(3)}, type: 3}}\n"
    write(root, "Assets/Twin/One.prefab", 71, HEAD + game_object(100, "One"))
    write(
        root,
        "Assets/Twin/Two.prefab",
        71,
        HEAD + game_object(100, "Two") + component(114, 9, 100, "MonoBehaviour", twin),
    )
    write(root, "Assets/Twin/Scene.unity", 70, HEAD + instance(7000, 71))
    write_meta(root / PACKAGE, "Sub", 13, "folderAsset: yes\n")
    (root / PACKAGE / "Sub").mkdir()
    write_meta(root, "Assets/Prefabs", 50, "folderAsset: yes\nDefaultImporter:\n  userData: \n")
    found = open_project(str(root), str(root / "Library" / "assetdb"))
    yield found
    found.close()


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (guid(3), ("Health.cs", "MonoScript", "Assets/Scripts/Health.cs")),
        (guid(9), ("data.asset", "Health", "Assets/data.asset")),
        (guid(50), ("Prefabs", "folder", "Assets/Prefabs")),
        ("0000000000000000e000000000000000", ("Library/unity default resources", "built-in", "")),
        (guid(77), ("", "missing-asset", "")),
        (guid(12), ("Tool", "MonoScript", "Packages/com.acme.tools/Tool.cs")),
        (guid(13), ("Sub", "folder", "Packages/com.acme.tools/Sub")),
        (guid(11), ("gone.mat", "package", "Assets/gone.mat")),
        (TMP, ("TextMeshProUGUI.cs", "package, not here", TEXT)),
    ],
)
def test_guids_are_described(project: Snapshot, key: str, expected: tuple[str, str, str]) -> None:
    found = describe(key, project)
    assert (found.guid, found.type, found.path) == (key, *expected[1:])
    assert found.package == ("com.acme.tools@1.0.0" if found.path.startswith("Packages/com.acme.tools") else "")
    assert found.name in (expected[0], expected[0].partition(".")[0], "unity default resources")
    assert found.row[0] == (expected[2] or f"({found.name or 'not in the project'})")
    assert found.row[2] == (f"{key}  {found.package}" if found.package else key)


def test_a_package_is_named_where_there_is_no_path() -> None:
    assert AssetInfo("g", "", "t", "", "com.acme").row == ("(not in the project)", "t", "g  com.acme")
    assert AssetInfo("g", "n", "t", "").row == ("(n)", "t", "g")


def test_those_that_share_a_guid_are_told(project: Snapshot) -> None:
    assert sharing(Subject(guid(4), None), project) == sorted(SHARED)
    assert sharing(Subject(guid(3), None), project) == []
    assert sharing(Subject(guid(50), None, folder="Assets/Prefabs"), project) == ["Assets/Prefabs"]
    assert sharing(Subject(NO_GUID, None, folder="Assets"), project) == []
    own = describe_subject(Subject(guid(4), None), project).path
    (other,) = set(SHARED) - {own}
    fields = dependency_fields("tiles", Subject(guid(4), None), project, [], deep=False)
    assert fields["shares_guid_with"] == [other]
    assert "shares_guid_with" not in dependency_fields("Health", Subject(guid(3), None), project, [], deep=False)
    duplicate = usage_fields("Copy", Subject(guid(4), None, path=other), project, [], None, deep=True)
    assert (duplicate["path"], duplicate["shares_guid_with"]) == (other, [own])
    assert "objects" not in duplicate


def test_files_that_were_not_read_make_an_answer_unsure(project: Snapshot) -> None:
    subject = Subject(guid(3), None)
    found = usage_fields("q", subject, project, [], [], deep=False)
    assert (found["query"], found["name"], found["file_id"], found["deep"]) == ("q", "Health", None, False)
    assert (found["usages"], found["objects"], found["unread_files"]) == ([], [], len(project.unread))
    assert len(project.unread) > 0
    assert "unread_files" not in dependency_fields("q", subject, project, [], deep=False)
    broken = Subject(guid(60), None)
    assert dependency_fields("q", broken, project, [], deep=False)["unread_files"] == 1


def test_relations_go_one_step_or_all(project: Snapshot) -> None:
    graph = AssetGraph(project)
    level, script = Subject(guid(2), None), Subject(guid(3), None)
    near = {found.path for found in dependencies_of(level, project, graph, deep=False)}
    assert near == {"Assets/Prefabs/Player.prefab"}
    far = {found.path for found in dependencies_of(level, project, graph, deep=True)}
    assert far == {"Assets/Prefabs/Player.prefab", "Assets/Scripts/Health.cs"}
    users, places = usages_of(script, project, graph, deep=False, objects=False)
    assert {found.path for found in users} == USERS
    assert places == []
    users, _ = usages_of(script, project, graph, deep=True, objects=False)
    assert {found.path for found in users} >= {"Assets/Prefabs/Level.prefab"}


def test_places_in_a_file_that_shares_its_guid_are_told_of_a_folder_too(project: Snapshot) -> None:
    for subject in (Subject(guid(3), None), Subject(NO_GUID, None, folder="Assets/Scripts")):
        _, places = usages_of(subject, project, AssetGraph(project), deep=False, objects=True)
        assert ("Assets/Twin/Two.prefab", "script") in {(place.path, place.property) for place in places}


def test_a_user_that_shares_its_guid_with_a_file_of_the_folder_is_told(tmp_path: Path) -> None:
    root = make_project(tmp_path / "P")
    uses = f"  m_A: {{fileID: 2100000, guid: {guid(81)}, type: 2}}\n"
    write(root, "Assets/One/It.prefab", 80, HEAD + game_object(100, "It", components=uses))
    write(root, "Assets/Two/It.prefab", 80, HEAD + game_object(100, "It"))
    write(root, "Assets/Two/Red.mat", 81, f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Red\n")
    project = open_project(str(root))
    for subject in (Subject(guid(81), None), Subject(NO_GUID, None, folder="Assets/Two")):
        files, places = usages_of(subject, project, AssetGraph(project), deep=False, objects=True)
        assert [file.path for file in files] == [place.path for place in places] == ["Assets/One/It.prefab"]
    project.close()


def test_a_folder_needs_what_its_own_files_refer_to(tmp_path: Path) -> None:
    """Of two files with one GUID, each in a folder of its own."""
    root = make_project(tmp_path / "P")
    for folder, number in (("One", 3), ("Two", 1)):
        uses = f"  m_A: {{fileID: 100, guid: {guid(number)}, type: 3}}\n"
        write(root, f"Assets/{folder}/It.prefab", 80, HEAD + game_object(100, "It", components=uses))
    project = open_project(str(root))
    for folder, needed in (("One", "Assets/Scripts/Health.cs"), ("Two", PLAYER)):
        subject = Subject(NO_GUID, None, folder=f"Assets/{folder}")
        assert [row.path for row in dependencies_of(subject, project, AssetGraph(project), deep=False)] == [needed]
    project.close()


def test_the_graph_is_not_traversed_for_each_asset(project: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = AssetGraph(project)
    traversals = []

    def closure(self: Graph, nodes: Iterable[int], *, incoming: bool = False) -> set[int]:
        traversals.append(incoming)
        return real(self, nodes, incoming=incoming)

    real = Graph.closure
    monkeypatch.setattr(Graph, "closure", closure)
    everything = Subject(NO_GUID, None, folder="Assets")
    of_each = {target for guid in content_of(everything, project).values() for target in graph.dependencies(guid)}
    outside = of_each.difference(content_of(everything, project).values())
    assert {found.guid for found in dependencies_of(everything, project, graph, deep=True)} == outside
    assert 0 < len(traversals) < len(content_of(everything, project)) / 2
    traversals.clear()
    users, _ = usages_of(everything, project, graph, deep=True, objects=False)
    assert (users, len(traversals) < 4) == ([], True)


def test_all_that_share_a_guid_on_the_way_count(project: Snapshot) -> None:
    graph = AssetGraph(project)
    scene = Subject(guid(70), None)
    near = {found.path for found in dependencies_of(scene, project, graph, deep=False)}
    assert near == {"Assets/Twin/One.prefab"}
    far = {found.path for found in dependencies_of(scene, project, graph, deep=True)}
    assert far == {"Assets/Twin/One.prefab", "Assets/Scripts/Health.cs"}  # to which the other one refers
    unrelated = {found.path for found in dependencies_of(Subject(guid(2), None), project, graph, deep=True)}
    assert "Assets/Twin/One.prefab" not in unrelated


def test_places_are_read_where_they_are_asked_for(project: Snapshot) -> None:
    graph = AssetGraph(project)
    _, places = usages_of(Subject(guid(3), None), project, graph, deep=False, objects=True)
    assert {place.path for place in places} == USERS
    users, places = usages_of(Subject(guid(1), 12345), project, graph, deep=False, objects=False)
    assert [found.path for found in users] == ["Assets/Main.unity"]
    assert {place.file_id for place in places} == {12345}
    assert usages_of(Subject(guid(1), 9), project, graph, deep=False, objects=False) == ([], [])


def test_classes_without_a_name_are_numbers() -> None:
    assert (type_text(1), type_text(99_999)) == ("GameObject", "99999")


def test_what_refers_or_is_referred_to_is_known(project: Snapshot) -> None:
    graph = AssetGraph(project)
    for number, known in ((3, True), (11, True), (12, True), (77, True), (78, False)):
        assert is_known(describe(guid(number), project), graph) is known
    assert not is_known(AssetInfo(guid(78), "", "package-not-present", ""), graph)
    assert not is_known(AssetInfo(guid(78), "", "", ""), graph)


@pytest.mark.parametrize(
    ("subject", "folder"),
    [
        (Subject(guid(50), None), "Assets/Prefabs"),
        (Subject(guid(13), None), "Packages/com.acme.tools/Sub"),
        (Subject(NO_GUID, None, folder="Assets/Twin"), "Assets/Twin"),
        (Subject(guid(1), None), ""),
        (Subject(guid(4), None, path="Assets/Copy.png"), ""),
        (Subject(guid(12), None), ""),
        (Subject(guid(78), None), ""),
    ],
)
def test_the_folder_of_a_question_is_its_own_or_of_a_package(project: Snapshot, subject: Subject, folder: str) -> None:
    assert folder_of(subject, project) == folder


def test_a_folder_is_described_by_its_path(project: Snapshot) -> None:
    found = describe_subject(Subject(NO_GUID, None, folder="Assets/Twin"), project)
    assert found == AssetInfo("", "Twin", "folder", "Assets/Twin")
    found = describe_subject(Subject(guid(50), None, folder="Assets/Prefabs"), project)
    assert found == AssetInfo(guid(50), "Prefabs", "folder", "Assets/Prefabs")


def test_dependencies_have_their_bytes_where_they_are_asked_for(project: Snapshot) -> None:
    level = Subject(guid(2), None)
    found = dependencies_of(level, project, AssetGraph(project), deep=True)
    fields = dependency_fields("q", level, project, [*found, describe(guid(77), project)], deep=True, sized=True)
    size = {path: (Path(project.root) / path).stat().st_size for path in ("Assets/Scripts/Health.cs", PLAYER)}
    rows = fields["dependencies"]
    assert isinstance(rows, list)
    assert {row["path"]: row["bytes"] for row in rows} == {**size, "": None}
    assert fields["bytes"] == sum(size.values())


def test_places_have_the_class_that_refers(project: Snapshot) -> None:
    places = usages_of(Subject(guid(3), None), project, AssetGraph(project), deep=False, objects=True)[1]
    fields = usage_fields("q", Subject(guid(3), None), project, [], places, deep=False)["objects"]
    assert isinstance(fields, list)
    classes = {row["path"]: row["class"] for row in fields}
    assert classes == dict.fromkeys(USERS, "Health") | {"Assets/Twin/Two.prefab": "MonoBehaviour"}  # no m_Script
    assert not any("script_id" in row for row in fields)
    assert place_fields(places[0]._replace(class_id=0), project)["class"] == ""


@pytest.mark.parametrize(
    ("class_id", "script", "script_id", "name"),
    [
        (4, "", 0, "Transform"),
        (114, guid(3), 11500000, "Health"),
        (114, guid(12), 11500000, "Tool"),
        (114, guid(3), 5, "Health"),
        (114, guid(77), 11500000, "MonoBehaviour"),
        (114, IMAGE_DLL, -765806418, "Image"),
    ],
)
def test_a_component_is_named_by_its_script(
    project: Snapshot, class_id: int, script: str, script_id: int, name: str
) -> None:
    assert component_text(class_id, script, script_id, project) == name
