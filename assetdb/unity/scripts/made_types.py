"""Types that C# makes objects of with ``new``."""

from __future__ import annotations

import re

from assetdb.unity.scripts.tokens import tokens_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final

    from assetdb.unity.scripts.faults import Token

# Braces are in a line of their own, 12 columns deep in most code for Unity. A literal first: \b in front would be
# tried at each byte, and took a sixth of the time of all marks.
_MADE: Final = re.compile(rb"new(?<!\wnew)\s{1,9}(?:global\s{0,9}::\s{0,9})?@?([\w\x80-\xff]{1,99})\s{0,99}[({]")
_OF_ENGINE: Final = frozenset(  # in every second script of a game; no project has a component of such a name
    (
        *("Vector2", "Vector3", "Vector4", "Vector2Int", "Vector3Int", "Quaternion", "Matrix4x4", "Color", "Color32"),
        *("Rect", "Bounds", "Ray", "GameObject", "GUIContent", "GUIStyle", "Material", "Texture2D", "RenderTexture"),
        *("WaitForSeconds", "WaitForSecondsRealtime", "WaitForEndOfFrame", "WaitForFixedUpdate", "AnimationCurve"),
        *("StringBuilder", "Random", "Stopwatch", "Exception", "ArgumentException", "ArgumentNullException"),
        *("NotImplementedException", "NotSupportedException", "InvalidOperationException", "UnityEvent", "Mesh"),
    )
)
_NEW: Final = "new"
_GLOBAL: Final = "global"
_WHERE: Final = "where"


def may_make(data: bytes) -> tuple[str, ...]:
    """Return types that a file may make, without the engine's usual ones."""
    names = {name.decode("utf-8", "replace") for name in _MADE.findall(data)}
    return tuple(sorted(names - _OF_ENGINE))


def made_types(data: bytes) -> tuple[tuple[str, int], ...]:
    """Return types of which a file makes objects, with lines.

    Left out are types with a namespace in front, places inside of ``#if``, and type parameters, which need a constraint
    for this.

    >>> made_types(b"a = new Health(); b = new Other.Health(); c = new Item[3];")
    (('Health', 1),)
    """
    tokens = tokens_of(data)
    if tokens.fault is not None:
        return ()
    found = tokens.all
    made = []
    for at, token in enumerate(found[:-2]):
        if token.text != _NEW:
            continue
        place = at + 1 + _skipped(found, at + 1)
        is_made = place + 1 < len(found) and found[place + 1].text in ("(", "{") and found[place].text.isidentifier()
        if is_made and not tokens.conditions(token.line):
            made.append((found[place].text, token.line))
    parameters = {token.text for at, token in enumerate(found[1:], 1) if found[at - 1].text == _WHERE}
    return tuple((name, line) for name, line in made if name not in parameters)


def made_of(rows: list[Any]) -> tuple[tuple[str, int], ...]:
    """Return made types of their JSON."""
    return tuple((str(name), int(line)) for name, line in rows)


def _skipped(found: Sequence[Token], at: int) -> int:
    """Return the number of tokens of ``global::``."""
    return 2 if found[at].text == _GLOBAL and found[at + 1].text == "::" else 0
