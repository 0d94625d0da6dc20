"""The files that may be Unity's report of a build."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.builds.parts.history import builds_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

EXTENSION: Final = ".buildreport"
_LAST: Final = ("Library", "LastBuild.buildreport")
MOST_REPORTS: Final = 32
"""Number of reports that are tried; a history keeps one of every build."""


def reports_near(builds: Sequence[str], root: str = "") -> list[str]:
    """Return the reports beside builds and in a project's Library.

    The last build's comes first, then the reports of Unity 6.6's history, the newest first.
    """
    found: dict[str, None] = {}
    for build in builds:
        folder = os.path.abspath(build)
        above = os.path.dirname(folder)
        for place in (folder, above) if os.path.isdir(folder) else (above,):
            found.update(dict.fromkeys(_reports_in(place)))
    if root:
        last = os.path.join(root, *_LAST)
        if os.path.isfile(last):
            found[last] = None
        for folder in builds_of(root):
            found.update(dict.fromkeys(_reports_in(folder)))
    return list(found)[:MOST_REPORTS]


def _reports_in(folder: str) -> Iterator[str]:
    for name in sorted(_names(folder)):
        path = os.path.join(folder, name)
        if name.lower().endswith(EXTENSION) and os.path.isfile(path):
            yield path


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:  # absent, no folder, or another user's
        return []
