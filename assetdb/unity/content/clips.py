"""Events and paths of animation clips, also of clips in models."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.scalars import scalar_at

_FUNCTION: Final = b"functionName:"
_CLIP: Final = 74
_PATH: Final = re.compile(rb"\n    path:")
_COLUMN: Final = 4
_QUATERNIONS: Final = b"\n  m_RotationCurves:\n  - "
_DRAWN: Final = b"\n  m_EditorCurves:"
_OPTIONAL: Final = re.compile(rb"\n *messageOptions: 1\b")


class ClipEvent(NamedTuple):
    """An event that calls a function.

    Attributes:
        function: its name, maybe empty.
        offset: of the property in the file.
    """

    function: str
    offset: int


class AnimatedPath(NamedTuple):
    """The path of an object that a clip animates.

    Attributes:
        path: below the object that plays the clip.
        offset: of the property in the file.
        is_copied: whether only clips with quaternions have it. The Animation window writes angles; quaternions are
            copied out of a model, with all bones of its rig, most of which the characters of unity-explorer do without.
    """

    path: str
    offset: int
    is_copied: bool


def clip_events(data: bytes) -> tuple[ClipEvent, ...]:
    """Return the events of any file that need a receiver."""
    found = []
    key, searched = data.find(_FUNCTION), 0
    while key >= 0:
        line, value = data.rfind(b"\n", searched, key) + 1, key + len(_FUNCTION)
        column = key - line
        if (line or not searched) and data.count(b" ", line, key) == column:  # else not the first of its line
            outer = rb" {0,%d}[^ \r\n]|" % (column - 1) if column else b""  # or the key again: of another event
            end = re.compile(rb"\n(?:%b {%d}%b)" % (outer, column, _FUNCTION)).search(data, value)
            if not _OPTIONAL.search(data, value, end.start() if end else len(data)):
                found.append(ClipEvent(scalar_at(data, value, column), key))
        key, searched = data.find(_FUNCTION, value), value
    return tuple(found)


def animated_paths(data: bytes) -> tuple[AnimatedPath, ...]:
    """Return the paths that clips animate, each with its first place."""
    found: dict[str, AnimatedPath] = {}
    for item in documents(data):
        if item.class_id == _CLIP:
            # Behind the curves the editor has them once more, as it draws them.
            drawn = data.find(_DRAWN, item.start, item.end)
            is_copied = data.find(_QUATERNIONS, item.start, item.end) >= 0
            for match in _PATH.finditer(data, item.start, drawn if drawn >= 0 else item.end):
                row = AnimatedPath(scalar_at(data, match.end(), _COLUMN), match.start() + 1 + _COLUMN, is_copied)
                known = found.get(row.path)
                if known is None or (known.is_copied and not is_copied):
                    found[row.path] = row
    found.pop("", None)
    return tuple(found.values())


def animated_paths_of(rows: list[Any]) -> tuple[AnimatedPath, ...]:
    """Return paths of their JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    return tuple(AnimatedPath(str(path), int(offset), bool(is_copied)) for path, offset, is_copied in rows)


def clip_events_of(rows: list[Any]) -> tuple[ClipEvent, ...]:
    """Return events of their JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    return tuple(ClipEvent(str(function), int(offset)) for function, offset in rows)
