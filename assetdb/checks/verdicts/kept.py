"""The file that keeps verdicts from one look to the next: counts and problems in front, what they rest on behind.

Private to assetdb. A file that is absent, damaged, another's or of another version is an empty one, never an error.
Where nothing changed the front alone is read: of unitystation 3 of 20 MB.
"""

from __future__ import annotations

import os
import sys
import zlib
from array import array
from struct import Struct
from typing import TYPE_CHECKING, Final

import msgspec

from assetdb.checks.verdicts.tree import Row
from assetdb.errors import FileError
from assetdb.store.files import VERDICTS_NAME
from assetdb.system.reading import open_regular
from formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.checks.verdicts.placing import Problem
    from assetdb.checks.verdicts.state import State

_MAGIC: Final = b"UADJUDGE"
_VERSION: Final = 2
_HEADER: Final = Struct("<8sIIQQII")  # byte order, sizes and checksums of front and back
_LARGEST: Final = 1 << 30
_UINT: Final = 4


class Front(msgspec.Struct, array_like=True, frozen=True):
    """What answers where nothing changed.

    Attributes:
        environment: what all verdicts rest on besides the tree.
        digest: of the tree.
        is_racy: whether that does not tell all.
        loose: identities of text files without a meta, by path.
        outside: files of packages that verdicts rest on, each with what tells that it is another.
        counts: how many references have each verdict: kind, reason and number.
        problems: by file.
    """

    environment: str
    digest: bytes
    is_racy: bool
    loose: dict[bytes, int]
    outside: dict[str, str]
    counts: list[tuple[str, str, int]]
    problems: list[tuple[bytes, list[tuple[int, str, str, str, str, str, str, str, str | None, str, str]]]]


class _Back(msgspec.Struct, array_like=True, frozen=True):
    """A State in columns, but for what the front has."""

    rows: list[tuple[bytes, bytes, bytes, bytes, bytes, bytes, int]]
    alone: dict[bytes, str]
    outside: list[tuple[bytes, str, str, bytes]]
    keys: bytes
    outcomes: list[tuple[str, str]]
    codes: bytes
    occurrences: bytes
    files: list[tuple[bytes, bytes, bytes]]
    nested: list[tuple[bytes, bytes]]


class Kept:
    """A file of verdicts that was opened.

    Attributes:
        front: what it says at once.
    """

    def __init__(self, front: Front, path: str, start: int, size: int, checksum: int) -> None:
        """Take the front, and where the rest is."""
        self.front = front
        self._path = path
        self._back = start, size, checksum

    def problems(self) -> dict[bytes, list[Problem]]:
        """Return the problems by file."""
        return {path: [_problem(row) for row in rows] for path, rows in self.front.problems}

    def state(self) -> State:
        """Return all that is known; nothing where the rest is damaged."""
        from assetdb.checks.verdicts.state import State  # noqa: PLC0415 - where nothing changed it is not needed

        start, size, checksum = self._back
        try:
            with open(open_regular(self._path), "rb") as file:
                file.seek(start)
                packed = file.read(size)
            if len(packed) != size or zlib.crc32(packed) != checksum:
                return State()
            return self._unpacked(msgspec.msgpack.decode(packed, type=_Back))
        except (OSError, FileError, ValueError, IndexError, OverflowError, MemoryError):
            return State()

    def _unpacked(self, back: _Back) -> State:
        from assetdb.checks.verdicts.state import State  # noqa: PLC0415 - as above

        state = State()
        state.rows = {path: Row(*columns) for path, *columns in back.rows}  # type: ignore[arg-type]  # six of them
        state.loose = dict(self.front.loose)
        state.alone = back.alone
        state.outside = {guid: (file, told, _split(nested)) for guid, file, told, nested in back.outside}
        state.keys = back.keys.split(b"\n") if back.keys else []
        state.outcomes = back.outcomes
        state.codes.frombytes(back.codes)
        state.occurrences.frombytes(back.occurrences)
        count = len(state.keys)
        is_whole = len(state.codes) == len(state.occurrences) == count
        if not is_whole or (count and max(state.codes) >= len(state.outcomes)):
            raise ValueError("verdicts and keys do not belong together")
        for path, keys, counts in back.files:
            numbers = array("I", keys)
            if len(keys) != len(counts) or (numbers and max(numbers) >= count):
                raise ValueError("references and keys do not belong together")
            state.files[path] = keys, counts
        state.nested = {path: _split(nested) for path, nested in back.nested}
        state.problems = self.problems()
        return state


