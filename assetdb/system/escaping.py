"""Escapes for untrusted text on a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""Return a text on one line, with escapes for unprintable characters.

    They are those that ``str.isprintable`` refuses, such as control characters, bidirectional controls and lone
    surrogates; an escape is ``\x1b`` or ``\u202e``.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == " " else c.encode("unicode_escape").decode("ascii") for c in text)


def printable_lines(text: str) -> str:
    """Escape each line of a text that has several on purpose."""
    return "\n".join(map(printable, text.split("\n")))
