"""Containers of a small game, for the tests of what reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb_formats.codecs.city_hash import package_id
from tests.assetdb_formats.unreal.iostore.writer import (
    Files,
    StoredPackage,
    Written,
    chunk_id,
    container_header,
    write_container,
    zen_package,
)

if TYPE_CHECKING:
    from pathlib import Path

PACKAGES = {"/Game/Maps/Arena": ["/Game/Meshes/Rock"], "/Game/Meshes/Rock": ["/Engine/Default"]}


def build(
    version: int = 8, *, encryption: int = 0, rock: bytes = b"rock data", rock_path: str = "Meshes/Rock.uasset"
) -> Files:
    paths = {"/Game/Maps/Arena": "Maps/Arena.umap", "/Game/Meshes/Rock": rock_path}
    chunks = [
        Written(
            chunk_id(package_id(name), "ExportBundleData", version),
            zen_package(2, name, [("X", rock if "Rock" in name else b"map")], [], imports),
            paths[name],
        )
        for name, imports in PACKAGES.items()
    ]
    header = container_header(5, [StoredPackage(name, imports) for name, imports in PACKAGES.items()])
    chunks.append(Written(chunk_id(0x1234, "ContainerHeader", version), header))
    return write_container(version, chunks, encryption=encryption, method="Zlib", partition_size=256)


def zen_size(name: str) -> int:
    data = b"rock data" if "Rock" in name else b"map"
    return len(zen_package(2, name, [("X", data)], [], PACKAGES[name]))


def save(folder: Path, name: str, files: Files) -> str:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.utoc").write_bytes(files.toc)
    for number, data in enumerate(files.partitions):
        (folder / (f"{name}_s{number}.ucas" if number else f"{name}.ucas")).write_bytes(data)
    return str(folder / f"{name}.utoc")
