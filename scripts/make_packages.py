"""Generate a Unity project whose packages lie in ``Library/PackageCache``: for the bench and the tests of packages.

::

    python -m scripts.make_packages FOLDER [--files 20000] [--packages 40]
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import Final

from scripts.arguments import arguments

_HEAD: Final = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
_FOLDER_FILES: Final = 50


def guid_of(path: str) -> str:
    """Return the GUID of an asset by its path in the project."""
    return hashlib.md5(path.encode(), usedforsecurity=False).hexdigest()


def write_asset(place: str, path: str, text: str, importer: str = "NativeFormatImporter") -> None:
    """Write an asset with its meta at ``place``; its GUID is that of ``path``."""
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    with open(f"{place}.meta", "w", encoding="utf-8", newline="") as file:
        file.write(f"fileFormatVersion: 2\nguid: {guid_of(path)}\n{importer}:\n  externalObjects: {{}}\n")


def material(name: str, *targets: str) -> str:
    """Return a material that refers to assets, by their paths."""
    rows = "".join(f"  - {{fileID: 2100000, guid: {guid_of(target)}, type: 2}}\n" for target in targets)
    return f"{_HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: {name}\n  m_Others:\n{rows}"


def build(root: str, files: int = 20_000, packages: int = 40) -> None:
    """Write the project: ``files`` materials over ``packages``, each of which refers to the one before it."""
    os.makedirs(os.path.join(root, "ProjectSettings"), exist_ok=True)
    resolved = {}
    before = "Assets/Own.mat"
    for number in range(packages):
        name = f"com.example.package{number:03}"
        resolved[name] = {"version": "1.0.0", "depth": 0, "source": "registry"}
        folder = os.path.join(root, "Library", "PackageCache", f"{name}@1.0.0")
        shown = f"Packages/{name}"
        manifest = json.dumps({"name": name, "version": "1.0.0"})
        write_asset(os.path.join(folder, "package.json"), f"{shown}/package.json", manifest, "PackageManifestImporter")
        for place in range(files // packages):
            below = f"Runtime/Part{place // _FOLDER_FILES:03}/Material{place:05}.mat"
            path = f"{shown}/{below}"
            write_asset(os.path.join(folder, below), path, material(f"Material{place:05}", before))
            before = path
    write_asset(os.path.join(root, "Assets", "Own.mat"), "Assets/Own.mat", material("Own", before))
    os.makedirs(os.path.join(root, "Packages"), exist_ok=True)
    for name, content in (
        ("manifest.json", {"dependencies": dict.fromkeys(resolved, "1.0.0")}),
        ("packages-lock.json", {"dependencies": resolved}),
    ):
        with open(os.path.join(root, "Packages", name), "w", encoding="utf-8") as file:
            json.dump(content, file)


def main() -> None:
    """Write a project."""
    given = arguments(__doc__, "folder", files=20_000, packages=40)
    build(str(given.folder), given.files, given.packages)


if __name__ == "__main__":
    main()
