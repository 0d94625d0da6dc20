"""A build as one table: objects, names, scripts, containers and references across files, wherever they lie."""

from __future__ import annotations

import gzip
import zipfile
from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.build import MANY_COMPONENTS, MISSING_FILE, MISSING_OBJECT, NOT_DECLARED
from assetdb.builds.query.sizes import measure
from assetdb.builds.query.summary import summarize
from assetdb.builds.query.verification import verify
from assetdb.errors import UsageError
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture
from tests.assetdb_formats.unityfs.builder import Kind, Thing, serialized_file, web_data

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.builds import Build

A, B = "CAB-" + "a" * 32, "CAB-" + "b" * 32
HASHED = 1 << 40


def names(build: Build) -> list[tuple[str, str, str]]:
    return [(build.files[item.file].facts.name, item.class_name, item.name) for item in build.objects()]


def bundles(folder: Path) -> Path:
    folder.mkdir(parents=True)
    first = [Texture(HASHED, "bark", b"brown" * 9, "assets/bark.png")]
    second = [Material(HASHED + 1, "tree", ((1, HASHED), (0, 5), (2, 7), (1, 8)), "assets/tree.mat")]
    (folder / "textures.bundle").write_bytes(making.bundle(A, "textures", first))
    (folder / "materials.bundle").write_bytes(making.bundle(B, "materials", second, (A,)))
    return folder


def test_two_players_in_folders_of_one_name_refer_each_to_its_own_files(tmp_path: Path) -> None:
    """Files of the second had numbers in their names, and its references led to the first."""
    players = [
        making.player(tmp_path / place / "Game_Data", scenes=(f"Assets/{place}.unity",)) for place in ("old", "new")
    ]
    build = open_build(players, remember=False)
    targets = [build.part_of(found.target) for item in build.objects() for found in build.references(item.number)]
    users = [build.part_of(item.number) for item in build.objects() for _ in build.references(item.number)]
    folders = [[build.parts[part].name.rpartition("/")[0] for part in parts] for parts in (users, targets)]
    assert folders[0] == folders[1]
    assert set(folders[0]) == {"Game_Data", "Game_Data (2)"}
    assert set(filter(None, build.scenes)) == {"Assets/old.unity", "Assets/new.unity"}


def test_bare_files_of_a_player_are_neighbours(tmp_path: Path) -> None:
    build = open_build(making.player(tmp_path / "Game_Data"), remember=False)
    assert not build.problems
    assert ("sharedassets0.assets", "Texture2D", "apple") in names(build)
    tree = next(item for item in build.objects() if item.class_name == "GameObject")
    assert [build.class_name(build.class_ids[r.target]) for r in build.references(tree.number)] == [
        "Transform",
        "MonoBehaviour",
    ]
    behaviour = build.references(tree.number)[1].target
    script = build.script(behaviour)
    assert script is not None
    assert (script.assembly, script.full_name) == ("Assembly-CSharp.dll", "Game.Picker")
    assert build.title(behaviour) == "Game.Picker"
    transform = build.references(tree.number)[0].target
    assert build.title(transform) == "Tree"
    apple = next(item for item in build.objects() if item.name == "apple")
    assert apple.container == ("Resources/fruit/apple",)  # the table lies in another file
    assert (apple.streamed, build.dependents(tree.number)) == (48, [transform, behaviour])


def test_what_a_player_says_of_itself(tmp_path: Path) -> None:
    scenes = ("Assets/Main.unity", "Assets/End.unity")
    found = summarize(open_build(making.player(tmp_path / "Game_Data", scenes=scenes), remember=False))
    assert (found.product, found.scenes, found.back_end) == ("Orchard Ltd Apples", scenes, "mono")
    assert (found.unity_versions, found.platforms) == (("2022.3.1f1",), ("Windows (64 bit)",))
    assert (found.type_trees, found.missing) == ((0, 4), ())
    assert dict(found.assemblies) == {"Assembly-CSharp.dll": 2}


