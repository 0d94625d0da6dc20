"""Builds of Unreal Engine and of CrystalEngine, small and whole, for the tests and the fuzz run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb_formats.codecs.city_hash import object_path_hash, package_id
from tests.assetdb_formats.casset.builder import (
    BUNDLE_TYPE,
    bundle3,
    bundle_object,
    object3,
    schema_entry,
    u64,
    uuid,
)
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.assetdb_formats.unreal.iostore.writer import (
    StoredPackage,
    Written,
    chunk_id,
    container_header,
    name_batch,
    script_rows,
    write_container,
    zen_package,
)
from tests.assetdb_formats.unreal.scanning.test_database import package

if TYPE_CHECKING:
    from pathlib import Path

VERSION = 8
ARENA, ROCK = "/Game/Maps/Arena", "/Game/Meshes/Rock"
PACKAGES = {ARENA: [ROCK], ROCK: ["/Engine/Default"]}
PATHS = {ARENA: "Maps/Arena.umap", ROCK: "Meshes/Rock.uasset"}
BULK = b"vertices" * 200
SHADERS = b"shader" * 30
INI = b"[Core]\n"
LEAVES = b"leaves" * 100


def container(*, encryption: int = 0, version: int = VERSION) -> dict[str, bytes]:
    """Return the files of an IoStore container: two packages, bulk data of one, shaders."""
    chunks = [
        Written(
            chunk_id(package_id(name), "ExportBundleData", version),
            zen_package(2, name, [("X", name.encode() * 9)], [], imports),
            PATHS[name],
        )
        for name, imports in PACKAGES.items()
    ]
    header = container_header(5, [StoredPackage(name, imports) for name, imports in PACKAGES.items()])
    chunks += [
        Written(chunk_id(package_id(ROCK), "BulkData", version), BULK, "Meshes/Rock.ubulk"),
        Written(chunk_id(0x77, "ShaderCode", version), SHADERS),
        Written(chunk_id(0x1234, "ContainerHeader", version), header),
    ]
    files = write_container(version, chunks, encryption=encryption, method="Zlib", block_size=512, partition_size=512)
    parts = {f"game_s{n}.ucas" if n else "game.ucas": data for n, data in enumerate(files.partitions)}
    return {"game.utoc": files.toc, **parts}


def scripts() -> dict[str, bytes]:
    """Return the files of the global container: it says that all exports of the writer are actors."""
    paths = ["/Script/Engine", "/Script/Engine.Actor"]
    names, rows = script_rows(paths)
    # what the writer of packages gives every export as its class
    rows = rows.replace((1 << 62 | object_path_hash(paths[1])).to_bytes(8, "little"), (1 << 62).to_bytes(8, "little"))
    files = write_container(VERSION, [Written(bytes(11) + b"\5", name_batch(names) + rows)], indexed=False)
    return {"global.utoc": files.toc, "global.ucas": files.partitions[0]}


def pak(version: int = 11) -> dict[str, bytes]:
    """Return a .pak: a package with its bulk data, and a file of another kind."""
    files = [
        ("Game/Content/Meshes/Tree.uasset", package((ROCK,), class_name="StaticMesh")),
        ("Game/Content/Meshes/Tree.ubulk", LEAVES),
        ("Game/Config/DefaultGame.ini", INI),
    ]
    return {"trees_0_P.pak": write_pak(version, files, method="Zlib")}


def loose() -> dict[str, bytes]:
    """Return packages that are files of their own; two of them have the same bulk data."""
    return {
        "Game/Content/Maps/Town.umap": package(("/Game/House", "/Game/Gone"), class_name="World"),
        "Game/Content/House.uasset": package(class_name="StaticMesh"),
        "Game/Content/House.ubulk": LEAVES,
        "Game/Content/Barn.uasset": package((), ("/Game/House",), class_name="StaticMesh"),
        "Game/Content/Barn.ubulk": LEAVES,
        "Game/readme.txt": b"hello",
    }


def unreal() -> dict[str, bytes]:
    """Return the files of a whole game of Unreal Engine."""
    return {f"Paks/{name}": data for name, data in {**container(), **scripts(), **pak()}.items()} | {"Game.exe": b"MZ"}


CLIFF, SHORE, NOWHERE = (bytes([n]) * 16 for n in (1, 2, 3))
PIXELS = b"pixels" * 50


def bundle(own: bytes, name: str, target: bytes, *, pixels: bytes = PIXELS) -> bytes:
    """Return a bundle with a texture, which has a blob and refers to an object of another bundle."""
    texture = schema_entry(0, "/Code/Game.CE::Texture", [("data", b"\x16"), ("next", b"\x17")])
    blob = u64(len(pixels)) + u64(0) + pixels
    number = own[0] * 10
    objects = [bundle_object(own, name), object3(number, 1, "Tex", "Tex", blob + uuid(target[0] * 10) + target)]
    return bundle3([BUNDLE_TYPE, texture], objects, own=own, name=name)


def crystal() -> dict[str, bytes]:
    """Return the files of a build of CrystalEngine: two bundles with the same pixels, one refers to nothing here."""
    return {
        "Game/Cliff.casset": bundle(CLIFF, "Cliff", SHORE),
        "Game/Shore.casset": bundle(SHORE, "Shore", NOWHERE),
        "Game/notes.txt": b"notes",
    }


def write(folder: Path, files: dict[str, bytes]) -> Path:
    """Write files into a folder, and return it."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder
