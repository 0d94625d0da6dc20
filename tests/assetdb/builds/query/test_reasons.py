"""Why an object is in a build: the shortest chain from what was included, the best of several."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.query.reasons import Reason, why
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture
from tests.assetdb_formats.unityfs.builder import POINTER, External, Kind, Thing, serialized_file, within

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.builds import Build

A = "CAB-" + "a" * 32


def named(build: Build, name: str) -> int:
    return next(number for number in range(len(build)) if build.name(number) == name)


def bundle(tmp_path: Path, *assets: Texture | Material) -> Build:
    (tmp_path / "a.bundle").write_bytes(making.bundle(A, "a", list(assets)))
    return open_build(tmp_path / "a.bundle", remember=False)


def chain(build: Build, name: str) -> tuple[str, str, list[str]]:
    found = why(build, named(build, name))
    return found.kind, found.root, [build.name(number) for number in found.way]


def test_what_scripts_load_by_a_path_is_there_for_itself(tmp_path: Path) -> None:
    build = bundle(
        tmp_path, Texture(7, "bark", b"b", "assets/bark.png"), Material(8, "tree", ((0, 7),), "assets/tree.mat")
    )
    assert chain(build, "bark") == ("container", "assets/bark.png", ["bark"])
    assert chain(build, "tree") == ("container", "assets/tree.mat", ["tree"])


def test_the_shortest_chain_counts(tmp_path: Path) -> None:
    build = bundle(
        tmp_path,
        Texture(7, "bark", b"b"),
        Material(8, "near", ((0, 7),), "assets/z.mat"),
        Material(9, "between", ((0, 7),)),
        Material(10, "far", ((0, 9),), "assets/a.mat"),
        Material(11, "alone", ()),
    )
    assert chain(build, "bark") == ("container", "assets/z.mat", ["near", "bark"])
    assert chain(build, "between") == ("container", "assets/a.mat", ["far", "between"])
    assert chain(build, "alone") == ("none", "", ["alone"])


def test_of_equally_short_chains_the_first_object_s_counts(tmp_path: Path) -> None:
    build = bundle(
        tmp_path,
        Texture(7, "bark", b"b"),
        Material(8, "one", ((0, 7),), "assets/z.mat"),
        Material(9, "two", ((0, 7),), "assets/a.mat"),
    )
    assert chain(build, "bark")[:2] == ("container", "assets/z.mat")


def test_objects_in_a_circle_that_nothing_includes_have_no_reason(tmp_path: Path) -> None:
    build = bundle(tmp_path, Material(8, "one", ((0, 9),)), Material(9, "two", ((0, 8),)))
    assert why(build, named(build, "one")) == Reason("none", "", (named(build, "one"),))


def test_a_player_includes_resources_scenes_and_its_settings(tmp_path: Path) -> None:
    build = open_build(making.player(tmp_path / "Game_Data"), remember=False)
    assert chain(build, "apple") == ("Resources", "Resources/fruit/apple", ["apple"])
    assert chain(build, "Tree") == ("scene", "Assets/Main.unity", ["Tree"])
    settings = next(number for number in range(len(build)) if build.class_ids[number] == making.PLAYER_SETTINGS)
    assert why(build, settings) == Reason("player settings", "globalgamemanagers", (settings,))


@pytest.mark.parametrize("class_id", [94, 149])  # ShaderNameRegistry and NetworkManager
@pytest.mark.parametrize("name", ["globalgamemanagers.assets", "globalgamemanagers", "other.assets"])
def test_a_list_of_all_shaders_or_prefabs_is_the_last_reason(tmp_path: Path, class_id: int, name: str) -> None:
    folder = making.player(tmp_path / "Game_Data")
    tree = ("Registry Base", " PPtr<Texture> m_First", *within(1, POINTER))
    data = serialized_file(
        [Thing(1, class_id, pack("<iq", 1, 4))],
        [Kind(class_id, tree)],
        externals=(External("sharedassets0.assets"),),
        unity_version=making.VERSION,
    )
    (folder / name).write_bytes(data)
    build = open_build(folder, remember=False)
    found = why(build, named(build, "apple again"))
    assert (found.kind, found.root) == ("list", name)
    assert [build.class_ids[number] for number in found.way] == [class_id, making.TEXTURE]
