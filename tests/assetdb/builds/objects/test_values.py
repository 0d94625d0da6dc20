"""Values of objects of a build, those of scripts by the DLLs beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.builds.objects.values import read_values
from assetdb.builds.opening import open_build
from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.serialized_files.tree_values import PPtr
from assetdb_formats.unityfs.types.scripts import UnknownLayoutError
from tests.assetdb.builds.making import CODE, TEXTURE, Texture, bundle, player
from tests.assetdb.builds.objects.test_scripts import FIELDS, behaviour, code, scene

if TYPE_CHECKING:
    from pathlib import Path

PLAYER = "builds/Urbanize/Build_Data"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = player(tmp_path / "Game_Data")
    scene(made, behaviour((2, 3), (0, 0)))
    (made / "Managed/Assembly-CSharp.dll").write_bytes(code(*FIELDS))
    return made


def values(folder: Path, path_id: int) -> dict[str, Any]:
    build = open_build(folder, remember=False)
    found = read_values(build, next(number for number in range(len(build)) if build.path_ids[number] == path_id))
    assert isinstance(found, dict)
    return found


def test_fields_of_a_script(folder: Path) -> None:
    assert values(folder, 12) == {
        "m_GameObject": PPtr(0, 10),
        "m_Enabled": 1,
        "m_Script": PPtr(0, 77),
        "m_Name": "",
        "title": "a title",
        "fruits": [PPtr(2, 3), PPtr(0, 0)],
        "ripe": 1,
    }


@pytest.mark.parametrize(
    ("data", "why"), [(CODE, "UnityEngine.UI.Image"), (code(*FIELDS[:2]), "4 bytes are left"), (b"", "MZ")]
)
def test_what_is_not_known_is_an_error_with_the_object(folder: Path, data: bytes, why: str) -> None:
    (folder / "Managed/Assembly-CSharp.dll").write_bytes(data)
    with pytest.raises(UnknownLayoutError, match=f"level0: object 12: .*{why}"):
        values(folder, 12)


def test_what_has_a_type_tree_is_read_by_it(tmp_path: Path) -> None:
    (tmp_path / "a.bundle").write_bytes(bundle("CAB-" + "a" * 32, "a", [Texture(7, "bark", b"brown")]))
    assert values(tmp_path, 7)["m_Name"] == "bark"


def test_a_file_that_became_another_is_not_read(folder: Path) -> None:
    build = open_build(folder, remember=False)
    number = next(number for number in range(len(build)) if build.class_ids[number] == TEXTURE)
    (folder / "sharedassets0.assets").write_bytes((folder / "level0").read_bytes())
    with pytest.raises(FormatError, match="has changed since it was read"):
        read_values(build, number)


@pytest.mark.corpus("builds")
def test_fields_of_a_real_player_are_those_of_its_project(corpus: Path) -> None:
    """Names in order, and numbers, as they stand in the scene and the prefabs that Urbanize was built of.

    The project is some commits apart from the player: Human, Rock, Tree and Voxel had other fields then.
    """
    build = open_build(corpus / PLAYER, remember=False)
    assets = corpus / PLAYER / "../Assets"
    names = {
        re.findall(r"guid: (\w+)", path.read_text("utf-8"))[0]: path.name.removesuffix(".cs.meta")
        for path in assets.rglob("*.cs.meta")
    }
    written: dict[str, list[tuple[str, str]]] = {}
    for path in sorted([*assets.glob("Main.unity"), *assets.rglob("*.prefab")]):
        for document in path.read_text("utf-8").split("\n--- ")[1:]:
            guid = re.search(r"m_Script: \{fileID: 11500000, guid: (\w+)", document)
            if guid is not None and guid[1] in names:
                body = document[document.index("m_EditorClassIdentifier") :].partition("\n")[2]
                written.setdefault(names[guid[1]], re.findall(r"^  ([\w<>]+):(.*)", body, re.MULTILINE))
    same, numbers, other, changed = set(), 0, set(), set()
    for number in range(len(build)):
        script = build.script(number)
        if script is None or build.class_name(build.class_ids[number]) != "MonoBehaviour" or script.namespace:
            continue
        try:
            found = read_values(build, number)
        except UnknownLayoutError:
            continue
        assert isinstance(found, dict)
        own = list(found.items())[4:]
        lines = written.get(script.name)
        if lines is None:
            continue
        if [name for name, _ in own] != [name for name, _ in lines]:
            other.add(script.name)
            continue
        same.add(script.name)
        for (name, value), (_, text) in zip(own, lines, strict=True):
            if not isinstance(value, int | float):
                continue
            if value == pytest.approx(float(text)):
                numbers += 1
            else:
                changed.add(f"{script.name}.{name}")
    assert other == {"Human", "Rock", "Tree", "Voxel"}
    assert same >= {
        *("DayNightCycle", "Farm", "GameController", "Granary", "OrbitCamera", "Pointer"),
        "TinyverseAcademy",
    }
    assert (len(same), numbers, changed) == (22, 22, {"DayNightCycle.minPoint", "GameController.mode"})
