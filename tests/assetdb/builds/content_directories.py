"""Content directories of three files, with manifest and layout, as public samples of Unity 6.6 have them."""

from __future__ import annotations

import json
from struct import pack
from typing import TYPE_CHECKING

from assetdb_formats.unityfs.content_layout import content_hash
from tests.assetdb.builds.making import KINDS, MATERIAL, TEXTURE, text
from tests.assetdb_formats.unityfs import builder
from tests.assetdb_formats.unityfs.builder import External, Thing

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

A, B, PIXELS = "a" * 32, "b" * 32, "c" * 32
IDENTITY, OTHER = "1" * 32, "2" * 32
GREEN = 1183010003894172340


def content_file(thing: Thing, *externals: str) -> bytes:
    kinds = [kind for kind in KINDS if kind.class_id == thing.class_id]
    return builder.serialized_file([thing], kinds, externals=tuple(map(External, externals)))


def texture() -> bytes:
    pixels = pack("<iQI", 8, 0, 48) + text(f"cah:/{PIXELS}")
    return content_file(Thing(GREEN, TEXTURE, text("Green") + pixels))


def material() -> bytes:
    pointers = pack("<iq", 1, 10753) + pack("<iiq", 1, 2, GREEN)
    return content_file(
        Thing(-77, MATERIAL, text("Leaf") + pointers), "Library/unity default resources", f"{IDENTITY}.cfid"
    )


def rows(**more: object) -> list[dict[str, Any]]:
    return [
        {"Index": 0, "ID": "Library/unity default resources", "IsBuiltIn": True, "SerializedFileDependencies": []},
        {"Index": 1, "ID": f"{IDENTITY}.cfid", "SerializedFileDependencies": [], "ContentHash": A, **more},
        {"Index": 2, "ID": f"{OTHER}.cfid", "SerializedFileDependencies": [0, 1], "ContentHash": B},
    ]


def manifest(files: list[dict[str, Any]]) -> bytes:
    scenes = [{"GUID": OTHER, "Path": "Assets/Main.unity", "SerializedFile": 2}]
    fields = {"Version": 1, "BuildInfo": {"BuildName": "Content"}, "LoadableScenes": scenes, "SerializedFiles": files}
    return json.dumps(fields).encode()


MANIFEST = content_hash([manifest(rows())])


def write_manifest(folder: Path, files: list[dict[str, Any]]) -> None:
    """Write a manifest by its name, instead of another."""
    for other in folder.glob("*.json"):
        other.unlink()
    data = manifest(files)
    (folder / f"{content_hash([data])}.json").write_bytes(data)


def write_layout(folder: Path, sizes: dict[str, tuple[str, int]], **changes: object) -> Path:
    artifacts = [{"ContentHash": key, "Category": kind, "Size": size} for key, (kind, size) in sizes.items()]
    fields: dict[str, object] = {
        "Version": 2,
        "BuildManifestHash": MANIFEST,
        "SerializedFiles": rows(SourceAssets=["Assets/Green.png"]),
        "BinaryArtifacts": artifacts,
    }
    path = folder / "ContentLayout.json"
    path.write_text(json.dumps(fields | changes))
    return path


def write_content(folder: Path) -> Path:
    """Write a texture with its pixels, a material that refers to it, and the manifest."""
    folder.mkdir(parents=True)
    (folder / f"{A}.cf").write_bytes(texture())
    (folder / f"{B}.cf").write_bytes(material())
    (folder / f"{PIXELS}.resS").write_bytes(bytes(48))
    write_manifest(folder, rows())
    return folder
