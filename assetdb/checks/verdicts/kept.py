"""The file of counts and problems, valid for one tree.

What they rest on is in a file of its own (:mod:`assetdb.checks.verdicts.whole`), of unitystation 17 MB beside 3. That
one may be of an earlier tree: verdicts follow from there, so it is not written after each edit.

Private to assetdb. A file that is absent, damaged, another's or of another version is an empty one, never an error.
"""

from __future__ import annotations

import os
from array import array
from typing import Final, NamedTuple

from assetdb.checks.verdicts.sealed import read_sealed, strings_of, texts, write_sealed
from assetdb.errors import FileError
from assetdb.store.files import JUDGED_NAME

_MAGIC: Final = b"UADFOUND"
_VERSION: Final = 2
_END: Final = b"\0"


class Front(NamedTuple):
    """What answers where nothing changed.

    Attributes:
        environment: what all verdicts rest on besides the tree.
        digest: of the tree.
        history: what told of git's history where references rest on it, ``""`` where none does.
        is_racy: whether that does not tell all.
        loose: identities of text files without a meta, by path.
        outside: files of packages that verdicts rest on, each with what tells that it is another.
        counts: how many references have each verdict, by kind and reason.
        problems: by file, packed.
    """

    environment: str
    history: str
    digest: bytes
    is_racy: bool
    loose: dict[bytes, int]
    outside: dict[str, str]
    counts: dict[tuple[str, str], int]
    problems: list[tuple[bytes, bytes]]


def read_front(folder: str) -> Front | None:
    """Return what was found last, as an output folder has it; None where there is nothing that can be used."""
    try:
        parts = read_sealed(os.path.join(folder, JUDGED_NAME), _MAGIC, _VERSION)
        head, digest, racy, loose, loose_ids, outside, outcomes, numbers, paths, sizes, problems = parts
        environment, history = strings_of(head)
        places, kinds = strings_of(outside), strings_of(outcomes)
        return Front(
            *(environment, history, digest, racy != _END),
            dict(zip(loose.split(_END)[:-1], array("q", loose_ids), strict=True)),
            dict(zip(places[::2], places[1::2], strict=True)),
            dict(zip(zip(kinds[::2], kinds[1::2], strict=True), array("q", numbers), strict=True)),
            list(zip(paths.split(_END)[:-1], _cut(problems, array("q", sizes)), strict=True)),
        )
    except (OSError, FileError, ValueError, OverflowError, MemoryError):
        return None


def write_front(folder: str, front: Front) -> bool:
    """Keep that in an output folder; return whether it could be done: it saves time, and nothing else."""
    try:
        parts = (
            *(texts([front.environment, front.history]), front.digest, b"\1" if front.is_racy else _END),
            *(b"".join([path + _END for path in front.loose]), array("q", front.loose.values()).tobytes()),
            texts([text for pair in front.outside.items() for text in pair]),
            *(texts([text for pair in front.counts for text in pair]), array("q", front.counts.values()).tobytes()),
            b"".join([path + _END for path, _ in front.problems]),
            array("q", [len(packed) for _, packed in front.problems]).tobytes(),
            b"".join([packed for _, packed in front.problems]),
        )
    except ValueError:  # the path of a package that is no text
        return False
    return write_sealed(os.path.join(folder, JUDGED_NAME), _MAGIC, _VERSION, parts)


def _cut(data: bytes, sizes: array[int]) -> list[bytes]:
    """Return pieces of so many bytes.

    Raises:
        ValueError: they are not what there is.
    """
    if any(size < 0 for size in sizes) or sum(sizes) != len(data):
        raise ValueError("problems and sizes do not belong together")
    pieces, start = [], 0
    for size in sizes:
        pieces.append(data[start : start + size])
        start += size
    return pieces
