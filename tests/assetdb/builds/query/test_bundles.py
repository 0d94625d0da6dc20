"""Bundles made by editing, beside UnityPy as the reader of both: what went, came, changed, and nothing else.

The PathIDs are running numbers, as in bundles of scenes: an edit shifts those of all objects that follow.
"""

from __future__ import annotations

from collections import Counter
from struct import pack
from typing import TYPE_CHECKING, NamedTuple

import pytest

from assetdb.builds import open_build
from assetdb.builds.query.bundles import compare_bundles
from assetdb.builds.query.comparison import compare
from assetdb_formats.inputs import find_inputs
from tests.assetdb.builds.making import KINDS, MATERIAL, MONO_SCRIPT, TEXTURE, script, text
from tests.assetdb_formats.unityfs import builder
from tests.assetdb_formats.unityfs.builder import STRING, Kind, Thing, within

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from assetdb.builds.query.bundles import BundleChange
    from assetdb_formats.inputs import Input

CAB = "CAB-" + "a" * 32
SCRIPT_TREE = (
    "MonoScript Base",
    *within(1, ("string m_Name", *STRING)),
    " int m_ExecutionOrder",
    " Hash128 m_PropertiesHash",
    *(f"  UInt8 bytes[{number}]" for number in range(16)),
    *within(1, ("string m_ClassName", *STRING)),
    *within(1, ("string m_Namespace", *STRING)),
    *within(1, ("string m_AssemblyName", *STRING)),
)


class Made(NamedTuple):
    """The objects of a bundle, in the order of their numbers: textures have pixels, materials the names of textures."""

    scripts: tuple[str, ...] = ("Bat", "Cat", "Dog", "Eel")
    textures: tuple[tuple[str, bytes], ...] = (("bark", b"b" * 16), ("leaf", b"l" * 16), ("moss", b"m" * 16))
    materials: tuple[tuple[str, tuple[str, ...]], ...] = (("Oak", ("bark", "leaf")), ("Elm", ("bark",)), ("Bog", ()))


def write(path: Path, made: Made, first: int = 2) -> Input:
    names = [name for name, _ in made.textures]
    things = []
    pixels = b""
    number = first
    for name in made.scripts:
        things.append(Thing(number, MONO_SCRIPT, script(name)))
        number += 1
    base = number
    for name, data in made.textures:
        stream = pack("<QI", len(pixels), len(data)) + text(f"archive:/{CAB}/{CAB}.resS")
        things.append(Thing(number, TEXTURE, text(name) + pack("<i", 8) + stream))
        pixels += data
        number += 1
    for name, used in made.materials:
        pointers = b"".join(pack("<iq", 0, base + names.index(texture)) for texture in used)
        things.append(Thing(number, MATERIAL, text(name) + pack("<iqi", 0, 0, len(used)) + pointers))
        number += 1
    kinds = [*KINDS[:2], Kind(MONO_SCRIPT, SCRIPT_TREE)]
    data = builder.archive([(CAB, builder.serialized_file(things, kinds)), (f"{CAB}.resS", pixels)])
    path.write_bytes(data)
    (file,) = find_inputs(str(path), lambda _: True)
    return file


def told(changes: Sequence[BundleChange]) -> list[tuple[str, str, str]]:
    return sorted((row.change, row.class_name, row.name) for row in changes)


def theirs(path: Path) -> Counter[tuple[str, str]]:
    """Return class and name of the objects that UnityPy reads."""
    unitypy = pytest.importorskip("UnityPy")
    return Counter((item.type.name, str(item.read_typetree()["m_Name"])) for item in unitypy.load(str(path)).objects)


MADE = Made()
EDITS = {
    "a script removed": (
        MADE._replace(scripts=("Bat", "Dog", "Eel")),
        [("-", "MonoScript", "Cat")],
    ),
    "a script added": (
        MADE._replace(scripts=("Ape", *MADE.scripts)),
        [("+", "MonoScript", "Ape")],
    ),
    "pixels changed": (
        MADE._replace(textures=(MADE.textures[0], ("leaf", b"x" * 16), MADE.textures[2])),
        [("~", "Texture2D", "leaf")],
    ),
    "a texture renamed": (
        MADE._replace(
            textures=(("rind", b"b" * 16), *MADE.textures[1:]),
            materials=(("Oak", ("rind", "leaf")), ("Elm", ("rind",)), ("Bog", ())),
        ),
        [("~", "Texture2D", "rind")],
    ),
    "another order": (
        Made(MADE.scripts[::-1], MADE.textures[::-1], MADE.materials[::-1]),
        [],
    ),
    "another texture is used": (
        MADE._replace(scripts=("Bat",), materials=(("Oak", ("bark", "moss")), *MADE.materials[1:])),
        [
            ("-", "MonoScript", "Cat"),
            ("-", "MonoScript", "Dog"),
            ("-", "MonoScript", "Eel"),
            ("~", "Material", "Oak"),
        ],
    ),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("is_back", [False, True])
def test_an_edit_is_told_and_nothing_else(tmp_path: Path, edit: str, *, is_back: bool) -> None:
    made, expected = EDITS[edit]
    paths = tmp_path / "old.bundle", tmp_path / "new.bundle"
    sides = [write(paths[0], MADE), write(paths[1], made, first=40)]
    if is_back:
        sides.reverse()
        back = {"+": "-", "-": "+", "~": "~"}
        names = {"rind": "bark"}
        expected = sorted((back[sign], kind, names.get(name, name)) for sign, kind, name in expected)
    found = compare_bundles(*sides)
    assert found.problems == ()
    assert told(found.changes) == expected
    before, after = theirs(paths[is_back]), theirs(paths[not is_back])
    came, went = after - before, before - after
    if "renamed" not in edit:
        assert came == Counter((kind, name) for sign, kind, name in expected if sign == "+")
        assert went == Counter((kind, name) for sign, kind, name in expected if sign == "-")
    one, two = (open_build(file.name, remember=False) for file in sides)
    whole = [(item.verdict, item.before, item.after) for row in compare(one, two) for item in row.objects]
    assert len(whole) == len(expected), "build diff pairs as bundle diff does"


def test_a_bundle_beside_itself_has_no_difference(tmp_path: Path) -> None:
    file = write(tmp_path / "old.bundle", MADE)
    assert compare_bundles(file, file).changes == ()
    assert compare_bundles(file, write(tmp_path / "new.bundle", MADE, first=900)).changes == ()


def test_values_leave_out_references_that_only_shifted(tmp_path: Path) -> None:
    made, _ = EDITS["another texture is used"]
    found = compare_bundles(write(tmp_path / "old.bundle", MADE), write(tmp_path / "new.bundle", made))
    (oak,) = (row for row in found.changes if row.name == "Oak")
    assert (oak.object, oak.before) == (f"{CAB}:6", f"{CAB}:9")
    (value,) = oak.values
    assert (value.field, value.old, value.new) == ("m_Textures[1]", (0, 7), (0, 5))


def test_a_single_file_is_compared_without_a_name_before_its_numbers(tmp_path: Path) -> None:
    files = []
    for name, scripts in (("old", ("Bat", "Cat")), ("new", ("Cat",))):
        things = [Thing(number, MONO_SCRIPT, script(one)) for number, one in enumerate(scripts, 1)]
        path = tmp_path / name
        path.write_bytes(builder.serialized_file(things, [Kind(MONO_SCRIPT, ())], trees=False))
        files += find_inputs(str(path), lambda _: True)
    found = compare_bundles(*files)
    assert [(row.change, row.object, row.before, row.name) for row in found.changes] == [("-", "1", "", "Bat")]
