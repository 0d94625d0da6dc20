"""What is there twice, why something is there, what changed and what is wrong."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.objects.selection import lookup, search, select
from assetdb.builds.query.comparison import compare
from assetdb.builds.query.duplicates import CONTENT, SOURCE, find_duplicates
from assetdb.builds.query.reasons import why
from assetdb.builds.query.verification import verify
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture
from tests.assetdb_formats.unityfs import builder

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.builds import Build

A, B, C = ("CAB-" + letter * 32 for letter in "abc")
HASHED = 1 << 40


def content(folder: Path, *, pixels: bytes = b"brown" * 20, tree: str = "tree") -> Path:
    folder.mkdir(parents=True)
    bark = Texture(HASHED, "bark", pixels)
    oak = Material(HASHED + 1, tree, ((0, HASHED),), "assets/tree.mat")
    bush = Material(HASHED + 2, "bush", ((0, HASHED),), "assets/bush.mat")
    grass = [Texture(HASHED + 3, "grass", b"green", "assets/grass.png"), Texture(HASHED + 4, "bark", pixels)]
    (folder / "trees_assets_all.bundle").write_bytes(making.bundle(A, "trees", [bark, oak]))
    (folder / "bushes_assets_all.bundle").write_bytes(making.bundle(B, "bushes", [bark, bush], compression=1))
    (folder / "grass_assets_all.bundle").write_bytes(making.bundle(C, "lawn", grass))
    return folder


def named(build: Build, name: str) -> int:
    return next(number for number in range(len(build)) if build.name(number) == name)


def test_an_asset_in_two_bundles_is_a_duplicate_by_its_source(tmp_path: Path) -> None:
    build = open_build(content(tmp_path / "aa"), remember=False)
    found = find_duplicates(build)
    assert [(row.by, row.equal, len(row.objects)) for row in found] == [(SOURCE, True, 2)]
    size = build.object(found[0].objects[0])
    assert found[0].saved == found[0].size == size.size + size.streamed


def test_the_same_content_under_another_path_id_is_a_duplicate_too(tmp_path: Path) -> None:
    folder = content(tmp_path / "aa")
    (folder / "bushes_assets_all.bundle").unlink()
    build = open_build(folder, remember=False)
    assert [(row.by, row.equal, len(row.objects)) for row in find_duplicates(build)] == [(CONTENT, True, 2)]


def test_other_pixels_are_other_content(tmp_path: Path) -> None:
    folder = content(tmp_path / "aa")
    other = [Texture(HASHED, "bark", b"black" * 20), Texture(HASHED + 9, "bark", b"white" * 20)]
    (folder / "bushes_assets_all.bundle").write_bytes(making.bundle(B, "bushes", other))
    rows = find_duplicates(open_build(folder, remember=False))
    assert [(row.by, row.equal) for row in rows] == [(SOURCE, False)]


def test_why_is_the_shortest_way_from_what_was_included(tmp_path: Path) -> None:
    build = open_build(content(tmp_path / "aa"), remember=False)
    found = why(build, named(build, "bark"))
    assert (found.kind, found.root) == ("container", "assets/bush.mat")
    assert [build.name(number) for number in found.way] == ["bush", "bark"]
    player = open_build(making.player(tmp_path / "Game_Data"), remember=False)
    assert why(player, named(player, "apple"))[:2] == ("Resources", "Resources/fruit/apple")
    assert why(player, named(player, "Tree"))[:2] == ("scene", "Assets/Main.unity")
    assert why(player, named(player, "apple again"))[:2] == ("none", "")


def test_a_word_is_a_path_id_a_container_path_a_file_or_a_name(tmp_path: Path) -> None:
    build = open_build([content(tmp_path / "aa"), making.player(tmp_path / "Game_Data")], remember=False)
    grass = named(build, "grass")
    for word in (
        f"{C}#{HASHED + 3}",
        str(HASHED + 3),
        "ASSETS/grass.png",
        "grass",
        f"grass_assets_all.bundle#{HASHED + 3}",
    ):
        found = lookup(build, word)
        assert found is not None
        assert found.objects == (grass,), word
    found = lookup(build, "level0")
    assert found is not None
    assert [build.files[number].facts.name for number in found.files] == ["level0"]
    assert lookup(build, "Fruit/Apple") is not None  # as scripts load it: without Resources/
    assert lookup(build, "nothing") is None
    assert {build.name(n) for n in search(build, lambda text: "bark" in text, select(build))} == {"bark"}
    assert {build.name(n) for n in select(build, ["Material"], ["trees*"])} == {"tree"}
    assert sorted(build.title(n) for n in select(build, ["picker"])) == ["Game.Picker", "Picker", "Picker"]


def test_nothing_differs_between_a_build_and_its_copy(tmp_path: Path) -> None:
    first = content(tmp_path / "one")
    shutil.copytree(first, tmp_path / "two")
    rows = compare(open_build(first, remember=False), open_build(tmp_path / "two", remember=False))
    assert {(row.verdict, row.download) for row in rows} == {("same", 0)}


def test_two_files_that_are_named_are_one_of_before_and_of_now(tmp_path: Path) -> None:
    bark = Texture(HASHED, "bark", b"brown" * 9)
    for name, items in (("1.0", [bark]), ("1.1", [bark, Texture(HASHED + 1, "moss", b"m" * 50)])):
        (tmp_path / f"{name}.bundle").write_bytes(making.bundle(A, "trees", items))
    before, after = (open_build(tmp_path / f"{name}.bundle", remember=False) for name in ("1.0", "1.1"))
    (row,) = compare(before, after)
    assert (row.verdict, row.name) == ("changed", "1.1.bundle")
    assert [after.name(item.after or 0) for item in row.objects if item.verdict == "added"] == ["moss"]
    shutil.copy(tmp_path / "1.0.bundle", tmp_path / "copy.bundle")
    (row,) = compare(before, open_build(tmp_path / "copy.bundle", remember=False))
    assert (row.verdict, row.download) == ("same", 0)
    for number, folder in enumerate(("one", "two")):  # of folders, the names tell
        (tmp_path / folder).mkdir()
        shutil.copy(tmp_path / f"1.{number}.bundle", tmp_path / folder)
    rows = compare(*(open_build(tmp_path / folder, remember=False) for folder in ("one", "two")))
    assert sorted(row.verdict for row in rows) == ["added", "removed"]


@pytest.mark.corpus("builds")
def test_a_web_player_and_its_copy_do_not_differ(corpus: Path, tmp_path: Path) -> None:
    path = corpus / "builds/UnityDataTools/WebBundles/HelloWorld.data"
    shutil.copy(path, tmp_path / "last-week.data")
    rows = compare(open_build(tmp_path / "last-week.data", remember=False), open_build(path, remember=False))
    assert [row.verdict for row in rows] == ["same"] * 6


def test_what_changed_names_the_objects_and_the_download(tmp_path: Path) -> None:
    first, second = content(tmp_path / "one"), content(tmp_path / "two", tree="oak")
    changed = second / "grass_assets_all.bundle"
    grass = [Texture(HASHED + 3, "grass", b"blues", "assets/grass.png"), Texture(HASHED + 5, "moss", b"m" * 50)]
    changed.write_bytes(making.bundle(C, "lawn", grass))
    (second / "bushes_assets_all.bundle").rename(second / f"bushes_assets_all_{'0' * 32}.bundle")
    before, after = open_build(first, remember=False), open_build(second, remember=False)
    rows = {row.name: row for row in compare(before, after)}
    assert {name: row.verdict for name, row in rows.items()} == {
        f"bushes_assets_all_{'0' * 32}.bundle": "renamed",
        "grass_assets_all.bundle": "changed",
        "trees_assets_all.bundle": "changed",
    }
    found = [
        (item.verdict, after.name(item.after) if item.after is not None else before.name(item.before or 0))
        for item in rows["grass_assets_all.bundle"].objects
    ]
    # The AssetBundle object is as it was; equal in size and not in its pixels is changed.
    assert sorted(found) == [("added", "moss"), ("changed", "grass"), ("removed", "bark")]
    assert [after.name(item.after or 0) for item in rows["trees_assets_all.bundle"].objects] == ["oak"]
    assert rows["grass_assets_all.bundle"].download == changed.stat().st_size


def test_objects_of_one_number_in_two_files_of_a_bundle_are_two(tmp_path: Path) -> None:
    """Scenes in a bundle, and what they share, are files of their own, which all count their objects from 1."""

    def build(place: str, *names: str) -> Build:
        kind = [builder.Kind(making.MATERIAL, making.MATERIAL_TREE)]
        files = [
            (file, builder.serialized_file([builder.Thing(5, making.MATERIAL, making.text(name) + bytes(16))], kind))
            for file, name in zip(("BuildPlayer-Main", "BuildPlayer-End"), names, strict=True)
        ]
        (tmp_path / place).mkdir()
        (tmp_path / place / "scenes.bundle").write_bytes(builder.archive(files))
        return open_build(tmp_path / place, remember=False)

    before = build("before", "wall", "lamp")
    for number, after in enumerate((build("first", "fall", "lamp"), build("second", "wall", "camp"))):
        (change,) = compare(before, after)
        assert [(row.verdict, row.before, row.after) for row in change.objects] == [("changed", number, number)]


def test_a_sound_build_is_clean_and_one_without_type_trees_is_not_called_so(tmp_path: Path) -> None:
    found = verify(open_build(content(tmp_path / "aa"), remember=False))
    assert (found.findings, found.unread, len(found.crcs)) == ((), (), 3)
    found = verify(open_build(making.player(tmp_path / "Game_Data"), remember=False))
    assert found.findings == ()
    assert any("MonoBehaviour" in text for text in found.unread)
    assert any("without type trees" in text for text in found.unread)


@pytest.mark.parametrize(
    ("damage", "finding"),
    [
        ("missing resource", "sharedassets0.assets.resS is not in the build; 2 objects stream from it"),
        ("short resource", "streams 48 bytes at 16 of sharedassets0.assets.resS, which has 20"),
        ("missing file", "sharedassets0.assets is not in the build; globalgamemanagers and 1 more refer to it"),
        ("twice", "2 files have one name"),
        ("block", "trees_assets_all.bundle: offset"),
        ("reference", "refers to object 5, which is not there"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, damage: str, finding: str) -> None:
    folder = making.player(tmp_path / "Game_Data")
    content(folder / "aa")
    resource = folder / "sharedassets0.assets.resS"
    if damage == "missing resource":
        resource.unlink()
    elif damage == "short resource":
        resource.write_bytes(bytes(20))
    elif damage == "missing file":
        (folder / "sharedassets0.assets").unlink()
    elif damage == "twice":
        shutil.copy(folder / "aa/trees_assets_all.bundle", folder / "aa/older_assets_all.bundle")
    elif damage == "reference":
        (folder / "aa/oak.bundle").write_bytes(making.bundle("CAB-d", "oak", [Material(HASHED, "oak", ((0, 5),))]))
    else:
        path = folder / "aa/trees_assets_all.bundle"
        data = path.read_bytes()
        path.write_bytes(data[:-30] + bytes(30))
    found = verify(open_build(folder, remember=False)).findings
    assert any(finding in text for text in found), found
