"""Writes players and bundles of every shape that a build has, for the tests, the bench and the fuzz run."""

from __future__ import annotations

import re
from struct import pack
from typing import TYPE_CHECKING, NamedTuple

from assetdb_formats.unityfs.types.layouts import program_for
from tests.assetdb_formats.dotnet.assembly_writer import assembly
from tests.assetdb_formats.unityfs import builder
from tests.assetdb_formats.unityfs.builder import POINTER, STRING, External, Kind, Thing, within

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

VERSION = "2022.3.1f1"
TEXTURE, MATERIAL, GAME_OBJECT, TRANSFORM, MONO_BEHAVIOUR, MONO_SCRIPT, ASSET_BUNDLE = 28, 21, 1, 4, 114, 115, 142
BUILD_SETTINGS, PLAYER_SETTINGS, RESOURCE_MANAGER = 141, 129, 147

TEXTURE_TREE = (
    "Texture2D Base",
    " string m_Name",
    *within(1, STRING),
    " int m_Width",
    " StreamingInfo m_StreamData",
    "  UInt64 offset",
    "  unsigned int size",
    "  string path",
    *within(2, STRING),
)
MATERIAL_TREE = (
    "Material Base",
    " string m_Name",
    *within(1, STRING),
    " PPtr<Shader> m_Shader",
    *within(1, POINTER),
    " vector m_Textures",
    "  Array Array",
    "   int size",
    "   PPtr<Texture> data",
    *within(3, POINTER),
)
CODE = assembly(
    "Assembly-CSharp",
    {"Game.Picker : UnityEngine.MonoBehaviour": ("public int picked", "public UnityEngine.UI.Image icon")},
)
"""The DLL of a player; what its script holds is not known, for that of the user interface is not there."""
KINDS = [Kind(TEXTURE, TEXTURE_TREE), Kind(MATERIAL, MATERIAL_TREE), Kind(ASSET_BUNDLE, builder.ASSET_BUNDLE_TREE)]


class Texture(NamedTuple):
    """A texture whose pixels lie in the resource data of its bundle."""

    path_id: int
    name: str
    pixels: bytes
    path: str = ""


class Material(NamedTuple):
    """A material, and file ID and PathID of its textures."""

    path_id: int
    name: str
    textures: tuple[tuple[int, int], ...]
    path: str = ""


def text(value: str) -> bytes:
    data = value.encode()
    return pack("<i", len(data)) + data + bytes(-len(data) % 4)


def bundle(
    cab: str,
    name: str,
    assets: Sequence[Texture | Material],
    externals: tuple[str, ...] = (),
    *,
    compression: int = 3,
    unity_version: str = VERSION,
) -> bytes:
    """Return a bundle with type trees; the pixels of its textures lie in ``CAB.resS``, of equal ones once."""
    pixels = b""
    things = []
    container = b""
    count = 0
    for asset in assets:
        if isinstance(asset, Texture):
            at = pixels.find(asset.pixels) if asset.pixels in pixels else len(pixels)
            pixels += b"" if at < len(pixels) else asset.pixels
            data = text(asset.name) + pack("<iQI", 8, at, len(asset.pixels)) + text(f"archive:/{cab}/{cab}.resS")
            things.append(Thing(asset.path_id, TEXTURE, data))
        else:
            data = text(asset.name) + pack("<iq", 0, 0) + pack("<i", len(asset.textures))
            data += b"".join(pack("<iq", *pointer) for pointer in asset.textures)
            things.append(Thing(asset.path_id, MATERIAL, data))
        if asset.path:
            container += text(asset.path) + pack("<iiiq", 0, 0, 0, asset.path_id)
            count += 1
    table = text(name) + pack("<i", 0) + pack("<i", count) + container + pack("<iiiq", 0, 0, 0, 0) + pack("<I", 1)
    table += text(name) + pack("<i", 0) + bytes(4)
    things.append(Thing(1, ASSET_BUNDLE, table))
    own = builder.serialized_file(
        sorted(things),
        KINDS,
        externals=tuple(External(other if "/" in other else f"archive:/{other}/{other}") for other in externals),
        unity_version=unity_version,
    )
    files = [(cab, own)] + ([(f"{cab}.resS", pixels)] if pixels else [])
    return builder.archive(files, compression=compression)