def test_references_lead_across_bundles_and_say_what_is_missing(tmp_path: Path) -> None:
    build = open_build(bundles(tmp_path / "ServerData"), remember=False)
    tree = next(item for item in build.objects() if item.name == "tree")
    found = build.references(tree.number)
    bark = next(item for item in build.objects() if item.name == "bark")
    assert [item.target for item in found] == [bark.number, MISSING_OBJECT, NOT_DECLARED, MISSING_OBJECT]
    assert list(build.targets) == [item.target for item in found]  # in bulk as one by one
    assert build.dependents(bark.number) == [tree.number]
    assert (bark.container, bark.streamed) == (("assets/bark.png",), 45)
    alone = open_build(tmp_path / "ServerData/materials.bundle", remember=False)
    tree = next(item for item in alone.objects() if item.name == "tree")
    assert alone.references(tree.number)[0].target == MISSING_FILE
    assert summarize(alone).missing == (f"archive:/{A}/{A}",)


@pytest.mark.parametrize("packing", ["zip", "stored zip", "web", "gzip web", "data.unity3d"])
def test_the_same_player_in_any_wrapping_is_the_same_build(tmp_path: Path, packing: str) -> None:
    folder = making.player(tmp_path / "Game_Data")
    expected = names(open_build(folder, remember=False))
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    place = tmp_path / "Game"
    if "zip" in packing and "gzip" not in packing:
        place = tmp_path / "game.apk"
        kind = zipfile.ZIP_STORED if "stored" in packing else zipfile.ZIP_DEFLATED
        with zipfile.ZipFile(place, "w", kind) as archive:
            for name, data in files.items():
                archive.writestr(f"assets/bin/Data/{name}", data)
    elif packing == "data.unity3d":
        from tests.assetdb_formats.unityfs import builder  # noqa: PLC0415 - this case alone

        own = [(name, data) for name, data in sorted(files.items()) if "/" not in name]
        # The builder takes names with a dot for resource data: those of a player have one, too.
        flags = {name.replace(".", "_") if name.endswith(".assets") else name: data for name, data in own}
        place = tmp_path / "data.unity3d"
        place.write_bytes(builder.archive(list(flags.items())))
        found = open_build(place, remember=False)
        assert sorted(row[1:] for row in names(found)) == sorted(row[1:] for row in expected)
        return
    else:
        data = web_data(files)
        place = tmp_path / ("Game.data.gz" if "gzip" in packing else "Game.data")
        place.write_bytes(gzip.compress(data) if "gzip" in packing else data)
    build = open_build(place, remember=False)
    assert not build.problems
    assert sorted(names(build)) == sorted(expected)
    assert summarize(build).scenes == ("Assets/Main.unity",)


