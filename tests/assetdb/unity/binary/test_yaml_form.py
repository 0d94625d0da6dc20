"""Binary assets as the text that Unity writes of them, by hand and beside UnityPy."""

from __future__ import annotations

import math
import random
import re
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.unity.binary.opening import as_text, is_damaged
from assetdb.unity.binary.yaml_form import yaml_form
from assetdb.unity.referring.references import binary_references
from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError
from tests.assetdb.unity.binary.binary_assets import SCRIPT_TREE, material, prefab
from tests.assetdb.unity_project import guid
from tests.assetdb_formats.unityfs.builder import STRING, Kind, Packer, Thing, serialized_file, whole_file, within

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"


def test_a_material_is_written_as_with_force_text() -> None:
    expected = f"""{HEAD}--- !u!21 &2100000
Material:
  m_Name: Skin
  m_Shader: {{fileID: 46, guid: 0000000000000000f000000000000000, type: 0}}
  m_Floats:
  - _Cutoff: 0.5
  m_Tags: 0100000002010000
  m_Textures:
  - {{fileID: 2800000, guid: {guid(4)}, type: 3}}
  - {{fileID: 0}}
  m_DoubleSided: 1
"""
    assert yaml_form(material()).decode() == expected


def test_a_prefab_is_written_as_with_force_text() -> None:
    text = yaml_form(prefab()).decode()
    assert text.startswith(f"{HEAD}--- !u!1 &100\nGameObject:\n  m_Component:\n  - component: {{fileID: 101}}\n")
    assert (
        "  m_LocalPosition: {x: 0, y: 1.5, z: 0.1}\n  m_Children:\n  - {fileID: 201}\n  m_Father: {fileID: 0}\n" in text
    )
    assert '  m_Name: "Head #1"\n' in text
    assert f"  m_Script: {{fileID: 11500000, guid: {guid(3)}, type: 3}}\n  m_Name: \n" in text


def test_lists_in_lists_are_written_as_unity_does() -> None:
    vector = ("vector data", " Array Array", "  int size")
    points = (*within(3, vector), "     Vector2f data", *within(6, ("float x", "float y")))
    names = (*within(3, vector), "     string data", *within(5, STRING))
    lists = (" vector m_Paths", "  Array Array", "   int size", *points)
    lists += (" vector m_Rows", "  Array Array", "   int size", *names)
    p = Packer()
    data = p("i", 3) + p("iffff", 2, 1, 2, 3, 4) + p("iff", 1, 5, 6) + p("i", 0)
    data += p("ii", 1, 2) + p.string(b"a") + p.string(b"")
    tree = ("PolygonCollider2D Base", *lists)
    found = yaml_form(serialized_file([Thing(60, 60, data)], [Kind(60, tree)], version=17, target=-2)).decode()
    paths = "  m_Paths:\n  - - {x: 1, y: 2}\n    - {x: 3, y: 4}\n  - - {x: 5, y: 6}\n  - []\n"
    assert found == f"{HEAD}--- !u!60 &60\nPolygonCollider2D:\n{paths}  m_Rows:\n  - - a\n    - \n"


@pytest.mark.parametrize("version", [8, 9, 13, 14, 15, 16, 17, 21, 22, 23])
@pytest.mark.parametrize("big_endian", [False, True])
def test_all_versions_and_byte_orders_have_one_text(version: int, big_endian: bool) -> None:  # noqa: FBT001
    text = yaml_form(whole_file(version, big_endian=big_endian)).decode()
    assert re.findall(r"--- !u!(\d+) &(-?\d+)", text) == [("114", "-20"), ("142", "1"), ("49", "10")]
    assert '  m_Script: "F\xfc\xdfe\\nF\xfc\xdfe\\n' in text
    assert f"{{fileID: 4242, guid: {'0' * 32}, type: 0}}" in text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", ""),
        ("Tree 1", "Tree 1"),
        (" Tree", '" Tree"'),
        ("a: b", '"a: b"'),
        ("- a", '"- a"'),
        ("[Managers] x", '"[Managers] x"'),
        ("> Boss", '"> Boss"'),
        ("] x", '"] x"'),
        ('"\n--- !u!1 &5', '"\\"\\n--- !u!1 &5"'),
        ("\u2122", '"\u2122"'),
    ],
)
def test_texts_cannot_be_taken_for_structure(text: str, written: str) -> None:
    assert f"  m_Name: {written}\n" in yaml_form(material(text)).decode()


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0.1, "0.1"),
        (0.13660979, "0.1366098"),
        (1e-05, "1e-05"),
        (3.4028234663852886e38, "3.4028235e+38"),
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        (3.0, "3"),
    ],
)
def test_a_float_is_the_shortest_text_of_its_precision(number: float, written: str) -> None:
    assert f"  - _Cutoff: {written}\n" in yaml_form(material(cutoff=number)).decode()


