"""Unresolved merges in texts that no bake reads: shaders, JSON, XML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import CONFLICT_MARKERS
from assetdb.checks.rules.content.shaders import INCLUDED
from assetdb.memo.facts import Extraction
from assetdb.unity.yaml.text_asset import conflict_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

# No .md, which may be about merges.
_TEXTS: Final = (*INCLUDED, ".json", ".txt", ".xml", ".csv", ".yaml", ".inputactions", ".rsp", ".jslib", ".jspre")
_LARGEST: Final = 1 << 24
_MIDDLE: Final = re.compile(rb"^={7,8}\r?$", re.MULTILINE)
_END: Final = re.compile(rb"^>{7,8} ", re.MULTILINE)


def _line(data: bytes) -> int:
    """Return the line of a merge with all its marks, or 0."""
    line = conflict_line(data)
    return line if line and _MIDDLE.search(data) and _END.search(data) else 0


_LINE: Final = Extraction("unresolved merges", "1", _line, int)


def find_conflicts(project: View) -> Iterator[Finding]:
    """Yield texts with an unresolved merge."""
    for ending in _TEXTS:
        for asset in project.database.ending(ending):
            if project.size(asset.path) <= _LARGEST:
                line = project.facts(asset.path, _LINE)
                if line:
                    yield Finding.of(CONFLICT_MARKERS, asset.path, "an unresolved merge", line, asset=asset.guid)
