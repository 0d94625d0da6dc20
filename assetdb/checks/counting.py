"""Counts and shortened lists in messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHOWN: Final = 3


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 file``, ``2,000 files``.

    The plural gets an ``s``, so the noun is one that has it.

    >>> counted(1, "file"), counted(2000, "file"), counted(0, "missing script")
    ('1 file', '2,000 files', '0 missing scripts')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"


def listed(texts: Sequence[str], most: int = _SHOWN) -> str:
    """Return some texts and how many more: ``a, b and 2 more``.

    A message names a few examples, however many there are: a reader looks at the first.

    >>> listed(["Wood.mat", "Bark.mat", "Leaf.mat", "Root.mat"]), listed(["Wood.mat", "Bark.mat"], most=1)
    ('Wood.mat, Bark.mat, Leaf.mat and 1 more', 'Wood.mat and 1 more')
    """
    more = f" and {len(texts) - most:,} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def unknown_needs(names: Sequence[str], most: int = _SHOWN) -> str:
    """Return the words about packages with needs that nobody knows.

    >>> unknown_needs(["com.acme.tools"]), unknown_needs(["a", "b"], most=1)
    ('what com.acme.tools requires is not known', 'what a and 1 more require is not known')
    """
    return f"what {listed(names, most)} {'requires' if len(names) == 1 else 'require'} is not known"
