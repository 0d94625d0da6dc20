"""Contents of assets and folders as rows with names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.errors import FileError, UsageError
from assetdb.query.graph.ways import one_asset
from assetdb.query.listing import (
    AssetRow,
    ComponentRow,
    Contents,
    PartRow,
    contents_fields,
    contents_of,
    has_hierarchy,
    list_folder,
    list_objects,
    why_unreadable,
)
from assetdb.query.selecting.selector import NO_GUID, Subject
from assetdb.query.snapshots.snapshot import open_project
from assetdb.unity.settings.addressables import GROUP_SCRIPT
from tests.assetdb.unity.importers.fbx_writer import Node, model
from tests.assetdb.unity_project import HEAD, component, game_object, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.snapshots.snapshot import Snapshot

PLAYER, LEVEL, SCENE = (Subject(guid(number), None) for number in (1, 2, 8))


def group(*guids: str) -> str:
    rows = "".join(f"  - m_GUID: {each}\n    m_Address: a\n    m_ReadOnly: 0\n" for each in guids)
    script = f"  m_Script: {{fileID: 11500000, guid: {GROUP_SCRIPT}, type: 3}}\n"
    return f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{script}  m_Name: g\n  m_SerializeEntries:\n{rows}"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    root = make_project(tmp_path_factory.mktemp("listing") / "P")
    packs = "".join(f"  - {{fileID: 21300000, guid: {guid(number)}, type: 3}}\n" for number in (5, 4, 77, 10))
    atlas = f"{HEAD}--- !u!687078895 &4343727234628468602\nSpriteAtlas:\n  m_Name: all\n  m_PackedSprites:\n{packs}"
    write(root, "Assets/all.spriteatlas", 40, atlas, "NativeFormatImporter:\n")
    write(root, "Assets/g.asset", 41, group(guid(9), guid(10)), "NativeFormatImporter:\n")
    broken = group().replace("m_SerializeEntries", "m_Nothing")
    write(root, "Assets/broken.asset", 42, broken, "NativeFormatImporter:\n")
    two = component(108, 300, 100, "Light") + component(82, 301, 100, "AudioSource")
    write(root, "Assets/Twins.prefab", 43, HEAD + game_object(100, "Twins") + two, "PrefabImporter:\n")
    pair = game_object(100, "Top") + game_object(200, "Same", 101) + game_object(300, "Same", 101)
    write(root, "Assets/Pair.prefab", 44, HEAD + pair, "PrefabImporter:\n")
    write(root, "Assets/Copy.prefab", 43, HEAD + game_object(100, "Copy"), "PrefabImporter:\n")
    missing = component(114, 300, 100, "MonoBehaviour", "  m_Script: {fileID: 0}\n")
    write(root, "Assets/Missing.prefab", 45, HEAD + game_object(100, "M", components=missing), "PrefabImporter:\n")
    write(root, "Assets/Scripts/folder.cs", 46, "class folder {}\n", "MonoImporter:\n")
    body = f"{HEAD}--- !u!114 &1\nM:\n  m_Script: {{fileID: 11500000, guid: {guid(46)}, type: 3}}\n"
    write(root, "Assets/odd.asset", 47, body, "NativeFormatImporter:\n")
    write(root, "Assets/odd group.asset", 50, group(guid(47), guid(10)), "NativeFormatImporter:\n")
    two_roots = model(7400, (Node("Hull", "Mesh"), Node("Mast")), ("Sail",))
    write(root, "Assets/ship.fbx", 51, two_roots, "ModelImporter:\n  animationType: 2\n  fileIdsGeneration: 2\n")
    for number, folder in ((52, "Prefabs"), (53, "Scripts")):
        write(root, f"Assets/{folder}/Yard.prefab", number, HEAD + pair.replace("Same", "Gate", 1), "PrefabImporter:\n")
    (root / "Assets" / "Prefabs" / "Empty" / "Inner").mkdir(parents=True)
    for number, path in ((48, "Assets/Prefabs/Empty"), (49, "Assets/Prefabs/Empty/Inner")):
        (root / f"{path}.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(number)}\nfolderAsset: yes\n")
    opened = open_project(str(root))
    yield opened
    opened.close()


def names(found: Contents) -> list[tuple[int, str]]:
    return [(row.depth, row.name) for row in found.objects]


def test_a_prefab_is_listed_with_components_and_ways(project: Snapshot) -> None:
    found = contents_of(PLAYER, project)
    assert names(found) == [(0, "Player"), (1, "Body"), (2, "Head #1")]
    assert [row.way for row in found.objects] == [("Player",), ("Player", "Body"), ("Player", "Body", "Head #1")]
    body = found.objects[1]
    assert body.components == (
        ComponentRow("Transform", 201, "", guid(1), 201, 0, added=False, removed=False),
        ComponentRow("Health", 300, guid(3), guid(1), 300, 0, added=False, removed=False),
    )
    assert (body.file_id, body.source, body.source_path, body.source_id) == (
        *(200, guid(1), "Assets/Prefabs/Player.prefab", 200),
    )
    assert (body.active, body.instance, body.places, body.reason) == (True, 0, "", "")
    assert (found.parts, found.assets, found.truncated) == ([], [], False)


def test_nested_prefabs_are_opened_or_named(project: Snapshot) -> None:
    opened = contents_of(LEVEL, project)
    assert names(opened) == [(0, "Level"), (1, "Hero"), (2, "Body"), (3, "Head #1"), (3, "Sword")]
    hero = opened.objects[1]
    assert (hero.file_id, hero.places, hero.instance) == (7000 ^ 100, guid(1), 7000)
    closed = contents_of(LEVEL, project, nested=False)
    assert (0, "Level") in names(closed)
    assert "Head #1" not in {name for _, name in names(closed)}


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (1, ["Player"]),
        (2, ["Player", "Body"]),
        (3, ["Player", "Body", "Head #1"]),
        (None, ["Player", "Body", "Head #1"]),
    ],
)
def test_as_many_levels_as_asked(project: Snapshot, depth: int | None, expected: list[str]) -> None:
    assert [row.name for row in contents_of(PLAYER, project, depth=depth).objects] == expected


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        (["health"], ["Body"]),
        (["Health.cs"], ["Body"]),
        (["TRANSFORM"], ["Player", "Body", "Head #1"]),
        (["Light"], []),
    ],
)
def test_objects_with_one_of_some_components(project: Snapshot, classes: list[str], expected: list[str]) -> None:
    assert [row.name for row in contents_of(PLAYER, project, classes=classes).objects] == expected


@pytest.mark.parametrize(
    ("inside", "depth", "expected"),
    [
        ("200", None, [(0, "Body"), (1, "Head #1")]),
        ("300", None, [(0, "Body"), (1, "Head #1")]),
        ("200", 1, [(0, "Body")]),
        ("400", 2, [(0, "Head #1")]),
        ("Body", None, [(0, "Body"), (1, "Head #1")]),
        ("Player.prefab / Body", None, [(0, "Body"), (1, "Head #1")]),
    ],
)
def test_one_object_and_those_below_it(
    project: Snapshot, inside: str, depth: int | None, expected: list[tuple[int, str]]
) -> None:
    assert names(contents_of(PLAYER, project, project.root, inside=inside, depth=depth)) == expected


def test_an_object_ends_where_its_sibling_begins(project: Snapshot) -> None:
    found = list_objects(Subject(guid(44), None), project, inside=200)
    assert [(row.file_id, row.way) for row in found.objects] == [(200, ("Same",))]


def test_a_printed_name_is_of_the_listed_file_though_another_is_called_so(project: Snapshot) -> None:
    inside = "Yard.prefab / Top / Gate"
    found = contents_of(Subject(guid(52), None), project, project.root, inside=inside)
    assert [(row.file_id, row.name) for row in found.objects] == [(200, "Gate")]


def test_the_object_of_a_query_is_listed(project: Snapshot) -> None:
    assert names(contents_of(Subject(guid(1), 200), project)) == [(0, "Body"), (1, "Head #1")]


@pytest.mark.parametrize(
    ("number", "inside", "message"),
    [
        (
            1,
            "Arm",
            "--in 'Arm': Assets/Prefabs/Player.prefab has no such object: `assetdb ls --tree` lists those it has",
        ),
        (1, "12345", "12345: is not a GameObject of the asset: `assetdb ls` without --in lists those"),
        (1, "-12345", "-12345: is not a GameObject of the asset: `assetdb ls` without --in lists those"),
        (1, "123456789012345678901", "--in '123456789012345678901': Assets/Prefabs/Player.prefab has no such object"),
        (44, "Top / Same", "--in 'Top / Same' is ambiguous, give the fileID:\n"),
        (44, "Same", "--in 'Same': Assets/Pair.prefab has no such object"),
    ],
)
def test_an_object_that_is_not_there_is_an_error(project: Snapshot, number: int, inside: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        contents_of(Subject(guid(number), None), project, project.root, inside=inside)
    assert str(error.value).startswith(message)


def test_components_without_a_script_are_missing(project: Snapshot) -> None:
    (row,) = contents_of(Subject(guid(45), None), project).objects
    assert [part.type for part in row.components] == ["Transform", "MonoBehaviour"]


def test_parts_are_documents_or_what_the_importer_makes(project: Snapshot) -> None:
    assert contents_of(Subject(guid(9), None), project).parts == [PartRow("data", "Health", 11400000)]
    sprites = contents_of(Subject(guid(4), None), project).parts
    assert sorted(sprites) == [
        PartRow("tiles", "Texture2D", 2800000),
        PartRow("tiles_first", "Sprite", 555),
        PartRow("tiles_second", "Sprite", -666),
    ]
    assert contents_of(Subject(guid(3), None), project).parts == [PartRow("Health", "MonoScript", 11500000)]


def test_an_atlas_lists_what_it_packs_with_sizes(project: Snapshot) -> None:
    found = contents_of(Subject(guid(40), None), project)
    assert found.assets == [
        AssetRow("Assets/Art", "folder", guid(10), 0),
        AssetRow("Assets/Art/icon.png", "Texture2D", guid(5), 4),
        AssetRow("Assets/Art/tiles.png", "Texture2D", guid(4), 4),
        AssetRow(guid(77), "missing-asset", guid(77), 0),
    ]
    assert found.parts == []


def test_a_group_lists_its_entries(project: Snapshot) -> None:
    size = len(project.read("Assets/data.asset") or b"")
    assert contents_of(Subject(guid(41), None), project).assets == [
        AssetRow("Assets/Art", "folder", guid(10), 0),
        AssetRow("Assets/data.asset", "Health", guid(9), size),
    ]
    with pytest.raises(FileError, match=r"^Assets/broken\.asset: is not a group: it has no m_SerializeEntries$"):
        contents_of(Subject(guid(42), None), project)


def test_a_model_is_listed_with_its_meshes_and_clips_and_nothing_that_it_lacks(project: Snapshot) -> None:
    ship = Subject(guid(51), None)
    found = contents_of(ship, project)
    assert names(found) == [(0, "ship"), (1, "Hull"), (1, "Mast")]
    assert [[part.type for part in row.components] for row in found.objects] == [
        ["Transform", "Animator"],
        ["Transform", "MeshFilter", "MeshRenderer"],
        ["Transform"],
    ]
    assert [(row.name, row.type) for row in found.parts] == [
        *(("Hull", "Mesh"), ("Sail", "AnimationClip"), ("shipAvatar", "Avatar"))
    ]
    assert contents_of(ship, project, classes=["MeshFilter"]).parts == []
    assert contents_of(ship, project, depth=1).parts == []


def test_a_folder_lists_folders_before_assets(project: Snapshot) -> None:
    top = Subject(NO_GUID, None, folder="Assets")
    near = list_folder(top, project, deep=False).assets
    assert [row.path for row in near[:4]] == [*("Assets/Art", "Assets/Prefabs", "Assets/Scripts", "Assets/Copy.prefab")]
    assert [row.type for row in near[:3]] == ["folder"] * 3
    assert [row.path for row in near[3:]] == sorted(row.path for row in near[3:])
    art = near[0]
    assert (art.guid, near[1].guid) == (guid(10), "")
    inside = contents_of(Subject(guid(10), None), project).assets
    assert art.bytes == sum(row.bytes for row in inside) > 8
    assert [row.path for row in inside] == [
        f"Assets/Art/{name}" for name in ("boat.fbx", "icon.png", "lost.mat", "tiles.png")
    ]
    deep = contents_of(top, project, deep=True).assets
    assert {row.path for row in deep} >= {"Assets/Art/icon.png", "Assets/Scripts/Health.cs", "Assets/Main.unity"}
    assert not {row.path for row in deep} & {"Assets/Art", "Assets/Scripts"}


def test_an_asset_whose_script_is_called_folder_is_listed(project: Snapshot) -> None:
    for deep in (False, True):
        rows = list_folder(Subject(NO_GUID, None, folder="Assets"), project, deep=deep).assets
        assert [row.guid for row in rows if row.path == "Assets/odd.asset"] == [guid(47)]
    odd = Subject(guid(47), None)
    assert [row.type for row in contents_of(odd, project).parts] == ["folder"]
    assert one_asset("odd.asset", odd, project) == odd
    with pytest.raises(UsageError, match="is a folder"):
        one_asset("Art", Subject(guid(10), None), project)
    packed = contents_of(Subject(guid(50), None), project).assets
    assert [(row.path, row.type, row.bytes > 0) for row in packed] == [
        *(("Assets/Art", "folder", False), ("Assets/odd.asset", "folder", True))
    ]


def test_empty_folders_with_a_meta_are_listed(project: Snapshot) -> None:
    top = Subject(NO_GUID, None, folder="Assets/Prefabs")
    rows = {row.path: row for row in list_folder(top, project, deep=False).assets}
    assert rows["Assets/Prefabs/Empty"] == AssetRow("Assets/Prefabs/Empty", "folder", guid(48), 0)
    assert rows["Assets/Prefabs/Player.prefab"].bytes > 0
    inside = contents_of(Subject(guid(48), None), project)
    assert inside.assets == [AssetRow("Assets/Prefabs/Empty/Inner", "folder", guid(49), 0)]
    assert contents_of(Subject(guid(49), None), project).assets == []
    deep = list_folder(top, project, deep=True).assets
    assert not [row for row in deep if row.path.startswith("Assets/Prefabs/Empty")]


def test_of_a_shared_guid_each_asset_is_listed_as_itself(project: Snapshot) -> None:
    listed = []
    for path in ("Assets/Copy.prefab", "Assets/Twins.prefab"):
        duplicate = project.supplement.at(path)
        subject = Subject(guid(43), None, path=path if duplicate is not None else "")
        assert (project.key_at(subject.path, subject.guid) == guid(43)) is (duplicate is None)
        listed.append([row.name for row in contents_of(subject, project).objects])
    assert listed == [["Copy"], ["Twins"]]
    rows = list_folder(Subject(NO_GUID, None, folder="Assets"), project, deep=False).assets
    assert {row.path for row in rows} >= {"Assets/Copy.prefab", "Assets/Twins.prefab"}


def test_json_has_ways_as_text_and_the_guid_in_each_row(project: Snapshot) -> None:
    fields = contents_fields(contents_of(PLAYER, project), PLAYER)
    rows = list(fields["objects"])
    assert [(row["way"], row["guid"]) for row in rows][1] == ("Player / Body", guid(1))
    assert rows[1]["components"][1]["type"] == "Health"
    assert (list(fields["parts"]), list(fields["assets"]), fields["truncated"]) == ([], [], False)
    data = Subject(guid(9), None)
    (part,) = contents_fields(contents_of(data, project), data)["parts"]
    assert part == {"name": "data", "type": "Health", "file_id": 11400000, "guid": guid(9)}


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a.prefab", True), ("a.UNITY", True), ("a.fbx", True), ("a.glb", False), ("a.asset", False), ("prefab", False)],
)
def test_prefabs_scenes_and_models_have_a_hierarchy(path: str, expected: bool) -> None:  # noqa: FBT001 - a row
    assert has_hierarchy(path) is expected


@pytest.mark.parametrize(
    ("number", "reason", "message"),
    [
        (7, "lfs-pointer", "Assets/Art/lost.mat: is a Git LFS pointer: run `git lfs pull`"),
        (77, "missing-asset", f"{guid(77)}: no asset has this GUID"),
        (9, "another", "Assets/data.asset: another"),
        (9, "too-large", "Assets/data.asset: has more than 96 MiB, and no larger file is opened"),
    ],
)
def test_the_reason_of_an_asset_that_cannot_be_read(project: Snapshot, number: int, reason: str, message: str) -> None:
    assert why_unreadable(project.resolver, guid(number), reason) == message


@pytest.mark.parametrize("number", [7, 77])
def test_an_asset_that_cannot_be_read_is_an_error(project: Snapshot, number: int) -> None:
    with pytest.raises(FileError, match=r"run `git lfs pull`|no asset has this GUID"):
        contents_of(Subject(guid(number), None), project)
    with pytest.raises(FileError, match=r"run `git lfs pull`|no asset has this GUID"):
        list_objects(Subject(guid(number), None), project)
