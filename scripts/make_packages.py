"""Generate a Unity project whose packages lie in ``Library/PackageCache``: for the tests of packages.

python -m scripts.make_packages FOLDER [--files 20000] [--packages 40]
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

from scripts.arguments import Given, script

_HEAD: Final = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
_FOLDER_FILES: Final = 50


def guid_of(path: str) -> str:
    """Return the GUID of an asset by its path in the project."""
    return hashlib.md5(path.encode(), usedforsecurity=False).hexdigest()


def write_asset(place: Path | str, path: str, text: str, importer: str = "NativeFormatImporter") -> None:
    """Write an asset with its meta at ``place``; its GUID is that of ``path``."""
    Path(place).parent.mkdir(parents=True, exist_ok=True)
    Path(place).write_text(text, "utf-8", newline="")
    meta = f"fileFormatVersion: 2\nguid: {guid_of(path)}\n{importer}:\n  externalObjects: {{}}\n"
    Path(f"{place}.meta").write_text(meta, "utf-8", newline="")


def material(name: str, *targets: str) -> str:
    """Return a material that refers to assets, by their paths."""
    rows = "".join(f"  - {{fileID: 2100000, guid: {guid_of(target)}, type: 2}}\n" for target in targets)
    return f"{_HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: {name}\n  m_Others:\n{rows}"


def build(root: Path | str, files: int = 20_000, packages: int = 40) -> None:
    """Write the project: ``files`` materials over ``packages``, each of which refers to the one before it."""
    root = Path(root)
    for name in ("ProjectSettings", "Packages"):
        (root / name).mkdir(parents=True, exist_ok=True)
    resolved = {}
    before = "Assets/Own.mat"
    for number in range(packages):
        name = f"com.example.package{number:03}"
        resolved[name] = {"version": "1.0.0", "depth": 0, "source": "registry"}
        folder = f"{root}/Library/PackageCache/{name}@1.0.0"
        shown = f"Packages/{name}"
        manifest = json.dumps({"name": name, "version": "1.0.0"})
        write_asset(f"{folder}/package.json", f"{shown}/package.json", manifest, "PackageManifestImporter")
        for place in range(files // packages):
            below = f"Runtime/Part{place // _FOLDER_FILES:03}/Material{place:05}.mat"
            write_asset(f"{folder}/{below}", f"{shown}/{below}", material(f"Material{place:05}", before))
            before = f"{shown}/{below}"
    write_asset(root / "Assets" / "Own.mat", "Assets/Own.mat", material("Own", before))
    manifest = json.dumps({"dependencies": dict.fromkeys(resolved, "1.0.0")})
    (root / "Packages" / "manifest.json").write_text(manifest, "utf-8")
    (root / "Packages" / "packages-lock.json").write_text(json.dumps({"dependencies": resolved}), "utf-8")


@script(__doc__, "folder", files=20_000, packages=40)
def main(given: Given) -> None:
    """Write a project."""
    build(given.folder, given.files, given.packages)