def fill(
    class_id: int,
    name: str = "",
    pointers: tuple[tuple[int, int], ...] = (),
    stream: tuple[str, int, int] = ("", 0, 0),
    version: str = VERSION,
) -> bytes:
    """Return the bytes of an object of a class as its program has them: empty arrays but for those of pointers."""
    program = program_for(class_id, version)
    tokens = re.findall(r"\d+|[a-zA-Z\[\]]", program.text if program is not None else "")
    data = b""
    left = list(pointers)
    place = 0
    while place < len(tokens):
        word = tokens[place]
        if word == "[":
            end = tokens.index("]", place)  # no class that is made here has arrays in arrays
            count = len(left) if tokens[place + 1 : end] == ["p"] else 0
            data += pack("<i", count) + b"".join(pack("<iq", *left.pop(0)) for _ in range(count))
            place = end
        elif word.isdigit():
            data += bytes(int(word))
        elif word == "a":
            data += bytes(-len(data) % 4)
        elif word in "ns":
            value = (name if word == "n" else "").encode()
            data += pack("<i", len(value)) + value
        elif word == "p":
            data += pack("<iq", *(left.pop(0) if left else (0, 0)))
        elif word in "rR":
            path, offset, size = stream
            data += pack("<II" if word == "r" else "<QI", offset, size) + text(path)
        place += 1
    return data + bytes(-len(data) % 4)


def script(name: str, namespace: str = "Game", where: str = "Assembly-CSharp.dll") -> bytes:
    """Return a MonoScript."""
    return text(name) + bytes(20) + text(name) + text(namespace) + text(where)


def player(
    folder: Path, *, version: str = VERSION, scenes: tuple[str, ...] = ("Assets/Main.unity",), product: str = "0" * 32
) -> Path:
    """Write a player without type trees: managers, a scene, and assets whose pixels lie beside them."""
    folder.mkdir(parents=True)

    def write(name: str, things: list[Thing], externals: tuple[str, ...] = ()) -> None:
        kinds = [Kind(number, ()) for number in dict.fromkeys(thing.class_id for thing in things)]
        others = tuple(External(path) for path in externals)
        data = builder.serialized_file(things, kinds, trees=False, externals=others, unity_version=version)
        (folder / name).write_bytes(data)

    guid = bytes.fromhex("".join(product[place : place + 2][::-1] for place in range(0, 32, 2)))  # nibbles swapped
    settings = guid + bytes(20) + text("Orchard Ltd") + text("Apples") + bytes(4096)
    build = pack("<i", len(scenes)) + b"".join(map(text, scenes)) + bytes(64)
    resources = pack("<i", 1) + text("fruit/apple") + pack("<iq", 2, 3) + pack("<i", 0)
    write(
        "globalgamemanagers",
        [
            Thing(1, PLAYER_SETTINGS, settings),
            Thing(2, BUILD_SETTINGS, build),
            Thing(3, RESOURCE_MANAGER, resources),
        ],
        ("globalgamemanagers.assets", "sharedassets0.assets", "library/unity default resources"),
    )
    write("globalgamemanagers.assets", [Thing(9, MONO_SCRIPT, script("Picker"))])
    behaviour = pack("<iq", 0, 10) + b"\1\0\0\0" + pack("<iq", 0, 77) + text("") + bytes(8)
    write(
        "level0",
        [
            Thing(10, GAME_OBJECT, fill(GAME_OBJECT, "Tree", ((0, 11), (0, 12)), version=version)),
            Thing(11, TRANSFORM, fill(TRANSFORM, "", ((0, 10),), version=version)),
            Thing(12, MONO_BEHAVIOUR, behaviour),
            Thing(77, MONO_SCRIPT, script("Picker")),
        ],
        ("globalgamemanagers.assets", "sharedassets0.assets"),
    )
    stream = ("sharedassets0.assets.resS", 16, 48)
    write(
        "sharedassets0.assets",
        [
            Thing(3, TEXTURE, fill(TEXTURE, "apple", (), stream, version=version)),
            Thing(4, TEXTURE, fill(TEXTURE, "apple again", (), stream, version=version)),
        ],
    )
    (folder / "sharedassets0.assets.resS").write_bytes(bytes(range(80)))
    (folder / "Managed").mkdir()
    (folder / "Managed/Assembly-CSharp.dll").write_bytes(CODE)
    return folder
