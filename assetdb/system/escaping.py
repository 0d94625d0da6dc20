"""Escapes for untrusted text on a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""Return a text on one line without control characters.

    These are C0, C1, bidirectional controls and lone surrogates.

    Each of these, and whatever else ``str.isprintable`` refuses, becomes an escape such as ``\x1b`` or ``\u202e``.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == " " else c.encode("unicode_escape").decode("ascii") for c in text)


def printable_lines(text: str) -> str:
    """Escape each line of a text that has several on purpose."""
    return "\n".join(map(printable, text.split("\n")))
