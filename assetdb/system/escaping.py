"""Untrusted text on a terminal: escapes, columns and line breaks."""

from __future__ import annotations

_BREAKS = (("\0->\0", " ->\0", True), ("\0/\0", "\0/ ", True), (",\0", ", ", False), ("\0", " ", False))
"""Marks of a cell that is broken at one of their spaces, and whether a path may have them."""


def printable(text: str) -> str:
    r"""Return a text on one line, with escapes for unprintable characters.

    They are those that ``str.isprintable`` refuses, such as control characters, bidirectional controls and lone
    surrogates; an escape is ``\x1b`` or ``\u202e``.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def printable_lines(text: str) -> str:
    """Escape each line of a text that has several on purpose."""
    return "\n".join(map(printable, text.split("\n")))


def columns_of(text: str) -> int:
    """Return how many columns a printable text takes on a terminal.

    A wide character takes two and a combining one none, by the tables of Unicode that Python has.
    """
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width  # noqa: PLC0415 - most names are ASCII

    marks = sum(category(character) in ("Mn", "Me") for character in text)
    return len(text) - marks + sum(east_asian_width(character) in "WF" for character in text)


def wrapped(text: str, columns: int) -> list[str]:
    """Return the lines of a text, broken at spaces alone.

    A word that is wider than ``columns`` has a line of its own, whole: a path can be copied from it.
    """
    lines: list[str] = []
    room = 0
    for word in text.split(" "):
        wide = columns_of(word)
        if lines and wide < room:
            lines[-1] += f" {word}"
            room -= wide + 1
        else:
            lines.append(word)
            room = columns - wide
    return lines


def broken(cell: str, columns: int) -> list[str]:
    """Return the lines of a cell: path, hierarchy, list or text.

    A path stays whole, a hierarchy is broken behind its slashes, a list behind its commas; what is still too wide is
    broken at spaces.
    """
    lines = [cell]
    for mark, opened, cuts_paths in _BREAKS:
        pieces: list[str] = []
        for line in lines:
            is_path = "/" in line.removeprefix("-> ").partition(" ")[0]
            if columns_of(line) <= columns or (is_path and not cuts_paths):
                pieces.append(line)
            else:
                pieces += wrapped(line.replace(" ", "\0").replace(mark, opened), columns)
        lines = [piece.replace("\0", " ") for piece in pieces]
    return lines
