"""Parallel reading of text assets into references by number."""

from __future__ import annotations

import os
import sys
from array import array
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from assetdb.checks.verdicts.extracting import NOTHING, Extractor
from assetdb.checks.verdicts.limits import FEW_READ
from assetdb.checks.verdicts.tree import STAMP
from assetdb.memo import contents
from assetdb.memo.tree import extension_of, file_of
from assetdb.scan.known.content import hasher
from assetdb.system.cancelling import check_cancelled
from assetdb.system.reading import LARGEST_ASSET, attempt, open_regular
from assetdb.unity.kinds import HEAD_BYTES, is_yaml_head, kind_of
from assetdb_formats.processes import can_fork

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    _Made = TypeVar("_Made")

_STEP: Final = 1 << 24


FileReferences: TypeAlias = tuple[bytes, bytes]
"""What one file refers to: numbers of keys, and how often each occurs, both uint32."""


class Found(NamedTuple):
    """The facts of some files.

    Attributes:
        keys: in the order of their numbers.
        files: by path what each refers to.
        anchors: by path the fileIDs of objects in it, of files made of documents.
        nested: by path the GUIDs of what it nests, of files that nest anything.
        contents: by path the beginning of the content id of the bytes that were read, ``b""`` if there were none.
    """

    keys: list[bytes]
    files: dict[bytes, FileReferences]
    anchors: dict[bytes, bytes]
    nested: dict[bytes, tuple[bytes, ...]]
    contents: dict[bytes, bytes]


def read_files(
    root: str,
    paths: Sequence[bytes],
    *,
    workers: int = 1,
    few: int = FEW_READ,
    on_progress: Callable[[int, int], None] | None = None,
) -> Found:
    """Read files for verdicts.

    Unreadable ones refer to nothing.

    Args:
        root: the project.
        paths: relative to it.
        workers: how many processes may read at once.
        few: up to so many files one process reads them all.
        on_progress: is given the files read and the files there are, periodically.

    Raises:
        ScanError: whether a file can be read cannot be determined now.
    """
    number_of_parts = workers if len(paths) > few else 1
    parts = [paths[number::number_of_parts] for number in range(number_of_parts)]

    def part(number: int) -> dict[str, Any]:
        return _read(root, parts[number], on_progress if number == 0 else None)._asdict()

    found = Found([], {}, {}, {}, {})
    numbers: dict[bytes, int] = {}
    for made in share_out(part, number_of_parts):
        renumbered = [numbers.setdefault(key, len(numbers)) for key in made["keys"]]
        for path, (keys, counts) in made["files"].items():
            found.files[path] = array("I", map(renumbered.__getitem__, array("I", keys))).tobytes(), counts
        found.anchors.update(made["anchors"])
        found.nested.update(made["nested"])
        found.contents.update(made["contents"])
    found.keys.extend(numbers)
    return found


def share_out(work: Callable[[int], _Made], workers: int) -> list[_Made]:
    """Return ``work(0) ... work(workers - 1)``, from several processes where possible."""
    if sys.platform != "win32" and workers > 1 and can_fork():
        from assetdb_formats.forking import fork_out  # noqa: PLC0415 - only where processes can fork

        return fork_out(work, workers)
    return [work(number) for number in range(workers)]


def read_one(root: str, path: bytes, largest: int = LARGEST_ASSET) -> bytes | None:
    """Return the bytes of a file that may refer to others.

    None if it does not, is too large or cannot be read.

    Raises:
        ScanError: whether it can be read cannot be determined now.
    """
    place = file_of(root, path)
    return attempt(place, lambda: _bytes_of(place, path, largest))


def _bytes_of(place: str, path: bytes, largest: int) -> bytes | None:
    with open(open_regular(place), "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        if not kind_of(extension_of(path)).content:  # its head tells, and it may be of any size
            if not is_yaml_head(file.read(HEAD_BYTES) or b""):
                return None
            file.seek(0)
        if size > largest:  # the scan says so of it
            return None
        data = file.read(size + 1) or b""
        if len(data) != size:  # still growing, or the system gives it in pieces
            while len(data) <= largest and (more := file.read(_STEP)):
                data += more
        return data if len(data) <= largest else None


def _read(root: str, paths: Sequence[bytes], on_progress: Callable[[int, int], None] | None) -> Found:
    found = Found([], {}, {}, {}, {})
    numbers: dict[bytes, int] = {}
    extractor, digest = Extractor(), hasher()
    for number, path in enumerate(paths):
        if on_progress is not None:
            on_progress(number, len(paths))
        data = read_one(root, path)
        # A file of an unknown kind has its head looked at, and its identity counts if it is large.
        if kind_of(extension_of(path)).content or (data is not None and len(data) <= contents.LARGEST):
            found.contents[path] = digest(data)[:STAMP] if data is not None else b""
        made = extractor.extract(data, extension_of(path)) if data is not None else NOTHING
        check_cancelled()
        keys = array("I", [numbers.setdefault(key, len(numbers)) for key in made.references])
        counts = array("I", made.references.values())
        found.files[path] = keys.tobytes(), counts.tobytes()
        if made.anchors:
            found.anchors[path] = made.anchors
        if made.nested:
            found.nested[path] = made.nested
    found.keys.extend(numbers)
    return found