def test_a_file_without_type_trees_is_left_as_it_is() -> None:
    data = prefab(trees=False)
    with pytest.raises(UnsupportedError, match="has no type tree"):
        yaml_form(data)
    assert as_text(data) is data
    assert not is_damaged(data)


def test_every_truncated_file_is_damaged() -> None:
    data = prefab()
    for size in range(1, len(data) - 1, 7):
        assert is_damaged(data[:size])
        assert as_text(data[:size]) == data[:size]


def _lying(name: str, count: int) -> bytes:
    """Return an asset whose object is an array of rows of one byte each."""
    tree = ("Liar Base", " vector many", "  Array Array", "   int size", "   Row data", f"    UInt8 {name}")
    data = Packer()("i", count) + bytes(count)
    return serialized_file([Thing(1, 114, data)], [Kind(114, tree)], version=17)


def test_a_type_tree_that_lies_makes_no_text_out_of_proportion() -> None:
    """Each of 200,000 bytes gets a line with a name of 1,000 characters: 200 MB of text."""
    with pytest.raises(UnityFSError, match="out of all proportion"):
        yaml_form(_lying("x" * 1000, 200_000))


def test_a_type_tree_that_lies_makes_no_values_out_of_proportion() -> None:
    """Each of 8,000,000 bytes would be a mapping with one value: 2 GB in memory."""
    with pytest.raises(UnityFSError, match="too many values"):
        yaml_form(_lying("x", 8_000_000))


def test_a_reference_to_a_file_that_is_not_listed_is_an_error() -> None:
    p = Packer()
    script = p("iq", 0, 0) + b"\1\0\0\0" + p("iq", 9, 5) + p.string(b"") + p("iqi", 0, 0, 0)
    with pytest.raises(UnityFSError, match="refers to file 9 of 0"):
        yaml_form(serialized_file([Thing(1, 114, script)], [Kind(114, SCRIPT_TREE)], version=17))


def test_mutations_are_read_or_refused() -> None:
    chance = random.Random(47)
    data = prefab()
    read = 0
    for _ in range(1000):
        case = bytearray(data)
        for _ in range(chance.randint(1, 3)):
            case[chance.randrange(len(case))] = chance.randrange(256)
        try:
            yaml_form(bytes(case))
        except UnityFSError:
            continue
        read += 1
    assert 100 < read < 950


_EXTENSIONS = ("mat", "prefab", "controller", "anim", "mixer", "asset", "physicmaterial", "unity")


def binary_assets(corpus: Path) -> list[Path]:
    """Return the binary assets of real projects."""
    found = []
    for part in ("unity-says", "unity", "buildreports"):
        for path in sorted((corpus / part).rglob("*")):
            known = path.suffix[1:].lower() in _EXTENSIONS and "Library" not in path.parts and path.is_file()
            if known and path.stat().st_size > 64 and not path.parent.name.endswith("_Data"):
                with path.open("rb") as file:
                    if file.read(1) == b"\0" and any(file.read(64)):
                        found.append(path)
    return found


def _are_equal(ours: Any, theirs: Any) -> bool:  # noqa: ANN401 - YAML and UnityPy have no types
    """Whether a value of the text is UnityPy's."""
    waiting = [(ours, theirs)]
    while waiting:
        one, other = waiting.pop()
        if isinstance(other, dict) and {"m_FileID", "m_PathID"} == set(other):
            if int(one["fileID"]) != other["m_PathID"]:
                return False
        elif isinstance(other, dict):
            if isinstance(one, str):  # a GUID or a hash
                continue
            if list(one) != list(other) and len(other) != 1:
                return False
            waiting += zip(one.values(), other.values(), strict=True)
        elif isinstance(other, tuple) and isinstance(one, dict) and len(one) == 1:
            waiting += [(next(iter(one)), other[0]), (next(iter(one.values())), other[1])]
        elif isinstance(other, tuple):
            waiting += zip(one.values(), other, strict=True)
        elif isinstance(other, list | bytes) and isinstance(one, str):
            count = len(other) if isinstance(other, bytes) else len(one)
            if len(one) % 2 or (isinstance(other, bytes) and (bytes.fromhex(one) != other or count != len(other))):
                return False
        elif isinstance(other, list):
            waiting += zip(one, other, strict=True)
        elif isinstance(other, bool | int):
            if int(one) != int(other):
                return False
        elif isinstance(other, float):
            number = float(one)
            if not (math.isnan(number) and math.isnan(other)) and not math.isclose(number, other, rel_tol=1e-6):
                return False
        elif one != other:
            return False
    return True


