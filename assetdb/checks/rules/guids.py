"""Typed GUIDs: see :mod:`assetdb.checks.placeholder_guids`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.placeholder_guids import placeholders
from assetdb.checks.rules import PLACEHOLDER_GUID

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

_GUID_LINE: Final = re.compile(rb"^guid: ", re.MULTILINE)


def find_placeholders(project: View) -> Iterator[Finding]:
    """Yield metas of assets, duplicates and folders with a typed GUID."""
    database = project.database
    packed = database.guids()
    typed = {packed[row * 16 : row * 16 + 16].hex() for row in placeholders(packed)} if packed else ()
    sharing: dict[str, list[str]] = {}
    for duplicate in database.duplicates:
        sharing.setdefault(duplicate.asset.guid, []).append(duplicate.asset.path)
    for guid in sorted(typed):
        asset = database.by_guid(guid)
        paths = [asset.path] if asset is not None else []
        paths += sharing.get(guid, ())
        folder = database.folder(guid)
        for path in [*paths, folder] if folder is not None else paths:
            meta = f"{path}.meta"
            said = f"the GUID {guid} was typed, not generated: it counts or repeats itself"
            yield Finding.of(PLACEHOLDER_GUID, meta, said, _line(project.read(meta)), target=guid)


def _line(meta: bytes | None) -> int:
    """Return the line of a meta that has the GUID, or 0."""
    match = _GUID_LINE.search(meta or b"")
    return meta.count(b"\n", 0, match.start()) + 1 if meta and match else 0