@pytest.mark.parametrize("packing", ["folder", "zip"])
def test_files_in_pieces_are_one_file(tmp_path: Path, packing: str) -> None:
    folder = making.player(tmp_path / "Data")
    expected = open_build(folder, remember=False)
    for name in ("level0", "sharedassets0.assets", "sharedassets0.assets.resS"):
        data = (folder / name).read_bytes()
        for number in range(-(-len(data) // 30)):
            (folder / f"{name}.split{number}").write_bytes(data[number * 30 : number * 30 + 30])
        (folder / name).unlink()
    place = folder
    if packing == "zip":
        place = tmp_path / "game.apk"
        with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in folder.rglob("*"):
                if path.is_file():
                    archive.write(path, path.relative_to(folder).as_posix())
    build = open_build(place, remember=False)
    assert not build.problems
    assert names(build) == names(expected)
    assert verify(build).findings == ()
    sizes = measure(build)
    assert sum(sizes.disk) + sum(row.disk for row in sizes.rest) == sizes.disk_total
    (folder / "level0.split1").unlink()
    assert "Tree" not in {row[2] for row in names(open_build(folder, remember=False))}


def test_several_paths_are_one_build(tmp_path: Path) -> None:
    player, content = making.player(tmp_path / "Game_Data"), bundles(tmp_path / "ServerData")
    build = open_build([player, content], remember=False)
    assert {part.name.partition("/")[0] for part in build.parts} == {"Game_Data", "ServerData"}
    assert len(build) == len(open_build(player, remember=False)) + len(open_build(content, remember=False))


def test_a_path_that_is_given_twice_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = bundles(tmp_path / "ServerData")
    monkeypatch.chdir(tmp_path)
    build = open_build(["ServerData", f"{folder}/", "./ServerData"], remember=False)
    assert [part.name for part in build.parts] == ["materials.bundle", "textures.bundle"]


def test_a_limit_holds_however_many_processes_there_may_be(tmp_path: Path) -> None:
    folder = bundles(tmp_path / "Content")
    count = len(open_build(folder, remember=False))
    assert len(open_build(folder, remember=False, workers=2, most_objects=count)) == count
    with pytest.raises(UsageError, match=f"more than {count - 1}"):
        open_build(folder, remember=False, workers=2, most_objects=count - 1)


@pytest.mark.parametrize("count", [3, MANY_COMPONENTS + 1, 3000])
def test_components_of_a_game_object_are_gone_through_once(
    tmp_path: Path, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has the name of its GameObject, which refers to all of them: 100,000 would be looked at 10^10 times."""
    things = [
        Thing(1, making.GAME_OBJECT, making.fill(making.GAME_OBJECT, "Crowd", tuple((0, n) for n in range(2, count))))
    ]
    things += [Thing(n, making.TRANSFORM, making.fill(making.TRANSFORM, "", ((0, 1),))) for n in range(2, count + 1)]
    kinds = [Kind(making.GAME_OBJECT, ()), Kind(making.TRANSFORM, ())]
    (tmp_path / "level0").write_bytes(serialized_file(things, kinds, trees=False))
    build = open_build(tmp_path, remember=False)
    asked: list[int] = []
    references = type(build).references
    monkeypatch.setattr(type(build), "references", lambda own, number: asked.append(number) or references(own, number))
    titles = [build.title(number) for number in range(count)]
    assert titles == ["Crowd"] * (count - 1) + [""]  # the last one says so of itself alone
    assert len(asked) <= MANY_COMPONENTS or asked == [0]


def test_a_folder_without_a_build_is_said(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(UsageError, match=r"holds no build of Unity: no bundle.*; name a player's _Data folder"):
        open_build(tmp_path, remember=False)
    (tmp_path / "Assets").mkdir()
    for project in (tmp_path, tmp_path / "Assets"):
        with pytest.raises(UsageError, match="this is a project: name the folder that Unity built it into"):
            open_build(project, remember=False)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="holds no build of Unity: no file at all"):
        open_build(tmp_path / "empty", remember=False)


def test_a_file_that_is_cut_off_is_said_and_the_others_are_read(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    data = (folder / "sharedassets0.assets").read_bytes()
    (folder / "sharedassets0.assets").write_bytes(data[:-40])
    build = open_build(folder, remember=False)
    assert build.problems == (f"sharedassets0.assets: is cut off: declares {len(data)} bytes, has {len(data) - 40}",)
    assert any(item.name == "Tree" for item in build.objects())


def test_below_a_game_object_are_its_components_and_all_that_hangs_from_its_transform(tmp_path: Path) -> None:
    hangs = {10: (20, 30), 20: (40,), 30: (), 40: (20,), 50: ()}  # the last but one hangs from itself: a damaged file
    things = []
    for number, children in hangs.items():
        components = ((0, number + 1), (0, 12)) if number == 10 else ((0, number + 1), (0, 999))
        owned = ((0, number), *((0, child + 1) for child in children))
        things.append(Thing(number, making.GAME_OBJECT, making.fill(making.GAME_OBJECT, f"G{number}", components)))
        things.append(Thing(number + 1, making.TRANSFORM, making.fill(making.TRANSFORM, "", owned)))
    behaviour = pack("<iq", 0, 10) + b"\1\0\0\0" + pack("<iq", 0, 77) + making.text("") + bytes(8)
    things += [Thing(12, making.MONO_BEHAVIOUR, behaviour), Thing(77, making.MONO_SCRIPT, making.script("Picker"))]
    kinds = [Kind(number, ()) for number in dict.fromkeys(thing.class_id for thing in things)]
    level = serialized_file(sorted(things), kinds, trees=False, unity_version=making.VERSION)
    (making.player(tmp_path / "Game_Data") / "level0").write_bytes(level)
    build = open_build(tmp_path / "Game_Data", remember=False)
    rows = {
        build.path_ids[item.number]: item.number
        for item in build.objects()
        if build.files[item.file].facts.name == "level0"
    }

    def below(root: int, *known: int) -> list[int]:
        found = build.below(rows[root], {rows[number] for number in known})
        return sorted(build.path_ids[number] for number in found)

    assert below(10) == [10, 11, 12, 20, 21, 30, 31, 40, 41]
    assert below(10, 20) == [10, 11, 12, 30, 31]
    assert below(10, 12, 40) == [10, 11, 20, 21, 30, 31]
    assert below(50) == [50, 51]
    assert below(10, 10) == []
