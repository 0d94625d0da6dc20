"""A project with packages: those of the package cache, of a folder beside it, and absent ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.assetdb.unity_project import HEAD, guid, write

if TYPE_CHECKING:
    from pathlib import Path

NATIVE = "NativeFormatImporter:\n"
TMP = "f4688fdb7df04437aeb418b961361dc5"  # TextMeshProUGUI
TEXT = "Packages/com.unity.textmeshpro/Scripts/Runtime/TextMeshProUGUI.cs"
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"


def body(*targets: int) -> str:
    rows = "".join(f"  f{number}: {{fileID: 11400000, guid: {guid(number)}, type: 2}}\n" for number in targets)
    return f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{rows}"


def make_root(root: Path) -> Path:
    for name in ("Assets", "ProjectSettings", "Packages"):
        (root / name).mkdir(parents=True)
    return root


def depend(root: Path, **versions: str) -> None:
    """List packages in the manifest; ``_`` in a name is a dot."""
    names = {name.replace("_", "."): version for name, version in versions.items()}
    (root / "Packages/manifest.json").write_text(json.dumps({"dependencies": names}))


def cached(root: Path, name: str = "com.acme.tools", version: str = "1.0.0") -> Path:
    """Make a package of the package cache; return its folder."""
    return package(root / "Library/PackageCache" / f"{name}@{version}", name, version)


def package(folder: Path, name: str = "com.acme.local", version: str = "1.0.0") -> Path:
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"name": name, "version": version}))
    return folder


def put(folder: Path, path: str, number: int, *targets: int) -> None:
    write(folder, path, number, body(*targets), NATIVE)


def text_user(root: Path, path: str = "Assets/Text.asset", number: int = 50) -> None:
    """Write an asset with a script of TextMeshPro, which is not here."""
    script = f"  m_Script: {{fileID: 11500000, guid: {TMP}, type: 3}}\n"
    write(root, path, number, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{script}", NATIVE)


def tools_and_text(folder: Path) -> Path:
    """Make a project whose assets use a cached package and an absent one; return its root."""
    root = make_root(folder)
    put(cached(root), "a.asset", 12)
    put(root, "Assets/user.asset", 40, 12)
    text_user(root)
    depend(root, com_acme_tools="1.0.0", com_unity_textmeshpro="3.0.6")
    return root
