"""Projects on disk for the tests of builds: a tree of real GUIDs and paths, or a small one of Addressables groups."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from tests.system.graph.project import HEAD, add, add_folder, guid_of

if TYPE_CHECKING:
    from pathlib import Path

GROUP = "bbb281ee3bf0b054c82ac2347e9e782c"
SETTINGS = "468a46d0ae32c3544b7d98094e6448a9"
BUNDLED = "e5d17a21594effb4e9591490b009e7aa"
PLAYER = "b1487f5d688e4f94f828f879d599dbdc"
MONO = f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n"
CONFIG = "Assets/AddressableAssetsData"


def write_tree(root: Path, data: Path) -> Path:
    """Write a project of a folder of the corpus: its Addressables assets, and an empty file for each other path."""
    paths = json.loads((data / "guid_to_path.json").read_text("utf-8"))
    names = {path for path in paths.values() if not path.startswith(f"{CONFIG}/")}
    above = {name.rpartition("/")[0] for name in names}
    for guid, path in paths.items():
        if path in names:
            is_folder = path in above or "." not in path.rpartition("/")[2]
            _write(root / path, guid, None if is_folder else b"x")
    for path, guid in _ours(data).items():
        _write(root / CONFIG / path.relative_to(data), guid, path.read_bytes())
    (root / "ProjectSettings").mkdir(exist_ok=True)
    return root


def _write(target: Path, guid: str, data: bytes | None) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if data is None:
        target.mkdir(exist_ok=True)
    else:
        target.write_bytes(data)
    folder = "folderAsset: yes\n" if data is None else ""
    target.with_name(f"{target.name}.meta").write_text(
        f"fileFormatVersion: 2\nguid: {guid}\n{folder}DefaultImporter:\n"
    )


def _ours(data: Path) -> dict[Path, str]:
    """Return the GUIDs of Addressables' own assets: their metas are not in the corpus, but they name each other."""
    settings = data / "AddressableAssetSettings.asset"
    found = {settings: guid_of("settings")}
    schemas = sorted((data / "AssetGroups/Schemas").glob("*.asset"))
    left = set(
        re.findall(r"guid: (\w{32})", _block((data / "AddressableAssetSettings.asset").read_text(), "GroupAssets"))
    )
    groups = sorted((data / "AssetGroups").glob("*.asset"))
    for group in groups:
        own = re.findall(r"guid: (\w{32})", _block(group.read_text(), "Schemas"))
        guid = re.findall(r"m_[gG](?:UID|uid): (\w{32})", group.read_text())[0]
        mine = [path for path in schemas if path.name.startswith((f"{group.stem}_", f"{guid}_"))]
        found.update(zip(mine, own, strict=False))
        named = {
            found_guid for path in mine for found_guid in re.findall(r"m_[gG]roup: .*guid: (\w{32})", path.read_text())
        }
        if named & left:
            found[group] = min(named & left)
            left.discard(found[group])
    found.update(zip([group for group in groups if group not in found], sorted(left), strict=False))
    return found


def _block(text: str, name: str) -> str:
    """Return the items of a list of an asset."""
    found = re.search(rf"m_{name}:\n((?: *- .*\n)*)", text, re.IGNORECASE)
    return found[1] if found else ""


def script(guid: str) -> str:
    return f"  m_Script: {{fileID: 11500000, guid: {guid}, type: 3}}\n"


def reference(path: str) -> str:
    return f"{{fileID: 11400000, guid: {guid_of(path)}, type: 2}}"


def add_settings(root: Path, *groups: str, extra: str = "") -> None:
    """Write settings that list the groups of these names."""
    listed = "".join(f"  - {reference(f'{CONFIG}/{name}.asset')}\n" for name in groups)
    body = (
        f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{script(SETTINGS)}  m_Name: S\n  m_GroupAssets:\n{listed}{extra}"
    )
    add(root, f"{CONFIG}/Settings.asset", body)


def add_group(root: Path, name: str, *entries: tuple[str, str, tuple[str, ...]], schema: str | None = "") -> None:
    """Write a group: entries are paths (or what stands for a GUID), addresses and labels.

    ``schema`` is the body of its schema for bundles, None for that of the player.
    """
    rows = ""
    for path, address, labels in entries:
        guid = guid_of(path) if "/" in path else path
        listed = "".join(f"\n    - {label}" for label in labels) or " []"
        rows += f"  - m_GUID: {guid}\n    m_Address: {address}\n    m_ReadOnly: 0\n    m_SerializedLabels:{listed}\n"
    own = f"{CONFIG}/{name} Schema.asset"
    rest = f"  m_SchemaSet:\n    m_Schemas:\n    - {reference(own)}\n"
    body = f"{MONO}{script(GROUP)}  m_Name: {name}\n  m_GroupName: {name}\n  m_GUID: {guid_of(name)}\n"
    add(root, f"{CONFIG}/{name}.asset", f"{body}  m_SerializeEntries:\n{rows}{rest}")
    add(root, own, f"{MONO}{script(PLAYER if schema is None else BUNDLED)}  m_Name: x\n{schema or ''}")


def folders(root: Path, *paths: str) -> None:
    for path in paths:
        add_folder(root, path)
