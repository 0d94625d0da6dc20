"""The list of prefabs that players of 5.0 to 2018.1 have: whose the objects below a GameObject are, and no reason."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.query.reasons import why
from assetdb.builds.trace.tracer import Tracer
from assetdb.query.snapshots.snapshot import open_project
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.player import read_prefabs, reader_of
from tests.assetdb.builds.making import GAME_OBJECT, MATERIAL, RESOURCE_MANAGER, TRANSFORM, fill, player, text
from tests.assetdb.builds.scripted import FIELDS, behaviour, code, scene
from tests.assetdb_formats.unityfs import builder
from tests.assetdb_formats.unityfs.builder import External, Kind, Thing
from tests.system.graph.project import HEAD, add, guid_of

if TYPE_CHECKING:
    from pathlib import Path

VERSION = "2017.2.0f3"
NETWORK_MANAGER = 149
TREE, GONE = "Assets/Tree.prefab", "0123456789abcdef0123456789abcdef"


def table(*rows: tuple[str, int, int]) -> bytes:
    data = pack("<ifi", 0, 15.0, len(rows))
    for guid, file_id, path_id in rows:
        words = [int(guid[place : place + 8][::-1], 16) for place in range(0, 32, 8)]
        data += pack("<4I", *words) + pack("<iq", file_id, path_id)
    return data


def write_player(
    folder: Path, rows: tuple[tuple[str, int, int], ...], *, version: str = VERSION, loaded: str = ""
) -> Path:
    """Write a player: two GameObjects, one below the other, and a material that nothing uses.

    Scripts load the first GameObject by the path ``loaded``, if there is one.
    """
    folder.mkdir(parents=True)

    def write(name: str, things: list[Thing], *externals: str) -> None:
        kinds = [Kind(number, ()) for number in dict.fromkeys(thing.class_id for thing in things)]
        others = tuple(External(path) for path in externals)
        data = builder.serialized_file(things, kinds, trees=False, externals=others, unity_version=version)
        (folder / name).write_bytes(data)

    managers = [Thing(14, NETWORK_MANAGER, table(*rows))]
    if loaded:
        resources = pack("<i", 1) + text(loaded) + pack("<iq", 1, 1) + pack("<i", 0)
        managers.append(Thing(15, RESOURCE_MANAGER, resources))
    write("globalgamemanagers", managers, "sharedassets0.assets", "resources.assets")
    write(
        "sharedassets0.assets",
        [
            Thing(1, GAME_OBJECT, fill(GAME_OBJECT, "Tree", ((0, 2),), version=version)),
            Thing(2, TRANSFORM, fill(TRANSFORM, "", ((0, 1), (0, 4)), version=version)),
            Thing(3, GAME_OBJECT, fill(GAME_OBJECT, "Leaf", ((0, 4),), version=version)),
            Thing(4, TRANSFORM, fill(TRANSFORM, "", ((0, 3),), version=version)),
            Thing(5, MATERIAL, fill(MATERIAL, "Nobody", version=version)),
        ],
    )
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "Project"
    (root / "ProjectSettings").mkdir(parents=True)
    add(root, TREE, f"{HEAD}--- !u!1 &100000\nGameObject:\n  m_Name: Tree\n", "PrefabImporter")
    return root


ROWS = ((guid_of(TREE), 1, 1), (GONE, 2, 114))


def test_all_below_the_root_of_a_prefab_is_of_it(root: Path, tmp_path: Path) -> None:
    build = open_build(write_player(tmp_path / "Game_Data", ROWS), remember=False)
    project = open_project(str(root))
    project.refresh()
    tracer = Tracer(build, project)
    found = {(build.path_ids[row.number], row.certainty, row.by) for row in tracer.all() if row.sources}
    assert found == {(number, "exact", "list of prefabs") for number in (1, 2, 3, 4)}
    (part,) = tracer.shipped(guid_of(TREE))
    assert (len(part.objects), part.why, part.root) == (4, "list", "globalgamemanagers")
    assert part.way == ("NetworkManager", "Tree")
    leaf, nobody = (build.path_ids.index(number) for number in (3, 5))
    assert why(build, leaf)[:2] == ("list", "globalgamemanagers")
    assert why(build, nobody)[:2] == ("none", "")
    assert build.title(build.class_ids.index(NETWORK_MANAGER)) == ""
    assert [(row.guid, row.explained) for row in tracer.missing()] == [(GONE, "in the player's list of prefabs")]


def test_the_index_remembers_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = write_player(tmp_path / "Game_Data", ROWS)
    first = open_build(folder).prefabs
    assert set(first.values()) == {guid_of(TREE)}
    assert open_build(folder).prefabs == first


def transform(owner: int, father: int, *children: int) -> bytes:
    """Return a Transform: its GameObject, rotation, position and scale, children and father."""
    data = pack("<iq", 0, owner) + bytes(40) + pack("<i", len(children))
    return data + b"".join(pack("<iq", 0, child) for child in children) + pack("<iq", 0, father)


def test_all_below_a_root_that_a_reference_ties_is_of_its_prefab(tmp_path: Path) -> None:
    """A script's field has the prefab; its children and components have no name that tells whose they are."""
    folder = player(tmp_path / "Game_Data")
    scene(folder, behaviour((2, 21)))
    (folder / "Managed/Assembly-CSharp.dll").write_bytes(code(*FIELDS))
    things = [
        Thing(21, GAME_OBJECT, fill(GAME_OBJECT, "Piller", ((0, 22),))),
        Thing(22, TRANSFORM, transform(21, 0, 24)),
        Thing(23, GAME_OBJECT, fill(GAME_OBJECT, "Stone", ((0, 24),))),
        Thing(24, TRANSFORM, transform(23, 22)),
        Thing(25, GAME_OBJECT, fill(GAME_OBJECT, "Nobody", ((0, 26),))),
        Thing(26, TRANSFORM, transform(25, 0)),
    ]
    kinds = [Kind(number, ()) for number in (GAME_OBJECT, TRANSFORM)]
    data = builder.serialized_file(things, kinds, trees=False, unity_version="2022.3.1f1")
    (folder / "sharedassets0.assets").write_bytes(data)
    root = tmp_path / "Game"
    (root / "ProjectSettings").mkdir(parents=True)
    prefab = (
        f"{HEAD}--- !u!1 &100\nGameObject:\n  m_Component:\n  - component: {{fileID: 101}}\n  m_Name: Piller\n"
        "--- !u!4 &101\nTransform:\n  m_GameObject: {fileID: 100}\n  m_Children:\n  - {fileID: 103}\n"
        "  m_Father: {fileID: 0}\n"
        "--- !u!1 &102\nGameObject:\n  m_Component:\n  - component: {fileID: 103}\n  m_Name: Stone\n"
        "--- !u!4 &103\nTransform:\n  m_GameObject: {fileID: 102}\n  m_Father: {fileID: 101}\n"
    )
    add(root, "Assets/Piller.prefab", prefab, "PrefabImporter")
    add(root, "Assets/Picker.cs", "namespace Game\n{\n  public class Picker {}\n}\n", "MonoImporter")
    text = (
        f"{HEAD}--- !u!1 &10\nGameObject:\n  m_Component:\n  - component: {{fileID: 12}}\n  m_Name: Tree\n"
        "--- !u!114 &12\nMonoBehaviour:\n  m_GameObject: {fileID: 10}\n"
        f"  m_Script: {{fileID: 11500000, guid: {guid_of('Assets/Picker.cs')}, type: 3}}\n"
        f"  title: a\n  fruits:\n  - {{fileID: 100, guid: {guid_of('Assets/Piller.prefab')}, type: 3}}\n"
    )
    add(root, "Assets/Main.unity", text, "DefaultImporter")
    project = open_project(str(root))
    build = open_build(folder, remember=False)
    found = {
        build.path_ids[row.number]: (row.certainty, row.by, row.sources[0].path, row.sources[0].file_id)
        for row in Tracer(build, project).all()
        if row.sources and 20 < build.path_ids[row.number] < 30
    }
    project.close()
    assert found == {
        number: ("unique", "references", "Assets/Piller.prefab", file_id)
        for number, file_id in ((21, 100), (22, 101), (23, 102), (24, 103))
    }


