"""Events of animation clips, in clips and in the metas of models."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from assetdb.unity.yaml.scalars import scalar_at

_FUNCTION: Final = re.compile(rb"^( *)(functionName):", re.MULTILINE)
_OPTIONAL: Final = re.compile(rb"\n *messageOptions: 1\b")


class ClipEvent(NamedTuple):
    """An event that calls a function.

    Attributes:
        function: its name, maybe empty.
        offset: of the property in the file.
    """

    function: str
    offset: int


def clip_events(data: bytes) -> tuple[ClipEvent, ...]:
    """Return the events of any file that need a receiver."""
    found = []
    for match in _FUNCTION.finditer(data):
        end = re.compile(rb"\n {0,%d}[^ \r\n]" % (len(match[1]) - 1)).search(data, match.end()) if match[1] else None
        if not _OPTIONAL.search(data, match.end(), end.start() if end else len(data)):
            found.append(ClipEvent(scalar_at(data, match.end(), len(match[1])), match.start(2)))
    return tuple(found)


def clip_events_of(rows: list[Any]) -> tuple[ClipEvent, ...]:
    """Return events of their JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    return tuple(ClipEvent(str(function), int(offset)) for function, offset in rows)
