"""Selection of packages outside the project, and reading limits."""

from __future__ import annotations

import os
import time

from assetdb.packages.listing import CACHE, FIELD, PackageRow
from assetdb.scan.walking.limits import Limits

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final

LIMITS: Final = Limits(outside=True, files=200_000)
"""100,000 assets with their metas."""


class Bound:
    """A limit for reading folders outside the project.

    Shared by all of them, since a manifest may name any folder, even ``file:/``.

    Attributes:
        spent: whether no more may be listed.
        cut: the packages that were only partly read.
    """

    def __init__(self, limits: Limits = LIMITS, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the most names to list, the seconds, and a clock."""
        self._files = limits.files
        self._seconds = limits.seconds
        self._clock = clock
        self._began: float | None = None
        self.spent = False
        self.cut: list[PackageRow] = []

    def take(self, files: int) -> bool:
        """Return whether that many more names may be listed."""
        now = self._clock()
        if self._began is None:
            self._began = now
        self._files -= files
        self.spent = self._files < 0 or now - self._began > self._seconds
        return not self.spent


def package_rows(root: str) -> tuple[PackageRow, ...]:
    """Return the packages of a project that are not embedded.

    Absent ones are among them.

    Raises:
        ScanError: they cannot be determined now.
    """
    from assetdb.packages.installed import locate_packages  # noqa: PLC0415 - only where the lists are others

    kept = os.path.join(root, CACHE) + os.sep
    found = []
    for package, folder in locate_packages(root)[0]:
        if package.source != "embedded":
            place = os.path.abspath(folder) if folder else ""
            immutable = place.startswith(kept) and "@" in os.path.basename(place)
            version = package.version.replace("\n", " ").replace(FIELD, " ")
            if "\n" not in place and FIELD not in place:
                found.append(PackageRow(package.name, version, place, immutable))
    return tuple(found)


def readable_rows(root: str, rows: Iterable[PackageRow]) -> tuple[list[PackageRow], list[PackageRow]]:
    """Return the present packages, and those refused.

    A package is refused if the project would be a part of it.
    """
    within = os.path.join(os.path.realpath(root), "")
    here: list[PackageRow] = []
    refused: list[PackageRow] = []
    for row in rows:
        if row.folder:
            holds = within.startswith(os.path.join(os.path.realpath(row.folder), ""))
            (refused if holds else here).append(row)
    return here, refused


def bound_of(row: PackageRow, root: str, bound: Bound) -> Bound | None:
    """Return the limit for reading a package.

    None if it lies in the project.
    """
    inside = (os.path.realpath(row.folder) + os.sep).startswith(os.path.realpath(root) + os.sep)
    return None if inside else bound
