"""Two players of one project: what went, came and changed, though all numbers shift."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.query.comparison import compare
from tests.assetdb.builds import making
from tests.assetdb.builds.making import GAME_OBJECT, MONO_BEHAVIOUR, MONO_SCRIPT, TEXTURE, TRANSFORM, fill, text
from tests.assetdb_formats.unityfs.builder import External, Kind, Thing, serialized_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SCRIPTS = ("Bat", "Cat", "Dog", "Eel", "Fox")
SCENES = ("Assets/One.unity", "Assets/Two.unity")
TREE = ("Tree", 1.0, "Cat")
LEAF = ("Leaf", 2.0, "Eel")
ROOT = ("Root", 3.0, "Fox")


def write(path: Path, things: Sequence[Thing], externals: Sequence[str] = ()) -> None:
    """Write a file without type trees."""
    kinds = [Kind(number, ()) for number in dict.fromkeys(thing.class_id for thing in things)]
    others = tuple(External(name) for name in externals)
    path.write_bytes(serialized_file(list(things), kinds, trees=False, externals=others, unity_version=making.VERSION))


def level(path: Path, things: Sequence[tuple[str, float, str]], scripts: Sequence[str]) -> None:
    """Write GameObjects in a row, each with a Transform and a MonoBehaviour with fields that nobody knows.

    The fields refer to the GameObject before.
    """
    objects = []
    for number, (name, x, script) in enumerate(things):
        own = 3 * number + 1
        before = own - 3 if number else own
        transform = pack("<iq", 0, own) + pack("<10f", 0, 0, 0, 1, x, 0, 0, 1, 1, 1) + pack("<i", 0) + pack("<iq", 0, 0)
        behaviour = pack("<iq", 0, own) + b"\1\0\0\0" + pack("<iq", 1, scripts.index(script) + 1) + text("")
        objects += [
            Thing(own, GAME_OBJECT, fill(GAME_OBJECT, name, ((0, own + 1), (0, own + 2)))),
            Thing(own + 1, TRANSFORM, transform),
            Thing(own + 2, MONO_BEHAVIOUR, behaviour + pack("<iiq", 77, 0, before)),
        ]
    write(path, objects, ("globalgamemanagers.assets", "sharedassets0.assets"))


def player(
    folder: Path,
    *,
    scripts: Sequence[str] = SCRIPTS,
    scenes: Sequence[str] = SCENES,
    things: Sequence[tuple[str, float, str]] = (TREE, LEAF, ROOT),
    textures: Sequence[str] = ("bark", "moss"),
    pixels: bytes = bytes(range(80)),
    product: str = "a" * 32,
) -> Path:
    """Write a player of two scenes: the first of them has the things, the second one thing."""
    making.player(folder, scenes=tuple(scenes), product=product)
    (folder / "Managed/Assembly-CSharp.dll").unlink()
    write(
        folder / "globalgamemanagers.assets",
        [Thing(number, MONO_SCRIPT, making.script(name)) for number, name in enumerate(scripts, 1)],
    )
    for number, scene in enumerate(scenes):
        level(folder / f"level{number}", things if scene == SCENES[0] else (("Two", 5.0, "Fox"),), scripts)
    stream = "sharedassets0.assets.resS"
    write(
        folder / "sharedassets0.assets",
        [
            Thing(number, TEXTURE, fill(TEXTURE, name, (), (stream, 40 * (len(name) % 2), 40)))
            for number, name in enumerate(textures, 2)
        ],
    )
    (folder / stream).write_bytes(pixels)
    return folder


def told(before: Path, after: Path) -> dict[str, list[tuple[str, str, str]]]:
    """Return verdict, class and name of the objects that differ by part, without the list of all scenes."""
    one, two = open_build(before, remember=False), open_build(after, remember=False)
    found = {}
    for row in compare(one, two):
        if row.verdict == "same" or row.name == "globalgamemanagers":
            continue
        found[row.name] = sorted(
            (item.verdict, build.class_name(build.class_ids[number]), build.title(number))
            for item in row.objects
            for build, number in (((one, item.before or 0) if item.after is None else (two, item.after)),)
        )
    return found


@pytest.fixture
def before(tmp_path: Path) -> Path:
    return player(tmp_path / "before")


def test_a_player_and_itself_differ_in_nothing(before: Path, tmp_path: Path) -> None:
    assert told(before, player(tmp_path / "after")) == {}


def test_a_script_that_went_is_all_that_went(before: Path, tmp_path: Path) -> None:
    after = player(tmp_path / "after", scripts=SCRIPTS[1:])
    assert told(before, after) == {
        "globalgamemanagers.assets": [("removed", "MonoScript", "Bat")],
        "level0": [],
        "level1": [],
    }


def test_a_thing_that_came_first_is_all_that_came(before: Path, tmp_path: Path) -> None:
    # The field of its neighbour has the number of before, though that is another object's now: nobody knows it for one.
    after = player(tmp_path / "after", things=(("Seed", 9.0, "Bat"), TREE, LEAF, ROOT))
    assert told(before, after)["level0"] == [
        ("added", "GameObject", "Seed"),
        ("added", "MonoBehaviour", "Seed"),
        ("added", "Transform", "Seed"),
    ]


def test_one_of_several_of_one_name_went(tmp_path: Path) -> None:
    cubes = [("Cube", float(place), "Dog") for place in range(6)]
    before = player(tmp_path / "before", things=(TREE, *cubes))
    after = player(tmp_path / "after", things=(TREE, *cubes[:2], *cubes[3:]))
    assert told(before, after)["level0"] == [
        ("changed", "MonoBehaviour", "Cube"),  # the next one's, which referred to it
        ("removed", "GameObject", "Cube"),
        ("removed", "MonoBehaviour", "Cube"),
        ("removed", "Transform", "Cube"),
    ]


def test_a_thing_of_another_name_is_the_one_of_before(before: Path, tmp_path: Path) -> None:
    after = player(tmp_path / "after", things=(TREE, ("Twig", *LEAF[1:]), ROOT))
    assert told(before, after) == {"level0": [("changed", "GameObject", "Twig")]}


def test_a_thing_that_moved_is_its_transform(before: Path, tmp_path: Path) -> None:
    after = player(tmp_path / "after", things=(TREE, (LEAF[0], 2.5, LEAF[2]), ROOT))
    assert told(before, after) == {"level0": [("changed", "Transform", "Leaf")]}


def test_scenes_in_another_order_are_the_scenes_of_before(before: Path, tmp_path: Path) -> None:
    after = player(tmp_path / "after", scenes=SCENES[::-1])
    assert told(before, after) == {"level0": [], "level1": []}  # renamed, with the bytes of before


def test_streamed_data_that_changed_is_of_its_object(before: Path, tmp_path: Path) -> None:
    pixels = bytes(range(40)) + bytes(40)
    one, two = before, player(tmp_path / "after", textures=("bark", "mosses"), pixels=bytes(range(80)))
    assert told(one, two) == {"sharedassets0.assets": [("changed", "Texture2D", "mosses")]}
    three = player(tmp_path / "third", pixels=bytes(40) + pixels[:40])
    assert told(one, three) == {
        "sharedassets0.assets.resS": [("changed", "Texture2D", "bark"), ("changed", "Texture2D", "moss")]
    }


def test_players_of_two_projects_share_what_is_alike_alone(before: Path, tmp_path: Path) -> None:
    other = player(tmp_path / "other", product="b" * 32, things=(TREE, ("Leaf", 8.0, "Eel")))
    # The fields of behaviours are not known here, so none is told to be alike.
    assert told(before, other)["level0"] == [
        *(("added", "MonoBehaviour", name) for name in ("Leaf", "Tree")),
        ("added", "Transform", "Leaf"),
        ("removed", "GameObject", "Root"),
        *(("removed", "MonoBehaviour", name) for name in ("Leaf", "Root", "Tree")),
        ("removed", "Transform", "Leaf"),
        ("removed", "Transform", "Root"),
    ]
