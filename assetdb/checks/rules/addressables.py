"""Addressables entries without an asset.

The build leaves them out, and loading the address fails.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import ADDRESSABLES_ENTRY
from assetdb.packages.belonging import LOST
from assetdb.resolve.resolver import MISSING_ASSET
from assetdb.unity.kinds import ASSET_MAIN, PREFAB_MAIN
from assetdb.unity.referring.guid_shapes import UNREADABLE
from assetdb.unity.settings.addressables import GROUP_SCRIPT
from assetdb.unity.yaml.objects import NO_GUID, is_guid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

_NO_ASSETS: Final = ("EditorSceneList", "Resources")  # entries of the package itself
_ENTRIES: Final = re.compile(rb"^  m_SerializeEntries:[ \t]*\r?\n", re.MULTILINE)
_END: Final = re.compile(rb"^(?:  \w|---)", re.MULTILINE)
_ENTRY: Final = re.compile(
    rb"^  - m_GUID: ?([^\r\n]{0,80}?)[ \t]*\r?\n(?:    m_Address: ([^\r\n]*)\r?\n)?|^  - ", re.MULTILINE
)


def find_entries(project: View) -> Iterator[Finding]:
    """Yield entries with a GUID that nothing, or only a meta, has."""
    for asset in project.database.of_script(GROUP_SCRIPT):
        data = project.read(asset.path) or b""
        for number, (guid, address, line) in enumerate(_written_entries(data)):
            why = _why(project, guid) if guid is not None and guid not in _NO_ASSETS else ""
            if why:
                yield Finding.of(
                    ADDRESSABLES_ENTRY,
                    asset.path,
                    f"the entry {address!r} has no asset: {why}",
                    line,
                    f"{asset.name} (AddressableAssetGroup)",
                    f"m_SerializeEntries[{number}].m_GUID",
                    asset.guid,
                    ASSET_MAIN,
                    guid if guid is not None and is_guid(guid) else "",
                )


def group_entries(data: bytes) -> list[tuple[str, str, int]]:
    """Return GUID (``""`` if no asset), address and line of entries."""
    rows = _written_entries(data)
    return [(guid, address, line) if guid and is_guid(guid) else ("", "", line) for guid, address, line in rows]


def _written_entries(data: bytes) -> Iterator[tuple[str | None, str, int]]:
    """Yield written GUID (None without its line), address and line of entries."""
    start = _ENTRIES.search(data)
    if start is None:
        return
    end = _END.search(data, start.end())
    stop = end.start() if end else len(data)
    line, counted = 1, 0
    for match in _ENTRY.finditer(data, start.end(), stop):
        address = (match[2] or b"").decode("utf-8", "replace").strip().strip("'\"")
        guid = match[1].decode("utf-8", "replace") if match[1] is not None else None
        line += data.count(b"\n", counted, match.start())
        counted = match.start()
        yield guid.lower() if guid and is_guid(guid) else guid, address, line


def _why(project: View, guid: str) -> str:
    if guid in ("", NO_GUID):
        return "its GUID is empty"
    if not is_guid(guid):
        return UNREADABLE.format(guid)
    resolver = project.resolver
    location = resolver.locate(guid)
    if location is None:
        return f"nothing has the GUID {guid}" if resolver.absence(guid, PREFAB_MAIN) == MISSING_ASSET else ""
    if location.standing in LOST:
        return f"{location.path} is in no package of the project"
    is_absent = location.file and not location.package and not project.exists(location.file)
    return f"{location.path} is not there, its meta is" if is_absent else ""