@pytest.mark.long
@pytest.mark.corpus("unity-says", "unity/BoatAttack", "unity/FPSSample", "unity/daggerfall-unity")
def test_real_assets_have_the_values_that_unitypy_reads(corpus: Path) -> None:
    unitypy = pytest.importorskip("UnityPy")
    yaml = pytest.importorskip("yaml")
    objects = files = 0
    for path in binary_assets(corpus):
        data = path.read_bytes()
        if len(data) > 400_000:
            continue
        text = yaml_form(data).decode()
        documents = re.split(r"^--- !u!(\d+) &(-?\d+)(?: stripped)?\n", text, flags=re.MULTILINE)[1:]
        ours = {int(documents[at + 1]): (int(documents[at]), documents[at + 2]) for at in range(0, len(documents), 3)}
        theirs = {item.path_id: item for item in unitypy.load(data).objects}
        assert ours.keys() == theirs.keys(), path
        for file_id, (class_id, body) in ours.items():
            found = theirs[file_id]
            assert class_id == found.class_id, path
            value = next(iter(yaml.load(body, Loader=yaml.CBaseLoader).values()))
            assert _are_equal(value, found.read_typetree()), (path, file_id)
            objects += 1
        files += 1
    assert files > 200
    assert objects > 3000


def _pointers(value: Any) -> Iterator[tuple[int, int]]:  # noqa: ANN401 - UnityPy has no types
    """Yield file and PathID of each pointer in a value."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict) and one.keys() == {"m_FileID", "m_PathID"}:
            yield one["m_FileID"], one["m_PathID"]
        elif isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list | tuple):
            waiting += one


@pytest.mark.long
@pytest.mark.corpus("unity-says", "unity/BoatAttack", "unity/FPSSample", "unity/daggerfall-unity")
def test_real_assets_have_the_references_that_unitypy_reads(corpus: Path) -> None:
    unitypy = pytest.importorskip("UnityPy")
    total = 0
    for path in binary_assets(corpus):
        data = path.read_bytes()
        if len(data) > 400_000:
            continue
        ours = set(re.findall(r"\{fileID: (-?\d+), guid: ([0-9a-f]{32})", yaml_form(data).decode()))
        file = unitypy.load(data).files
        objects = [item for one in file.values() for item in one.objects.values()]
        theirs = set()
        for item in objects:
            guids = [re.sub("(.)(.)", r"\2\1", bytes(each.guid).hex()) for each in item.assets_file.externals]
            pointers = _pointers(item.read_typetree())
            theirs |= {(str(number), guids[at - 1]) for at, number in pointers if at}
        # What is built in has a path alone in some files.
        built_in = "0" * 16
        theirs = {found for found in theirs if not found[1].startswith(built_in)}
        assert {found for found in ours if not found[1].startswith(built_in)} == theirs, path
        assert {guid.encode() for _, guid in theirs} <= binary_references(data).certain
        total += len(theirs)
    assert total > 1000


NESTED_TREE = (
    "Thing Base",
    " Range m_Range",
    "  float low",
    "  Inner m_Inner",
    "   int depth",
    "   GUID m_Guid",
    *(f"    unsigned int data[{number}]" for number in range(4)),
    " Hash128 m_Hash",
    *(f"  UInt8 bytes[{number}]" for number in range(16)),
    " vector m_Rows",
    "  Array Array",
    "   int size",
    "   Range data",
    "    float low",
    "    Inner m_Inner",
    "     int depth",
    " vector m_Empty",
    "  Array Array",
    "   int size",
    "   int data",
    " int m_Last",
)


def test_structures_are_written_in_lines_of_their_own() -> None:
    p = Packer()
    data = p("fi", 0.5, 7) + p("IIII", 0x76543210, 0xFEDCBA98, 0x0A, 0) + bytes(range(16))
    data += p("i", 2) + p("fifi", 1.5, 1, 2.5, 2) + p("ii", 0, 9)
    text = yaml_form(serialized_file([Thing(1, 900, data)], [Kind(900, NESTED_TREE)], version=17, target=-2)).decode()
    assert (
        text
        == f"""{HEAD}--- !u!900 &1
Thing:
  m_Range:
    low: 0.5
    m_Inner:
      depth: 7
      m_Guid: 0123456789abcdefa000000000000000
  m_Hash: 000102030405060708090a0b0c0d0e0f
  m_Rows:
  - low: 1.5
    m_Inner:
      depth: 1
  - low: 2.5
    m_Inner:
      depth: 2
  m_Empty: []
  m_Last: 9
"""
    )
