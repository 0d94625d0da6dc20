"""The text of one diagnostic code."""

from __future__ import annotations

from typing import NamedTuple


class Page(NamedTuple):
    """The text of one code.

    Attributes:
        why: the consequences, in whole sentences.
        example: a line of output, or of the file.
        mend: how to fix it, in whole sentences.
    """

    why: str
    example: str
    mend: str
