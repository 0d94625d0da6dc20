"""Names of methods and components that C# mentions.

Searches of the bytes: names in comments and strings are included.
"""

from __future__ import annotations

from assetdb.unity.patterns import Pattern

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_ADDS: Final = Pattern(
    rb"AddComponent\s{0,9}(?:<[\s\w.]{0,200}?(\w{1,200})\s{0,9}>|\(\s{0,9}typeof\s{0,9}\([\s\w.]{0,200}?(\w{1,200})\s{0,9}\))"
)
_DECLARED: Final = Pattern(rb"[\w>\]?]\s{1,99}([A-Za-z_\x80-\xff][\w\x80-\xff]{0,400})\s{0,99}\(")


def mentioned_methods(data: bytes) -> frozenset[str]:
    """Return the names of methods that C# may declare."""
    return frozenset(name.decode("utf-8", "replace") for name in _DECLARED.findall(data))


def added_components(data: bytes) -> frozenset[str]:
    """Return the names of components that C# may add to objects."""
    return frozenset((row[0] or row[1]).decode("utf-8", "replace") for row in _ADDS.findall(data))
