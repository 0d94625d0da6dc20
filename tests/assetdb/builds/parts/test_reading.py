"""Facts of one part: its files, objects, references, loading paths and damage."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb.builds.parts import reading
from assetdb.builds.parts.facts import ARCHIVE, CODE, RESOURCE, SERIALIZED, FileFacts, PartFacts, Stream
from assetdb.builds.parts.reading import file_name, read_part
from assetdb_formats.inputs import file_input
from tests.assetdb.builds.making import (
    BUILD_SETTINGS,
    KINDS,
    MATERIAL,
    PLAYER_SETTINGS,
    RESOURCE_MANAGER,
    VERSION,
    Material,
    Texture,
    bundle,
    player,
    text,
)
from tests.assetdb_formats.unityfs import builder
from tests.assetdb_formats.unityfs.builder import Kind, Thing

if TYPE_CHECKING:
    from pathlib import Path


def read(path: Path, data: bytes | None = None, kind: str = ARCHIVE, *, contents: bool = True) -> PartFacts:
    if data is not None:
        path.write_bytes(data)
    return read_part(file_input(str(path)), kind, contents=contents)


TREES = bundle(
    "CAB-trees",
    "trees",
    [Material(7, "Leaf", ((0, 4), (1, 99)), "assets/leaf.mat"), Texture(4, "Bark", b"12345678", "assets/bark.png")],
    ("CAB-other",),
    compression=0,
)


def test_a_bundle_has_its_files_objects_references_and_paths(tmp_path: Path) -> None:
    found = read(tmp_path / "trees.bundle", TREES)
    assert (found.kind, found.size, found.problems) == (ARCHIVE, len(TREES), ())
    own, pixels = found.files
    assert (own.name, own.offset, own.serialized, own.type_trees, own.objects) == ("CAB-trees", 0, True, True, 3)
    assert own.externals == ("archive:/CAB-other/CAB-other",)
    assert pixels == FileFacts("CAB-trees.resS", own.size, 8)
    assert (list(found.path_ids), list(found.class_ids), found.names) == (
        [1, 4, 7],
        [142, 28, 21],
        ("trees", "Bark", "Leaf"),
    )
    assert list(found.reference_counts) == [0, 0, 2]
    assert list(zip(found.reference_files, found.reference_ids, strict=True)) == [(0, 4), (1, 99)]
    assert found.streams == (Stream(1, "archive:/CAB-trees/CAB-trees.resS", 0, 8),)
    assert sorted(found.contained) == [(1, "assets/bark.png"), (2, "assets/leaf.mat")]
    assert found.has_contents
    assert found.archive is not None
    assert (found.archive.signature, found.archive.unity_version, found.archive.decoded_size) == (
        "UnityFS",
        VERSION,
        own.size + 8,
    )


def test_without_contents_there_are_tables_alone(tmp_path: Path) -> None:
    whole, found = (read(tmp_path / "a", TREES, contents=contents) for contents in (True, False))
    assert found.path_ids == whole.path_ids
    assert found.contained == whole.contained
    assert (found.names, list(found.reference_counts), found.streams) == (("", "", ""), [0, 0, 0], ())
    assert not found.has_contents


def test_resource_data_and_other_files_are_not_opened(tmp_path: Path) -> None:
    found = read(tmp_path / "a.resS", b"12345", RESOURCE)
    assert found == PartFacts(RESOURCE, 5, files=(FileFacts("a.resS", 0, 5),))
    assert read(tmp_path / "a.dll", b"123", CODE) == PartFacts(CODE, 3)


@pytest.mark.parametrize(("member", "name"), [("a/b", "b"), ("a\\b", "b"), ("a/b\\c", "c"), ("b", "b")])
def test_a_name_is_its_last_part(member: str, name: str) -> None:
    assert file_name(member) == name


def test_a_player_without_a_bundle_is_one_block(tmp_path: Path) -> None:
    game = player(tmp_path / "Game_Data")
    found = read(game / "globalgamemanagers", kind=SERIALIZED)
    size = (game / "globalgamemanagers").stat().st_size
    assert (found.kind, found.archive, list(found.block_starts), list(found.block_sizes)) == (
        SERIALIZED,
        None,
        [0, size],
        [size],
    )
    assert found.player is not None
    assert (found.player.company, found.player.product, found.player.scenes) == (
        "Orchard Ltd",
        "Apples",
        ("Assets/Main.unity",),
    )
    assert found.contained == ()  # its path is of an object in another file
    assert found.container_pointers == ((0, 2, 3, "Resources/fruit/apple"),)
    assert read(game / "globalgamemanagers", kind=SERIALIZED, contents=False).player == found.player
    scripts = read(game / "globalgamemanagers.assets", kind=SERIALIZED).scripts
    assert [(script.object, script.assembly, script.namespace, script.name) for script in scripts] == [
        (0, "Assembly-CSharp.dll", "Game", "Picker")
    ]


def test_paths_of_resources_are_of_objects_here_there_and_nowhere(tmp_path: Path) -> None:
    rows = (("a", 0, 7), ("b", 0, 8), ("c", 1, 7), ("d", 1, 0))
    table = pack("<i", len(rows)) + b"".join(text(path) + pack("<iq", *asset) for path, *asset in rows) + bytes(4)
    things = [Thing(1, RESOURCE_MANAGER, table), Thing(7, MATERIAL, bytes(64))]
    kinds = [Kind(RESOURCE_MANAGER, ()), Kind(MATERIAL, ())]
    data = builder.serialized_file(things, kinds, trees=False, unity_version=VERSION)
    found = read(tmp_path / "globalgamemanagers", data, SERIALIZED)
    assert found.contained == ((1, "Resources/a"),)
    assert found.container_pointers == ((0, 0, 8, "Resources/b"), (0, 1, 7, "Resources/c"))


def test_a_file_that_is_cut_off_says_by_how_much(tmp_path: Path) -> None:
    data = builder.serialized_file([Thing(7, MATERIAL, bytes(64))], [Kind(MATERIAL, ())], trees=False)
    assert read(tmp_path / "level0", data, SERIALIZED).problems == ()
    (why,) = read(tmp_path / "level0", data[:-1], SERIALIZED).problems
    assert why == f"is cut off: declares {len(data)} bytes, has {len(data) - 1}"
    (why,) = read(tmp_path / "level0", data[:60] + b"\xff" * (len(data) - 60), SERIALIZED).problems
    assert "cut off: declares" not in why  # it is whole, and damaged
    (why,) = read(tmp_path / "level0", b"words", SERIALIZED).problems
    assert "cut off: declares" not in why
    (why,) = read(tmp_path / "a.bundle", TREES[:40]).problems
    assert "cut off: declares" not in why


@pytest.mark.parametrize(
    ("count", "more"), [(0, ""), (20, ""), (21, "and 1 more like these"), (24, "and 4 more like these")]
)
def test_of_damaged_objects_twenty_are_told_and_all_are_counted(tmp_path: Path, count: int, more: str) -> None:
    sound = text("Leaf") + pack("<iqi", 0, 0, 0)
    things = [Thing(number, MATERIAL, pack("<i", 1000) if number <= count else sound) for number in range(1, 30)]
    data = builder.serialized_file(things, KINDS, unity_version=VERSION)
    found = read(tmp_path / "level0", data, SERIALIZED)
    assert len(found.problems) == min(count, 20) + bool(more)
    assert (found.problems[-1] if more else "") == more
    assert dict(found.unread) == ({MATERIAL: count} if count else {})
    assert found.names == ("",) * count + ("Leaf",) * (29 - count)


def test_the_tables_of_a_damaged_player_are_problems_and_the_rest_is_read(tmp_path: Path) -> None:
    things = [Thing(1, PLAYER_SETTINGS, bytes(8)), Thing(2, BUILD_SETTINGS, pack("<i", 1) + text("Assets/A.unity"))]
    kinds = [Kind(PLAYER_SETTINGS, ()), Kind(BUILD_SETTINGS, ())]
    data = builder.serialized_file(things, kinds, trees=False, unity_version=VERSION)
    for contents in (True, False):
        found = read(tmp_path / "globalgamemanagers", data, SERIALIZED, contents=contents)
        assert len(found.problems) == 1
        assert found.player is not None
        assert (found.player.scenes, found.player.company) == (("Assets/A.unity",), "")


def test_an_object_beyond_the_limit_has_a_name_and_no_references(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaf = text("Leaf") + pack("<iqi", 0, 0, 1) + pack("<iq", 0, 4)
    data = builder.serialized_file([Thing(7, MATERIAL, leaf)], KINDS, unity_version=VERSION)
    for largest, references, unread in ((len(leaf), 1, {}), (len(leaf) - 1, 0, {MATERIAL: 1})):
        monkeypatch.setattr(reading, "LARGEST_OBJECT", largest)
        found = read(tmp_path / "level0", data, SERIALIZED)
        assert (found.names, list(found.reference_counts), dict(found.unread)) == (("Leaf",), [references], unread)