@pytest.mark.parametrize("version", ["2018.2.0f2", "2022.3.1f1", "0.0.0"])
def test_later_players_have_none(tmp_path: Path, version: str) -> None:
    assert open_build(write_player(tmp_path / "Game_Data", ROWS, version=version), remember=False).prefabs == {}


@pytest.mark.parametrize("data", [b"", table(*ROWS)[:-1], table(*ROWS) + b"\0", pack("<ifi", 0, 0.0, 1 << 30)])
def test_a_damaged_list_is_an_error_of_its_own(data: bytes) -> None:
    with pytest.raises(UnityFSError):
        read_prefabs(reader_of(data, big_endian=False), VERSION)


def test_a_hierarchy_that_bites_its_tail_ends(tmp_path: Path) -> None:
    folder = write_player(tmp_path / "Game_Data", ROWS)
    file = folder / "sharedassets0.assets"
    things = [
        Thing(1, GAME_OBJECT, fill(GAME_OBJECT, "Tree", ((0, 2),), version=VERSION)),
        Thing(2, TRANSFORM, fill(TRANSFORM, "", ((0, 1), (0, 4)), version=VERSION)),
        Thing(3, GAME_OBJECT, fill(GAME_OBJECT, "Leaf", ((0, 4),), version=VERSION)),
        Thing(4, TRANSFORM, fill(TRANSFORM, "", ((0, 3), (0, 2)), version=VERSION)),
    ]
    kinds = [Kind(number, ()) for number in (GAME_OBJECT, TRANSFORM)]
    file.write_bytes(builder.serialized_file(things, kinds, trees=False, unity_version=VERSION))
    build = open_build(folder, remember=False)
    (top,) = build.prefabs
    assert len(build.below(top)) == 4


def test_prefabs_of_later_players_by_their_path_in_resources(root: Path, tmp_path: Path) -> None:
    build = open_build(
        write_player(tmp_path / "Game_Data", (), version="2022.3.1f1", loaded="trees/oak"), remember=False
    )
    oak = "Assets/Game/Resources/Trees/Oak.prefab"
    add(root, oak, f"{HEAD}--- !u!1 &100000\nGameObject:\n  m_Name: Oak\n", "PrefabImporter")
    add(root, "Assets/Game/Resources/Trees/Oak.png", "x", "TextureImporter")
    project = open_project(str(root))
    project.refresh()
    found = {
        (build.path_ids[row.number], row.certainty, row.by, row.sources[0].path)
        for row in Tracer(build, project).all()
        if row.sources
    }
    assert found == {(number, "unique", "path in Resources", oak) for number in (1, 2, 3, 4)}
    add(root, "Assets/Other/Resources/trees/oak.prefab", f"{HEAD}--- !u!1 &100000\nGameObject:\n", "PrefabImporter")
    project = open_project(str(root))
    project.refresh()
    assert not any(row.sources for row in Tracer(build, project).all())
