"""GUIDs that nobody drew: see :mod:`assetdb.checks.placeholder`."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final

from assetdb.checks.finding import Finding
from assetdb.checks.placeholder import is_placeholder
from assetdb.diagnostics.codes import CODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.snapshot import Snapshot

PLACEHOLDER_GUID: Final = "placeholder-guid"
_GUID_LINE: Final = re.compile(rb"^guid: ", re.MULTILINE)


def find_placeholders(project: Snapshot) -> Iterator[Finding]:
    """Yield a finding for each meta of the project whose GUID is typed: of assets, folders, and of what has a rival."""
    database = project.database
    rows = chain(
        ((asset.guid, asset.path) for asset in database),
        ((rival.asset.guid, rival.asset.path) for rival in database.rivals),
        database.folders(),
    )
    for guid, path in rows:
        if is_placeholder(guid):
            meta = f"{path}.meta"
            severity = CODES[PLACEHOLDER_GUID].severity
            said = f"nobody drew the GUID {guid}: it counts or repeats itself"
            yield Finding(PLACEHOLDER_GUID, severity, meta, said, _line(project.read(meta)), target=guid)


def _line(meta: bytes | None) -> int:
    """Return the line of a meta that has the GUID, 0 where none has."""
    match = _GUID_LINE.search(meta or b"")
    return meta.count(b"\n", 0, match.start()) + 1 if meta and match else 0
