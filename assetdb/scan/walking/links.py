"""Links to directories: each real directory is visited once.

A directory in ``Assets`` or ``Packages`` has its own path. Any other directory inside the project (``Samples~`` of a
package, a folder beside ``Assets``) has the path of the first link to it, in the order of paths, as in Unity; one
outside the project only if the user allows it, and within bounds: a link may lead to the root of the disk.
"""

from __future__ import annotations

import os
import time
from heapq import heapify, heappop, heappush

from assetdb.diagnostics import Diagnostic, decode, encode
from assetdb.scan.directory import SLASH, has_failed_files
from assetdb.settings.project import is_hidden
from assetdb.system.failures import excuse
from assetdb.system.mirrors import is_at_or_below, tree_of
from assetdb.system.reading import is_of_system

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Final

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.reader import DirectoryReader
    from assetdb.scan.walking.limits import Limits

CODE: Final = "linked-directory"


class LinkWalk:
    """A walk through links in the order of their paths."""

    def __init__(
        self,
        directories: dict[bytes, DirectoryFacts],
        reader: DirectoryReader,
        roots: Iterable[bytes],
        read: Callable[[bytes], DirectoryFacts | None],
        limits: Limits,
    ) -> None:
        """Take the directories found without links, and a function that reads one."""
        self._found = dict(directories)
        self._place_of = reader.place_of
        self._read = read
        self._complete = reader.complete
        self._limits = limits
        self._tree = tree_of(reader.root)
        self._mirror = os.path.realpath(reader.root) if self._tree else b""
        self._real_root = self._real(reader.root)
        self._tops = [(self._real(reader.place_of(name)), name) for name in roots]
        self._first: dict[bytes, bytes] = {}  # path of each real directory that was reached through a link
        self._refused: dict[bytes, list[Diagnostic]] = {}  # links that are not followed, by directory
        self._links: list[bytes] = []
        self._files_outside = 0
        self._until = time.monotonic() + limits.seconds

    def run(self) -> dict[bytes, DirectoryFacts]:
        """Return directories with those behind links; other links get a diagnostic."""
        for directory in self._found.values():
            self._add_links(directory)
        heapify(self._links)
        while self._links:
            link = heappop(self._links)
            why = self._follow(link)
            if why:
                self._refused.setdefault(link.rpartition(SLASH)[0], []).append(Diagnostic(CODE, _shown(link), 0, why))
        for path, directory in self._found.items():
            if directory.links:
                self._found[path] = self._diagnosed(directory, self._refused.get(path, []))
        return self._found

    def _add_links(self, directory: DirectoryFacts) -> None:
        for name in directory.links.split(SLASH) if directory.links else ():
            heappush(self._links, directory.path + SLASH + name)

    def _follow(self, link: bytes) -> str:
        """Read the target of a link; return a refusal or ``""``."""
        real = self._real(self._place_of(link))
        own_path = self._own_path(real)
        if own_path:
            return f"leads to {_shown(own_path)}, which the project has under that path"
        if real in self._first:
            return f"leads to the same directory as {_shown(self._first[real])}"
        if any(is_at_or_below(top, real) for top in (self._real_root, *(place for place, _ in self._tops))):
            return "leads to a folder that contains the project"
        if is_of_system(os.fsdecode(real)) and not is_of_system(os.fsdecode(self._real_root)):
            return "leads into /proc, /sys or /dev, which contain no files of a project"
        outside = not is_at_or_below(real, self._real_root)
        if outside and not self._limits.outside:
            return (
                f"leads out of the project, to {_shown(real)}: that is followed with --follow-links, or with"
                " follow-links = true in the user's own settings"
            )
        stack = [(link, real)]
        while stack:
            path, real = stack.pop()
            if real in self._first or self._own_path(real):
                continue
            if outside and is_of_system(os.fsdecode(real)):
                continue
            if outside and (self._files_outside > self._limits.files or time.monotonic() > self._until):
                return f"leads out of the project, to more assets than are read ({self._files_outside})"
            self._first[real] = path
            directory = self._read(path)
            if directory is None:
                continue
            self._found[path] = directory
            self._files_outside += directory.pair_count if outside else 0
            self._add_links(directory)
            names = directory.children.split(SLASH) if directory.children else []
            stack += [(path + SLASH + name, real + os.fsencode(os.sep) + name) for name in reversed(names)]
        return ""

    def _real(self, path: bytes) -> bytes:
        """Return a real path, with the mirrored tree as the mirror."""
        real = _real(path)
        return self._mirror + real[len(self._tree) :] if self._tree and is_at_or_below(real, self._tree) else real

    def _diagnosed(self, directory: DirectoryFacts, found: list[Diagnostic]) -> DirectoryFacts:
        """Return a directory with diagnostics of links, itself if they are unchanged."""
        before = decode(directory.listing_diagnostics)
        after = sorted([*(diagnostic for diagnostic in before if diagnostic.code != CODE), *found])
        return directory if after == before else self._complete(directory)._replace(listing_diagnostics=encode(after))

    def _own_path(self, real: bytes) -> bytes:
        """Return a directory's path without links, ``b""`` if it has none."""
        for place, name in self._tops:
            if real == place:
                return name
            if is_at_or_below(real, place):
                inside = real[len(place) + 1 :].replace(os.fsencode(os.sep), SLASH)
                if not any(map(is_hidden, inside.split(SLASH))):
                    return name + SLASH + inside
        return b""


def _shown(path: bytes) -> str:
    from assetdb.scan.walking.listing import shown  # noqa: PLC0415 - few projects have links

    return shown(path)


def _real(path: bytes) -> bytes:
    """Return the end of a chain of links.

    Raises:
        ScanError: that cannot be determined now.
    """
    try:
        return os.path.realpath(path, strict=True)
    except OSError as error:
        excuse(path, error)
        return os.path.realpath(path)


def through_links(directories: Mapping[bytes, DirectoryFacts]) -> set[bytes]:
    """Return the directories with changes that may cause no event.

    They are behind links, contain such a link, or have an unreadable file, as a repaired disk causes no event.
    """
    failing = {path for path, found in directories.items() if found.file_diagnostics and has_failed_files(found)}
    links = {
        directory.path + SLASH + name
        for directory in directories.values()
        if directory.links
        for name in directory.links.split(SLASH)
    }
    followed = links & directories.keys()
    if not followed:
        return failing
    holders = {link.rpartition(SLASH)[0] for link in followed}
    return failing | holders | {path for path in directories if not followed.isdisjoint(_path_and_above(path))}


def _path_and_above(path: bytes) -> list[bytes]:
    parts = path.split(SLASH)
    return [SLASH.join(parts[:depth]) for depth in range(len(parts), 1, -1)]
