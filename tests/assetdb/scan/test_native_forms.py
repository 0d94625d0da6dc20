"""Metas, binary assets and JSON in texts, told by the native module as Python tells them."""

from __future__ import annotations

import itertools
import random
import struct
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.scan.native import Judge
from assetdb.scan.reader import DirectoryReader
from assetdb_formats.unityfs.types.typetree import COMMON_STRINGS
from tests.assetdb.scan.test_fast_path import OTHER, YAML
from tests.assetdb.scan.test_native import (
    HERE,
    IN_THREADS,
    PURE,
    TAILS,
    assert_same,
    fixture_module,
    fixture_native,
    put,
    read,
)
from tests.assetdb.unity.binary.binary_assets import material, named, scriptable_object
from tests.assetdb_formats.unityfs.builder import STRING, External, Kind, Thing, serialized_file, within
from tests.long_cases import long_after

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["fixture_module", "fixture_native"]

PROBES, LIGHTING = 258, 1120
LIGHT = named((25800000, PROBES, "LightProbes"), (112000002, LIGHTING, "LightingData"))
BINARY = {
    "LightingData.asset": (LIGHT, b"  mainObjectFileID: 25800000\n"),
    "Other.asset": (LIGHT, b"  mainObjectFileID: 112000002\n"),
    "NavMesh.asset": (named((23800000, 238, "NavMesh")), b"  mainObjectFileID: 23800000\n"),
    "hash.asset": (
        serialized_file(
            [Thing(112000000, LIGHTING, b"\1\0\0\0\4\0\0\0Lamp" + bytes(16))],
            [
                Kind(
                    LIGHTING,
                    ("LightingDataAsset Base", " int m_Flags", " string m_Name", *within(1, STRING), " Hash128 m_Hash"),
                )
            ],
            target=-2,
        ),
        b"  mainObjectFileID: 112000000\n",
    ),
    "refers.mat": (material(), b"  mainObjectFileID: 2100000\n"),
}
PLUGIN = b"PluginImporter:\n  isPreloaded: 0\n  platformData:\n"
KNOWN = {
    "plugin.dll": PLUGIN
    + b"  - first:\n      '': Any\n    second:\n      enabled: 0\n      settings:\n        Exclude Editor: 0\n"
    + TAILS[0],
    "hash.fbx": b"ModelImporter:\n  serializedVersion: 22\n  fileIDToRecycleName:\n    100000: //RootNode\n  meshes:\n"
    b"    lODScreenPercentages: []\n    scale: 0.01\n  userData: ab4209c2a395c792\n  assetBundleName: \n"
    b"  assetBundleVariant: \n",
    "shader.mat": b'NativeFormatImporter:\n  userData: \'{"m_guids":["%b",""]}\'\n  assetBundleName: \n'
    b"  assetBundleVariant: \n" % OTHER,
    "bare.cs": b"MonoImporter:\n  icon: {instanceID: 0}\n  userData:\n  assetBundleName:\n  assetBundleVariant:\n",
    "quotes.cs": b"MonoImporter:\n  userData: ''\n  assetBundleName: ''\n  assetBundleVariant: ''\n",
    "short.cs": b"MonoImporter:\n  defaultReferences: []\n  userData: \n",
    "graph.cs": b"ScriptedImporter:\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
    b"  script: {fileID: 11500000, guid: %b, type: 3}\n" % OTHER,
    "large.fbx": b"ModelImporter:\n  clips:\n" + b"  - name: 'a: b'\n    mask: \n" * 900 + TAILS[2],
}
ODD = {
    "broken.cs": b"MonoImporter:\n  userData: 'a' b\n  assetBundleName: \n  assetBundleVariant: \n",
    "deeper.cs": b"MonoImporter:\n  userData: x\n    deeper: y\n  assetBundleName: \n  assetBundleVariant: \n",
    "ends.cs": b"MonoImporter:\n  userData: \n  assetBundleName: \n  assetBundleVariant:",
    "bundle.cs": b"MonoImporter:\n  userData: x\n  assetBundleName: hero\n  assetBundleVariant: \n",
    "wraps.cs": b"MonoImporter:\n  userData: x\n  assetBundleName: \n    hero\n  assetBundleVariant: \n",
}
FIELD = rb"{\"fileID\":2800000,\"guid\":\"%b\",\"type\":3}" % OTHER
JSON = {
    "effect.asset": b"  m_Text: '%b'\n" % FIELD.replace(b"\\", b""),
    "graph.asset": b'  m_Text: "%b"\n' % FIELD,
    "lines.asset": b'  m_Text: "{\\n    \\"fileID\\": -5,\\r\\n\\t\\"guid\\" : \\"%b\\"}"\n' % OTHER,
    "id.asset": b'  m_Text: \'{"guid":"%b"}\'\n' % OTHER,
}
PIECES = (
    *(b"\n", b"  ", b"- ", b"key", b":", b": ", b"''", b"'", b'"', b"x y", b"{}", b"{a: b, c: 1}", b"[]", b"-1", b"#"),
    *(
        b"  userData:",
        b"  assetBundleName:",
        b" guid: ",
        OTHER,
        b",",
        b"}",
        b"\r",
        b"|",
        b"...",
        b"\t",
        b"\xc3\xa9",
        b"'': ",
    ),
)


