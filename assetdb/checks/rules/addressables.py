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
from assetdb.unity.kinds import PREFAB_MAIN
from assetdb.unity.settings.addressables import GROUP_SCRIPT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

_MAIN: Final = 11400000
_ENTRIES: Final = re.compile(rb"^  m_SerializeEntries:[ \t]*\r?\n", re.MULTILINE)
_END: Final = re.compile(rb"^(?:  \w|---)", re.MULTILINE)
_ENTRY: Final = re.compile(
    rb"^  - m_GUID: ([0-9a-fA-F]{32})[ \t]*\r?\n(?:    m_Address: ([^\r\n]*)\r?\n)?|^  - ", re.MULTILINE
)


def find_entries(project: View) -> Iterator[Finding]:
    """Yield entries with a GUID that nothing, or only a meta, has."""
    for asset in project.database.of_script(GROUP_SCRIPT):
        data = project.read(asset.path) or b""
        for number, (guid, address, line) in enumerate(group_entries(data)):
            why = _why(project, guid) if guid else ""
            if why:
                yield Finding.of(
                    *(ADDRESSABLES_ENTRY, asset.path),
                    f"the entry {address!r} has no asset: {why}",
                    line,
                    f"{asset.name} (AddressableAssetGroup)",
                    f"m_SerializeEntries[{number}].m_GUID",
                    asset.guid,
                    _MAIN,
                    guid,
                )


def group_entries(data: bytes) -> list[tuple[str, str, int]]:
    """Return GUID (``""`` if no asset), address and line of entries."""
    start = _ENTRIES.search(data)
    if start is None:
        return []
    end = _END.search(data, start.end())
    stop = end.start() if end else len(data)
    found = []
    for match in _ENTRY.finditer(data, start.end(), stop):
        address = (match[2] or b"").decode("utf-8", "replace").strip().strip("'\"")
        guid = (match[1] or b"").decode().lower()
        found.append((guid, address, data.count(b"\n", 0, match.start()) + 1))
    return found


def _why(project: View, guid: str) -> str:
    resolver = project.resolver
    location = resolver.locate(guid)
    if location is None:
        return f"nothing has the GUID {guid}" if resolver.absence(guid, PREFAB_MAIN) == MISSING_ASSET else ""
    if location.standing in LOST:
        return f"{location.path} is in no package of the project"
    gone = location.file and not location.package and not project.exists(location.file)
    return f"{location.path} is not there, its meta is" if gone else ""
