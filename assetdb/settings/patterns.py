"""Patterns that the settings must not have: too many, and meaningless ones.

Each is tried on each path. Git and shells take a ``[`` without ``]`` as a pattern that matches no file, or as a
character, without a word.
"""

from __future__ import annotations

from assetdb.errors import ConfigurationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sized
    from typing import Final

MOST_PATTERNS: Final = 1000


def refuse_many(where: str, patterns: Sized) -> None:
    """Refuse more patterns than are tried.

    Raises:
        ConfigurationError: there are more; its message begins with ``where``.
    """
    if len(patterns) > MOST_PATTERNS:
        raise ConfigurationError(
            f"{where} has {len(patterns):,} patterns, and at most {MOST_PATTERNS:,} are tried:"
            " name folders (`Generated/`) or use `*`"
        )


def refuse_no_pattern(where: str, pattern: str, *, escapes: bool) -> None:
    r"""Refuse a glob with brackets that mean nothing.

    Args:
        where: begins the message.
        pattern: the glob.
        escapes: whether a ``\`` makes the next character an ordinary one, as in a ``.gitignore``.

    Raises:
        ConfigurationError: a ``[`` has no ``]``, or a range of characters is backwards.
    """
    position = 0
    while position < len(pattern):
        character = pattern[position]
        position += 1
        if character == "\\" and escapes:
            position += 1
        elif character == "[":
            start = position + (pattern[position : position + 1] in (("!", "^") if escapes else ("!",)))
            end = pattern.find("]", start + 1)
            if end < 0 or (escapes and "/" in pattern[start:end]):
                literal = "\\[" if escapes else "[[]"
                raise ConfigurationError(f"{where}: {pattern!r} has a [ without ] (the character itself is {literal})")
            _refuse_backwards(where, pattern, pattern[start:end], escapes=escapes)
            position = end + 1


def _refuse_backwards(where: str, pattern: str, characters: str, *, escapes: bool) -> None:
    """Refuse a range such as ``z-a``.

    Raises:
        ConfigurationError: there is one.
    """
    # A character and what it is escaped with are one.
    units, position = list[str](), 0
    while position < len(characters):
        size = 2 if escapes and characters[position] == "\\" else 1
        units.append(characters[position : position + size])
        position += size
    position = 0
    while position < len(units):
        first, dash, *rest = (*units[position : position + 3], "", "")
        last = rest[0] if dash == "-" else ""
        if last and last[-1] < first[-1]:
            raise ConfigurationError(
                f"{where}: {pattern!r} has the range {first}-{last}, of no character: it is backwards"
                " (a - that is a character comes last)"
            )
        position += 3 if last else 1
