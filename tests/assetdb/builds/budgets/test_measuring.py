"""Sizes of what may have a budget, in bundles whose bytes the tests know."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.budgets.measuring import Measure
from assetdb.builds.query.catalogs import read_catalogs
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Texture
from tests.assetdb_formats.addressables.builder import make_layout

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

A, B = "CAB-" + "a" * 32, "CAB-" + "b" * 32
HASH = "0" * 32
TREES = making.bundle(A, "trees", [Texture(7, "bark", b"brown" * 9, "Assets/bark.png"), Texture(8, "moss", b"m" * 50)])
ROCKS = making.bundle(B, "rocks", [Texture(9, "moss", b"m" * 50)])
SWORD = "Assets/Art/Icons/sword.png"


def measured(folder: Path, files: dict[str, bytes], sources: Sequence[str] | None = None) -> Measure:
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    build = open_build(folder, remember=False)
    return Measure(build, read_catalogs(build), lambda: sources or ["(no source known)"] * len(build))


@pytest.fixture
def two(tmp_path: Path) -> Measure:
    names = {
        f"ui_assets_trees_{HASH}.bundle": TREES,
        f"ui_assets_rocks_{HASH}.bundle": ROCKS,
        "buildlayout.json": b"{}",
    }
    return measured(tmp_path / "build", names)


def test_files_bundles_and_groups_are_bytes_on_disk(two: Measure) -> None:
    assert two.sizes("build") == {"": len(TREES) + len(ROCKS)}  # no player gets the layout
    assert two.sizes("file") == {
        f"ui_assets_trees_{HASH}.bundle": len(TREES),
        f"ui_assets_rocks_{HASH}.bundle": len(ROCKS),
    }
    assert two.sizes("bundle") == {"ui_assets_trees.bundle": len(TREES), "ui_assets_rocks.bundle": len(ROCKS)}
    assert two.sizes("group")["ui"] == len(TREES) + len(ROCKS)
    assert two.sizes("duplicates") == {"": 1}  # moss
    assert two.sizes("assembly") == {}


def test_types_are_the_bytes_of_their_objects(two: Measure) -> None:
    of_textures = two.sizes("type")["Texture2D"]
    assert 95 + 50 < of_textures < len(TREES) + len(ROCKS)
    found = two.contents("type", "Texture2D")
    assert set(found) == {"Texture2D bark", "Texture2D moss"}
    assert sum(item.size for item in found.values()) == of_textures
    assert two.pulled_in_by(found["Texture2D bark"]) == "of Assets/bark.png"


def test_objects_with_a_source_are_its_asset(tmp_path: Path) -> None:
    build = {"a.bundle": TREES}
    plain = measured(tmp_path / "plain", build)
    assert "Texture2D bark" in plain.contents("bundle", "a.bundle")
    known = measured(tmp_path / "known", build, ["Assets/Trees/all.png"] * len(plain.build))
    found = known.contents("bundle", "a.bundle")
    assert set(found) == {"Assets/Trees/all.png", "(archive headers)", "(metadata)", "(padding)"}
    assert sum(item.size for item in found.values()) == len(TREES)
    assert known.folder("Assets/Trees") == known.folder("Assets") == found["Assets/Trees/all.png"].size
    assert known.folder("Assets/Tree") is None
    assert plain.folder("Assets") is None


def test_a_player_has_streamed_data_in_files_of_their_own(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    build = open_build(folder, remember=False)
    found = Measure(build, read_catalogs(build), lambda: ["(no source known)"] * len(build))
    sizes = {path.relative_to(folder).as_posix(): path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    assert found.sizes("file") == sizes
    assert found.sizes("build") == {"": sum(sizes.values())}
    assert sum(found.sizes("assembly").values()) > 0
    for name, size in sizes.items():
        assert sum(item.size for item in found.contents("file", name).values()) == size
    whole = found.contents("build", "")
    assert sum(item.size for item in whole.values()) == sum(sizes.values())
    dll = "Managed/Assembly-CSharp.dll"
    assert whole[dll].size == sizes[dll]  # code is no object, and most of a small player
    assert found.pulled_in_by(whole[dll]) == ""
    streams = [name for name in sizes if name.endswith((".resS", ".resource"))]
    assert all(found.contents("file", name) for name in streams)


def test_a_layout_alone_has_bundles_groups_and_assets(tmp_path: Path) -> None:
    layout = json.dumps(make_layout()).encode()
    found = measured(tmp_path / "build", {"buildlayout.json": layout})
    # As the builder of the tests writes it: 1000 and 2000 bytes, a sword of 300 + 400.
    assert found.sizes("bundle") == {"group_1_assets_all.bundle": 1000, "group_2_assets_all.bundle": 2000}
    assert found.sizes("group") == {"Icons": 1000, "Maps": 2000}
    assert found.sizes("build") == {"": 3000}
    assert found.folder("Assets/Art") == 700
    for kind, name in (
        ("bundle", "group_1_assets_all.bundle"),
        ("group", "Icons"),
        ("build", ""),
        ("folder", "Assets"),
    ):
        assert {key: item.size for key, item in found.contents(kind, name).items()} == {SWORD: 700}
    assert found.contents("bundle", "group_2_assets_all.bundle") == {}