def test_names_of_the_common_table_are_those_of_the_reader() -> None:
    source = (Path(__file__).parents[3] / "native/src/binary.rs").read_text()
    table = source.partition('COMMON_STRINGS: &[u8] = b"')[2].partition('";')[0].replace("\\\n", "")
    assert table.split("\\0")[:-1] == list(COMMON_STRINGS.values())


def put_all(folder: Path, metas: dict[str, bytes], data: bytes) -> None:
    folder.mkdir()
    for number, (name, own) in enumerate(metas.items(), 1):
        put(folder / name, data)
        put(folder / f"{name}.meta", b"fileFormatVersion: 2\nguid: %032x\n" % number + own)


def assert_known(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read a tree without Python's reading and judging, and with them alone."""
    since = time.time_ns() + 60_000_000_000
    pure = read(root, since=since, way=PURE, roots=[b"Assets"])
    monkeypatch.setattr(DirectoryReader, "read", None)
    for name in ("meta", "row", "references"):
        monkeypatch.setattr(Judge, name, None)
    for way in (IN_THREADS, HERE):
        assert read(root, since=since, way=way, roots=[b"Assets"]).directories == pure.directories
    assert not pure.directories[b"Assets"].file_diagnostics


def test_metas_of_which_all_lines_are_sound_are_known(
    tmp_path: Path, native: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert native.VERSION
    put_all(tmp_path / "Assets", KNOWN, YAML + b"--- !u!21 &2100000\nMaterial:\n  m_Name: a\n")
    assert_known(tmp_path, monkeypatch)


def test_binary_assets_are_known(tmp_path: Path, native: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    assert native.VERSION
    put_all(
        tmp_path / "Assets",
        {name: b"NativeFormatImporter:\n" + own + TAILS[0] for name, (_, own) in BINARY.items()},
        b"",
    )
    for name, (data, _) in BINARY.items():
        put(tmp_path / "Assets" / name, data)
    assert_known(tmp_path, monkeypatch)


def test_keys_that_a_texture_has_twice_are_read_alike(tmp_path: Path, native: ModuleType) -> None:
    """Of two ``userData`` Python takes the last, none where the meta ends as Unity's do."""
    assert native.VERSION
    twice = b"TextureImporter:\n  userData: %b\n  spritePackingTag: ''\n" % OTHER
    ends = {"ends.png": TAILS[0], "last.png": b"  userData: \n  x: 1\n", "both.png": b"  userData: %b\n" % OTHER}
    put_all(tmp_path / "Assets", {name: twice + end for name, end in ends.items()}, b"x")
    assert_same(tmp_path)


def test_a_place_within_a_common_word_is_read_alike(tmp_path: Path, native: ModuleType) -> None:
    """Python names it by its number; the end of ``unsigned int`` is no ``int``."""
    assert native.VERSION
    places = {word: place for place, word in COMMON_STRINGS.items()}
    tree = ("LightingDataAsset Base", " unsigned short m_Flags", " string m_Name", *within(1, STRING))
    data = serialized_file(
        [Thing(112000002, LIGHTING, b"\4\0\0\0" + b"\4\0\0\0Next"), Thing(25800000, LIGHTING, b"\4\0\0\0Lamp")],
        [Kind(LIGHTING, tree)],
        target=-2,
    )
    field, within_word = (
        struct.pack("<I", 1 << 31 | place) for place in (places["unsigned short"], places["unsigned int"] + 9)
    )
    assert data.count(field) == 1
    main = b"NativeFormatImporter:\n  mainObjectFileID: 25800000\n" + TAILS[0]
    put_all(tmp_path / "Assets", {"Lamp.asset": main}, data.replace(field, within_word))
    assert_same(tmp_path)


def test_references_in_json_are_known(tmp_path: Path, native: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    assert native.VERSION
    put_all(tmp_path / "Assets", dict.fromkeys(JSON, b"NativeFormatImporter:\n" + TAILS[0]), b"")
    for name, line in JSON.items():
        put(tmp_path / "Assets" / name, YAML + b"--- !u!114 &11400000\nMonoBehaviour:\n" + line)
    assert_known(tmp_path, monkeypatch)


def test_metas_that_unity_refuses_are_told(tmp_path: Path, native: ModuleType) -> None:
    assert native.VERSION
    put_all(tmp_path / "Assets", ODD, b"x")
    for found in assert_same(tmp_path):
        assert b"broken-asset" in found.directories[b"Assets"].file_diagnostics


@pytest.mark.parametrize("case", long_after(1, range(20)))
def test_metas_of_random_lines_are_read_alike(tmp_path: Path, native: ModuleType, case: int) -> None:
    assert native.VERSION
    chosen = random.Random(case)
    metas = {}
    for number in range(300):
        name, own = chosen.choice(sorted((KNOWN | ODD).items()))
        for _ in range(chosen.randrange(4)):
            place = chosen.randrange(len(own) + 1)
            end = min(len(own), place + chosen.choice((0, 0, 1, 6)))
            own = own[:place] + b"".join(chosen.choices(PIECES, k=chosen.randrange(3))) + own[end:]
        metas[f"{number}{name}"] = own
    put_all(tmp_path / "Assets", metas, YAML)
    assert_same(tmp_path)


@pytest.mark.parametrize("case", long_after(1, range(20)))
def test_damaged_binary_assets_are_read_alike(tmp_path: Path, native: ModuleType, case: int) -> None:
    assert native.VERSION
    chosen = random.Random(case)
    named_tree = (
        "LightingDataAsset Base",
        " unsigned int m_Flags",
        " bool m_On!",
        " string m_Name",
        *within(1, STRING),
    )
    bare_tree = ("LightProbes Base", " float x", " Vector2f v", "  float x", "  float y")
    kinds = [Kind(LIGHTING, named_tree), Kind(PROBES, bare_tree)]
    whole = [
        serialized_file(
            [Thing(112000002, LIGHTING, b"\1\0\0\0\1\0\0\0\4\0\0\0Lamp"), Thing(25800000, PROBES, bytes(12))],
            kinds,
            version=version,
            big_endian=version == 21 and case % 2 == 0,
            externals=(External("Library/x", OTHER.decode(), 2),),
        )
        for version in range(16, 24)
    ]
    whole += [LIGHT, material(), scriptable_object("Item", ((-5, "Part"), (7, "")))]
    files = {}
    for number in range(300):
        data = bytearray(chosen.choice(whole))
        for _ in range(chosen.randrange(3)):
            data[chosen.randrange(len(data))] = chosen.choice((0, 1, 4, 255, chosen.randrange(256)))
        files[f"{number}.asset"] = bytes(
            data[: chosen.choice((len(data), len(data), len(data), chosen.randrange(len(data))))]
        )
    ids = itertools.cycle((0, 25800000, 112000002, 11400000))
    metas = {name: b"NativeFormatImporter:\n  mainObjectFileID: %d\n" % next(ids) + TAILS[0] for name in files}
    put_all(tmp_path / "Assets", metas, b"")
    for name, data in files.items():
        put(tmp_path / "Assets" / name, data)
    assert_same(tmp_path)
