"""Class, script and sub-assets of binary assets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.unity.binary.asset_facts import binary_facts, read_binary_asset
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.loaded import LoadedFile
from tests.assetdb.unity.binary.binary_assets import SCRIPT, material, named, prefab, scriptable_object
from tests.assetdb.unity_project import guid

if TYPE_CHECKING:
    from assetdb_formats.unityfs.serialized_files.serialized import ObjectEntry

TERRAIN, TEXTURE, PROBES, LIGHTING = 156, 28, 258, 1120


def test_a_material_is_its_own_main_object() -> None:
    assert read_binary_asset(material(), rows=False, declared=(2100000,), stem="Skin")[:3] == (21, b"", [])


def test_a_prefab_has_no_rows_of_its_game_objects_and_components() -> None:
    assert read_binary_asset(prefab(), rows=True, declared=(), stem="Orc", prefab=True)[:3] == (1, b"", [])


def test_the_type_of_a_scriptable_object_is_its_script() -> None:
    data = scriptable_object("Item", ((-5, "Part"), (7, "")))
    found = read_binary_asset(data, rows=True, declared=(11400000,), stem="Item")
    assert found[:3] == (114, guid(SCRIPT).encode(), [(-5, 114, b"Part")])


def test_a_terrain_is_not_its_first_texture() -> None:
    data = named((2844982, TEXTURE, "SplatAlpha 0"), (15600000, TERRAIN, "New Terrain"))
    found = read_binary_asset(data, rows=True, declared=(11400000,), stem="New Terrain")
    assert found[:3] == (TERRAIN, b"", [(2844982, TEXTURE, b"SplatAlpha 0")])


def test_light_probes_are_not_lighting_data_whatever_the_meta_says() -> None:
    data = named((25800000, PROBES, "LightProbes"), (112000002, LIGHTING, "LightingData"))
    found = read_binary_asset(data, rows=False, declared=(25800000,), stem="LightingData")
    assert found.class_id == LIGHTING


def test_a_file_that_ends_in_the_middle_is_an_error() -> None:
    with pytest.raises(UnityFSError):
        read_binary_asset(material()[:200], rows=True, declared=(), stem="Skin")


def test_a_file_without_objects_has_no_class() -> None:
    assert read_binary_asset(named(), rows=True, declared=(), stem="x").class_id == 0


def test_of_a_file_that_ends_in_the_middle_the_class_in_the_header_is_known() -> None:
    found = binary_facts(prefab()[:-40], rows=True, declared=(), stem="Orc", prefab=True)
    assert found == (1, b"", [], False)
    assert binary_facts(b"\0\1\2", rows=True, declared=(), stem="x", prefab=False) == (0, b"", [], False)


def test_a_class_below_zero_is_of_a_damaged_file() -> None:
    data = bytearray(named((23800000, 238, "NavMesh"), (7, 21, "Inner")))
    place = data.index((21).to_bytes(4, "little"))
    data[place + 3] = 0xFF
    with pytest.raises(UnityFSError, match="below zero"):
        read_binary_asset(bytes(data), rows=True, declared=(23800000,), stem="NavMesh")
    assert not binary_facts(bytes(data), rows=True, declared=(23800000,), stem="NavMesh", prefab=False).is_read


def test_the_name_of_an_object_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search of the main object reads them all; a file of 20,000 large objects took twice the time."""
    read: list[int] = []
    name = LoadedFile.name

    def counting(loaded: LoadedFile, entry: ObjectEntry) -> str:
        read.append(entry.path_id)
        return name(loaded, entry)

    monkeypatch.setattr(LoadedFile, "name", counting)
    data = named((5, LIGHTING, "One"), (6, LIGHTING, "Two"), (7, LIGHTING, "Three"))
    found = read_binary_asset(data, rows=True, declared=(), stem="None of them")
    assert (found.class_id, found.rows) == (LIGHTING, [(6, LIGHTING, b"Two"), (7, LIGHTING, b"Three")])
    assert sorted(read) == [5, 6, 7]
