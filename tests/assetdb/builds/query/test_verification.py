"""What a build lacks, and what in it is damaged or of another build."""

from __future__ import annotations

import json
import shutil
from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build, verify
from assetdb_formats.addressables.flavour import JSON_FLAVOURS
from assetdb_formats.unityfs.bundle import content_crc32
from assetdb_formats.unityfs.content_layout import content_hash
from tests.assetdb.builds.content_directories import (
    MANIFEST,
    PIXELS,
    A,
    B,
    material,
    rows,
    texture,
    write_content,
    write_layout,
    write_manifest,
)
from tests.assetdb.builds.making import MATERIAL, TEXTURE, VERSION, Material, Texture, bundle, fill, player
from tests.assetdb_formats.addressables.builder import RUNTIME, make_content, write
from tests.assetdb_formats.unityfs import builder
from tests.assetdb_formats.unityfs.builder import Kind, Thing

if TYPE_CHECKING:
    from pathlib import Path


def test_two_content_directories_have_a_manifest_each(tmp_path: Path) -> None:
    """A file may refer to another version of its neighbour in each, though its own bytes are equal."""
    for name, green in (("old", A), ("new", "9" * 32)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{green}.cf").write_bytes(texture())
        (folder / f"{B}.cf").write_bytes(material())
        files = rows()
        files[1]["ContentHash"] = green
        write_manifest(folder, files)
    build = open_build(tmp_path, remember=False)
    assert not [text for text in verify(build).findings if PIXELS not in text]
    leaves = [item.number for item in build.objects() if item.name == "Leaf"]
    targets = [build.references(number)[1].target for number in leaves]
    folders = [build.files[build.file_of(number)].name.partition("/")[0] for number in leaves]
    assert [build.files[build.file_of(number)].name.partition("/")[0] for number in targets] == folders


def test_a_manifest_names_files_that_are_gone(tmp_path: Path) -> None:
    (tmp_path / f"{B}.cf").write_bytes(material())
    write_manifest(tmp_path, rows())
    found = list(verify(open_build(tmp_path, remember=False)).findings)
    assert f"{MANIFEST}.json: {A} is not in the build" in found


def test_two_objects_with_one_number_are_told_by_the_file_in_its_archive(tmp_path: Path) -> None:
    leaves = [Material(7, "Leaf", ()), Material(7, "Twin", ())]
    (tmp_path / "trees.bundle").write_bytes(bundle("CAB-trees", "trees", leaves))
    assert "trees.bundle/CAB-trees: 2 objects have PathID 7" in verify(open_build(tmp_path, remember=False)).findings


def test_pixels_that_the_layout_names_are_compared_with_the_hash_of_their_name(tmp_path: Path) -> None:
    folder, other = write_content(tmp_path / "Content"), content_hash([b"other"])
    (folder / f"{other}.resS").write_bytes(b"other")
    write_layout(folder, {PIXELS: ("resS", 48), other: ("resS", 5)})
    found = verify(open_build(tmp_path, remember=False)).findings
    assert f"Content/{PIXELS}.resS: was changed: the hash of its content is {content_hash([bytes(48)])}" in found
    assert not [text for text in found if other in text]


def test_a_scene_of_the_player_without_its_level_is_missing(tmp_path: Path) -> None:
    """Nothing refers to a level: a copy of pixel-adventure without level1 was called complete."""
    game = player(tmp_path / "Game_Data", scenes=("Assets/Main.unity", "Assets/Cave.unity"))
    assert list(verify(open_build(game, remember=False)).findings) == [
        "level1 is not in the build; globalgamemanagers lists it as scene Assets/Cave.unity"
    ]
    shutil.copy(game / "level0", game / "level1")
    assert not verify(open_build(game, remember=False)).findings
    (game / "level1").write_bytes((game / "level0").read_bytes()[:100])
    assert not [text for text in verify(open_build(game, remember=False)).findings if "lists it" in text]


def test_a_level_is_looked_for_beside_its_own_player(tmp_path: Path) -> None:
    for name in ("One_Data", "Two_Data"):
        player(tmp_path / name, scenes=("Assets/Main.unity", "Assets/Cave.unity"))
    shutil.copy(tmp_path / "One_Data/level0", tmp_path / "One_Data/level1")
    found = verify(open_build(tmp_path, remember=False)).findings
    listed = [text for text in found if "lists it" in text]
    assert listed == ["level1 is not in the build; Two_Data/globalgamemanagers lists it as scene Assets/Cave.unity"]


def test_an_assembly_that_the_player_lists_is_missing_beside_others(tmp_path: Path) -> None:
    game = player(tmp_path / "Game_Data")
    listed = json.dumps({"names": ["Assembly-CSharp.dll", "Game.Rules.dll"], "types": [16, 16]})
    (game / "ScriptingAssemblies.json").write_text(listed, "utf-8")
    assert list(verify(open_build(game, remember=False)).findings) == [
        "Game.Rules.dll is not in the build; ScriptingAssemblies.json lists it"
    ]
    shutil.rmtree(game / "Managed")  # as with IL2CPP
    assert not verify(open_build(game, remember=False)).findings


def test_a_player_of_il2cpp_with_a_folder_managed_lacks_no_assembly(tmp_path: Path) -> None:
    """On Android and iOS the metadata are in it: all assemblies of such a player were called missing."""
    game = player(tmp_path / "Game_Data")
    listed = json.dumps({"names": ["Assembly-CSharp.dll", "Game.Rules.dll"], "types": [16, 16]})
    (game / "ScriptingAssemblies.json").write_text(listed, "utf-8")
    shutil.rmtree(game / "Managed")
    for place in ("Metadata/global-metadata.dat", "Resources/mscorlib.dll-resources.dat"):
        (game / "Managed" / place).parent.mkdir(parents=True)
        (game / "Managed" / place).write_bytes(bytes(64))
    assert not verify(open_build(game, remember=False)).findings


def test_a_file_that_is_cut_off_is_not_called_absent(tmp_path: Path) -> None:
    game = player(tmp_path / "Game_Data")
    (game / "sharedassets0.assets").write_bytes((game / "sharedassets0.assets").read_bytes()[:100])
    found = verify(open_build(game, remember=False)).findings
    assert "sharedassets0.assets could not be read; globalgamemanagers and 1 more refer to it" in found
    assert not [text for text in found if "is not in the build" in text]


def findings(path: Path) -> list[str]:
    return list(verify(open_build(path, remember=False)).findings)


@pytest.mark.parametrize(("offset", "overlaps"), [(16, False), (17, False), (15, True), (0, True)])
def test_objects_that_share_bytes_are_told(tmp_path: Path, offset: int, *, overlaps: bool) -> None:
    things = [Thing(1, MATERIAL, bytes(16)), Thing(2, MATERIAL, bytes(16)), Thing(3, MATERIAL, bytes(16))]
    data = builder.serialized_file(things, [Kind(MATERIAL, ())], trees=False, unity_version=VERSION)
    assert data.count(pack("<qqI", 2, 16, 16)) == 1
    (tmp_path / "level0").write_bytes(data.replace(pack("<qqI", 2, 16, 16), pack("<qqI", 2, offset, 16)))
    told = [text for text in findings(tmp_path) if "overlaps" in text]
    # The next one begins at 32: it is overlapped by one that goes on to 33.
    expected = {15: [2], 0: [2], 17: [3]}.get(offset, [])
    assert [f"level0: object {number} overlaps the data before it" for number in expected] == told
    assert overlaps is ("level0: object 2 overlaps the data before it" in told)


@pytest.mark.parametrize(("count", "more"), [(1, ""), (50, ""), (51, "1"), (1051, "1,001")])
def test_fifty_references_to_nothing_are_named_and_the_others_counted(tmp_path: Path, count: int, more: str) -> None:
    leaf = Material(7, "Leaf", tuple((0, 100 + number) for number in range(count)))
    (tmp_path / "trees.bundle").write_bytes(bundle("CAB-trees", "trees", [leaf]))
    told = [text for text in findings(tmp_path) if "not there" in text]
    named = min(count, 50)
    assert told[:named] == [
        f"trees.bundle/CAB-trees#7 (Material Leaf) refers to object {100 + number}, which is not there"
        for number in range(named)
    ]
    assert told[named:] == ([f"and {more} more references to objects that are not there"] if more else [])


def test_a_reference_names_its_file_where_that_is_another(tmp_path: Path) -> None:
    leaf = Material(7, "Leaf", ((1, 5), (2, 6)))
    (tmp_path / "leaves.bundle").write_bytes(bundle("CAB-a", "leaves", [leaf], ("CAB-b",)))
    (tmp_path / "pictures.bundle").write_bytes(bundle("CAB-b", "pictures", [Texture(4, "Bark", b"1234")]))
    assert findings(tmp_path) == [  # it declares one file
        "leaves.bundle/CAB-a#7 (Material Leaf) refers to object 5 of archive:/CAB-b/CAB-b, which is not there",
        "leaves.bundle/CAB-a#7 (Material Leaf) refers to object 6 of external 2, which is not there",
    ]
    (tmp_path / "pictures.bundle").unlink()
    (tmp_path / "more.bundle").write_bytes(bundle("CAB-c", "more", [leaf], ("CAB-b",)))
    absent = [text for text in findings(tmp_path) if "is not in the build" in text]
    assert absent == ["archive:/CAB-b/CAB-b is not in the build; leaves.bundle/CAB-a and 1 more refer to it"]
    (tmp_path / "more.bundle").unlink()
    absent = [text for text in findings(tmp_path) if "is not in the build" in text]
    assert absent == ["archive:/CAB-b/CAB-b is not in the build; leaves.bundle/CAB-a refers to it"]


@pytest.mark.parametrize("size", [64, 63])
def test_streamed_data_end_within_their_file(tmp_path: Path, size: int) -> None:
    """Two textures have the 48 bytes at 16."""
    game = player(tmp_path / "Game_Data")
    (game / "sharedassets0.assets.resS").write_bytes(bytes(size))
    expected = [
        f"sharedassets0.assets#{number}: streams 48 bytes at 16 of sharedassets0.assets.resS, which has 63"
        for number in ((3, 4) if size == 63 else ())
    ]
    assert findings(game) == expected


def test_streamed_data_that_are_gone_are_counted_by_their_file(tmp_path: Path) -> None:
    game = player(tmp_path / "Game_Data")
    (game / "sharedassets0.assets.resS").unlink()
    assert findings(game) == ["sharedassets0.assets.resS is not in the build; 2 objects stream from it"]
    stream = fill(TEXTURE, "apple", (), ("sharedassets0.assets.resS", 16, 48))
    data = builder.serialized_file([Thing(3, TEXTURE, stream)], [Kind(TEXTURE, ())], trees=False, unity_version=VERSION)
    (game / "sharedassets0.assets").write_bytes(data)
    assert findings(game) == ["sharedassets0.assets.resS is not in the build; 1 object streams from it"]


def test_blocks_that_cannot_be_decoded_are_told_and_the_others_have_a_checksum(tmp_path: Path) -> None:
    whole = bundle("CAB-a", "whole", [Texture(4, "Bark", bytes(range(256)) * 64)], compression=0)
    (tmp_path / "whole.bundle").write_bytes(whole)
    (tmp_path / "cut.bundle").write_bytes(whole.replace(b"CAB-a", b"CAB-z")[:-100])
    found = verify(open_build(tmp_path, remember=False))
    assert list(found.crcs) == [1]
    assert found.crcs[1] == content_crc32(whole)
    assert any(text.startswith("cut.bundle: ") for text in found.findings)


def test_two_files_of_one_name_are_told_with_both_places(tmp_path: Path) -> None:
    for name in ("a.bundle", "b.bundle"):
        (tmp_path / name).write_bytes(bundle("CAB-a", name, [Material(7, "Leaf", ())]))
    told = "2 files have one name, references lead to the first: a.bundle/CAB-a, b.bundle/CAB-a"
    assert findings(tmp_path) == [told]
    (tmp_path / "other").mkdir()
    (tmp_path / "b.bundle").rename(tmp_path / "other/b.bundle")
    assert findings(tmp_path) == []  # the references of each folder lead to its own


def test_a_layout_says_the_size_of_each_file_and_of_which_build_it_is(tmp_path: Path) -> None:
    folder = write_content(tmp_path / "Content")
    size = len(texture())
    write_layout(folder, {PIXELS: ("resS", 48), A: ("cf", size), B: ("cf", len(material()))})
    sizes = [text for text in findings(tmp_path) if " says " in text]
    assert sizes == []
    write_layout(folder, {PIXELS: ("resS", 49), A: ("cf", size - 1), B: ("cf", len(material()))})
    sizes = [text for text in findings(tmp_path) if " says " in text]
    assert sizes == [
        f"Content/{A}.cf: has {size:,} bytes, Content/ContentLayout.json says {size - 1:,}",
        f"Content/{PIXELS}.resS: has 48 bytes, Content/ContentLayout.json says 49",
    ]
    (folder / f"{A}.cf").unlink()
    told = findings(tmp_path)
    assert f"Content/ContentLayout.json: {A} (of Assets/Green.png) is not in the build" in told
    assert not [text for text in told if text.startswith(f"Content/{MANIFEST}.json")]  # its layout tells it


def test_what_was_not_read_is_told(tmp_path: Path) -> None:
    game = player(tmp_path / "Game_Data")
    told = list(verify(open_build(game, remember=False)).unread)
    assert told[0] == "a MonoBehaviour: the fields of its script (the files have no type trees)"
    assert told[1].startswith("1 of Game.Picker: ")
    assert told[-1] == "values in 4 files without type trees: only names, references and streamed data were read"
    shutil.copy(game / "level0", game / "level1")
    told = list(verify(open_build(game, remember=False)).unread)
    assert told[0] == "2 MonoBehaviours: the fields of their scripts (the files have no type trees)"
    assert told[1].startswith("2 of Game.Picker: ")
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees/a.bundle").write_bytes(bundle("CAB-a", "a", [Material(7, "Leaf", ())]))
    assert verify(open_build(tmp_path / "trees", remember=False)).unread == ()


def test_the_first_scene_of_an_old_player_is_no_level(tmp_path: Path) -> None:
    game = player(tmp_path / "Game_Data", scenes=("Assets/Main.unity", "Assets/Cave.unity", "Assets/Hall.unity"))
    assert [text.partition(" ")[0] for text in findings(game)] == ["level1", "level2"]
    (game / "globalgamemanagers").rename(game / "mainData")
    assert not [text for text in findings(game) if "lists it" in text]


def test_files_in_an_archive_are_compared_with_the_hash_of_their_name(tmp_path: Path) -> None:
    folder, right = write_content(tmp_path / "Content"), content_hash([b"other"])
    (folder / f"{PIXELS}.resS").unlink()
    packed = builder.archive([(f"{PIXELS}.resS", bytes(48)), (f"{right}.resS", b"other"), ("words.resS", b"words")])
    (folder / "content0.archive").write_bytes(packed)
    write_layout(folder, {PIXELS: ("resS", 48), right: ("resS", 5)})
    changed = [text for text in findings(tmp_path) if "was changed" in text]
    is_now = content_hash([bytes(48)])
    name = f"Content/content0.archive/{PIXELS}.resS"
    assert changed == [f"{name}: was changed: the hash of its content is {is_now}"]
    (folder / "content0.archive").write_bytes(packed[:60])  # which is told where it is read
    told = findings(tmp_path)
    assert not [text for text in told if "was changed" in text]
    assert len([text for text in told if text.startswith("Content/content0.archive: ")]) == 1


def test_kinds_of_files_that_are_not_named_by_their_hash_are_not_compared(tmp_path: Path) -> None:
    write_content(tmp_path / "Content")  # its manifest names two files, and no pixels
    found = verify(open_build(tmp_path, remember=False))
    why = "none is named by the XXH3-128 of its content, as manifests are"
    assert f"hashes of 2 .cf files: {why}" in found.unread
    assert not [text for text in (*found.findings, *found.unread) if ".resS" in text]


def test_a_manifest_is_named_by_its_hash(tmp_path: Path) -> None:
    folder = write_content(tmp_path / "Content")
    path = folder / f"{MANIFEST}.json"
    data = path.read_bytes() + b" "
    path.write_bytes(data)
    told = f"Content/{MANIFEST}.json: was changed: the hash of its content is {content_hash([data])}"
    assert told in findings(tmp_path)


@pytest.mark.parametrize(
    ("size", "crc", "said"),
    [
        (0, 0, ()),
        (0, 1, ("CRC",)),
        (1, 0, ("bytes",)),
        (1, 1, ("bytes", "CRC")),
        (None, None, ()),
        (None, 1, ("CRC",)),
    ],
)
def test_bundles_have_size_and_crc_of_the_catalog_if_it_says_them(
    tmp_path: Path, size: int | None, crc: int | None, said: tuple[str, ...]
) -> None:
    """0 is what a catalog has where the group is built without; None stands for the true figure."""
    data = bundle("CAB-1", "one", [Texture(1 << 40, "apple", b"pixels")])
    true_crc = content_crc32(data)
    content = make_content()
    first = content.entries[0]
    assert first.data is not None
    first.data = first.data._replace(size=len(data) if size is None else size, crc=true_crc if crc is None else crc)
    name = first.internal_id.rpartition("/")[2]
    (tmp_path / name).write_bytes(data)
    for entry in content.entries[1:4]:  # elsewhere: on a server, of which nothing is here
        entry.internal_id = entry.internal_id.replace(RUNTIME, "https://cdn.example.com")
    catalog = tmp_path / "catalog.json"
    catalog.write_bytes(write(content, JSON_FLAVOURS["1.28"]))
    expected = {
        "bytes": f"{name}: has {len(data)} bytes, {catalog} says {size}",
        "CRC": f"{name}: its CRC is {true_crc}, {catalog} says {crc}",
    }
    assert verify(open_build(tmp_path, remember=False)).findings == tuple(expected[word] for word in said)


def test_a_bundle_is_missing_where_others_of_its_place_are_here(tmp_path: Path) -> None:
    content = make_content()
    first, second, *others = content.entries[:4]
    (tmp_path / first.internal_id.rpartition("/")[2]).write_bytes(bundle("CAB-1", "one", [Texture(1 << 40, "a", b"p")]))
    for entry in others:
        entry.internal_id = entry.internal_id.replace(RUNTIME, "https://cdn.example.com")
    for entry in content.entries[:4]:
        assert entry.data is not None
        entry.data = entry.data._replace(size=0, crc=0)
    catalog = tmp_path / "catalog.json"
    catalog.write_bytes(write(content, JSON_FLAVOURS["1.28"]))
    findings = verify(open_build(tmp_path, remember=False)).findings
    assert findings == (f"{catalog}: {second.internal_id} is not in the build",)