def read_kept(folder: str) -> Kept | None:
    """Open the verdicts in an output folder; None where there are none that can be used."""
    path = os.path.join(folder, VERDICTS_NAME)
    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            head = file.read(_HEADER.size) or b""
            if len(head) != _HEADER.size:
                return None
            magic, version, order, front_size, back_size, front_sum, back_sum = _HEADER.unpack(head)
            if (magic, version, order) != (_MAGIC, _VERSION, _order()) or front_size > _LARGEST or back_size > _LARGEST:
                return None
            if size != _HEADER.size + front_size + back_size:
                return None
            packed = file.read(front_size) or b""
        if len(packed) != front_size or zlib.crc32(packed) != front_sum:
            return None
        front = msgspec.msgpack.decode(packed, type=Front)
    except (OSError, FileError, ValueError, OverflowError, MemoryError):
        return None
    return Kept(front, path, _HEADER.size + front_size, back_size, back_sum)


def write_kept(folder: str, front: Front, state: State) -> bool:
    """Keep verdicts in an output folder; return whether that could be done: they save time, and nothing else."""
    back = _Back(
        [(path, *row) for path, row in state.rows.items()],
        state.alone,
        [(guid, file, told, b" ".join(nested)) for guid, (file, told, nested) in state.outside.items()],
        b"\n".join(state.keys),
        state.outcomes,
        state.codes.tobytes(),
        state.occurrences.tobytes(),
        [(path, *references) for path, references in state.files.items()],
        [(path, b" ".join(nested)) for path, nested in state.nested.items()],
    )
    encode = msgspec.msgpack.Encoder().encode
    packed = encode(front), encode(back)
    header = _HEADER.pack(
        *(_MAGIC, _VERSION, _order()),
        *map(len, packed),
        *map(zlib.crc32, packed),
    )
    try:
        replace_file(os.path.join(folder, VERDICTS_NAME), [header, *packed])
    except OSError:  # a folder that is read-only, a disk that is full: then they are found out again
        return False
    return True


def packed_problems(
    problems: Iterable[tuple[bytes, list[Problem]]],
) -> list[tuple[bytes, list[tuple[int, str, str, str, str, str, str, str, str | None, str, str]]]]:
    """Return problems as a front has them: ids as text, for a file may say more than 64 bits hold."""
    return [(path, [_packed(row) for row in rows]) for path, rows in problems]


def _packed(row: Problem) -> tuple[int, str, str, str, str, str, str, str, str | None, str, str]:
    line, class_id, object_id, *texts, file_id, kind, reason = row
    way, script, place, override, guid = (text.encode("utf-8", "replace").decode() for text in texts)
    number = None if file_id is None else str(file_id)
    return line, str(class_id), str(object_id), way, script, place, override, guid, number, kind, reason


def _problem(row: tuple[int, str, str, str, str, str, str, str, str | None, str, str]) -> Problem:
    line, class_id, object_id, way, script, place, override, guid, file_id, kind, reason = row
    number = None if file_id is None else int(file_id)
    return line, int(class_id), int(object_id), way, script, place, override, guid, number, kind, reason


def _split(packed: bytes) -> tuple[bytes, ...]:
    return tuple(packed.split(b" ")) if packed else ()


def _order() -> int:
    return 0 if sys.byteorder == "little" else 1
