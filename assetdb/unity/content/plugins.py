"""Plug-ins: the platforms that their metas choose.

Pure: bytes in, facts out.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

PLATFORMS: Final = ("Editor", "Win64", "OSXUniversal", "Linux64", "Android", "iOS", "WebGL")
"""Those that nearly all games are for."""
_ROW: Final = re.compile(  # Unity 5 has "data:" in place of the dash, and two columns more
    rb"^(?:  - |    data:\s+)first:[ \t]*\r?\n +([^\r\n:]*):[ \t]*([^\r\n]*?)[ \t]*\r?\n +second:[ \t]*\r?\n"
    rb"((?: {6,}[^\n]*\n)*)",
    re.MULTILINE,
)
_ROW_3: Final = re.compile(  # serializedVersion 3
    rb"^    ()([A-Za-z][\w ]*):[ \t]*\r?\n((?: {6,}[^\n]*\n)+)", re.MULTILINE
)
_ENABLED: Final = re.compile(rb"^ +enabled: 1[ \t]*\r?$", re.MULTILINE)
_EXCLUDED: Final = re.compile(rb"^ +Exclude ([^:\r\n]+): 1[ \t]*\r?$", re.MULTILINE)
_CHOICE: Final = re.compile(rb"^ +(CPU|OS): ([^\r\n]+?)[ \t]*\r?$", re.MULTILINE)
_LIMITED: Final = re.compile(rb"^  (?:defineConstraints:[ \t]*\r?\n  -|isExplicitlyReferenced: 1)", re.MULTILINE)
_ANY: Final = "Any"
_ALL: Final = (b"None", b"AnyCPU", b"AnyOS")


class Plugin(NamedTuple):
    """The platforms of a plug-in.

    Attributes:
        known: whether the meta tells them, no symbol decides, and assemblies get it without asking.
        platforms: names of the chosen ones (``Win64``, ``Editor``), ``Any`` for all but the excluded ones.
        excluded: from all.
        choices: platform, ``CPU`` or ``OS``, and the chosen one, where not any will do.
    """

    known: bool
    platforms: tuple[str, ...]
    excluded: tuple[str, ...]
    choices: tuple[tuple[str, str, str], ...]

    def is_for(self, platform: str) -> bool:
        """Whether a platform has the plug-in."""
        return platform in self.platforms or (_ANY in self.platforms and platform not in self.excluded)

    def differs(self, other: Plugin, platform: str) -> bool:
        """Whether processor or system on a platform tell two plug-ins apart."""
        own, others = ({row[1]: row[2] for row in each.choices if row[0] == platform} for each in (self, other))
        return any(own[kind] != others[kind] for kind in own.keys() & others.keys())


def read_plugin(data: bytes) -> Plugin:
    """Return the platforms in the meta of a plug-in."""
    platforms: list[str] = []
    excluded: list[str] = []
    choices: list[tuple[str, str, str]] = []
    rows = list(_ROW.finditer(data)) or list(_ROW_3.finditer(data))
    for match in rows:
        group, name = (_text(match[number]).strip("'\" ") for number in (1, 2))
        platform = name or group
        if _ENABLED.search(match[3]):
            platforms.append(platform)
        excluded += map(_text, _EXCLUDED.findall(match[3]))
        choices += [(platform, _text(kind), _text(one)) for kind, one in _CHOICE.findall(match[3]) if one not in _ALL]
    known = bool(rows) and not _LIMITED.search(data)
    return Plugin(known, tuple(platforms), tuple(excluded), tuple(choices))


def plugin_of(content: list[Any]) -> Plugin:
    """Return a plug-in of its JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    known, platforms, excluded, rows = content
    return Plugin(
        bool(known), tuple(platforms), tuple(excluded), tuple((where, kind, one) for where, kind, one in rows)
    )


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
