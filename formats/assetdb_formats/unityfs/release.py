"""Possible releases of a bundle without a version.

Some builds strip it (``0.0.0``), some formats have no place for it.

Everything here is inferred: from the version of the SerializedFile and of the archive, which a release raises, and from
nothing that could be stripped. Ranges as every public reader has them; the corpus agrees (40 releases of 2017 to 6000).
"""

from __future__ import annotations

import re
from typing import Final

_SERIALIZED: Final = {
    5: ((1, 2), (2, 0)),
    6: ((2, 1), (2, 6)),
    7: ((3, 0), (3, 0)),
    8: ((3, 0), (3, 4)),
    9: ((3, 5), (4, 7)),
    **dict.fromkeys((10, 11, 12, 13, 14), ((5, 0), (5, 0))),
    15: ((5, 0), (5, 4)),
    16: ((5, 5), (5, 5)),
    17: ((5, 5), (2018, 4)),
    18: ((2019, 1), (2019, 1)),
    19: ((2019, 1), (2019, 1)),
    20: ((2019, 1), (2019, 2)),
    21: ((2019, 3), (2019, 4)),
    22: ((2020, 1), None),
    23: ((6000, 0), None),
}
"""SerializedFile version -> the first and the last release (year and number, or major and minor) that wrote it."""
_ARCHIVES: Final = {
    ("UnityFS", 6): ((5, 3), (2019, 4)),
    ("UnityFS", 7): ((2019, 4), (2022, 1)),
    ("UnityFS", 8): ((2021, 3), None),
    **{(name, 1): ((1, 0), (2, 5)) for name in ("UnityWeb", "UnityRaw")},
    **{(name, 2): ((2, 6), (3, 4)) for name in ("UnityWeb", "UnityRaw")},
    **{(name, 3): ((3, 5), (5, 1)) for name in ("UnityWeb", "UnityRaw")},
    **dict.fromkeys((("UnityWeb", 4), ("UnityRaw", 4), ("UnityWeb", 5), ("UnityRaw", 5)), ((5, 2), (5, 3))),
}


def is_stripped(version: str) -> bool:
    """Whether a version is empty or zeros, as stripped builds store it."""
    return not re.search(r"[1-9]", version)


def inferred_releases(signature: str, archive: int, serialized: int) -> str:
    """Return the releases that can have written a file.

    They are the versions of the archive (``""`` and 0 without one) and of the SerializedFile (0 without one). The
    result is ``""`` where nothing is known, or where the two contradict each other.
    """
    ranges = [found for found in (_ARCHIVES.get((signature, archive)), _SERIALIZED.get(serialized)) if found]
    if not ranges:
        return ""
    first = max(start for start, _ in ranges)
    ends = [end for _, end in ranges if end is not None]
    if not ends:
        return f"{_text(first)} or later"
    last = min(ends)
    if last < first:
        return ""
    return _text(first) if first == last else f"{_text(first)} to {_text(last)}"


def _text(release: tuple[int, int]) -> str:
    return f"{release[0]}.{release[1]}"
