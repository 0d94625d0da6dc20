"""A file in pieces as one: ``X.split0``, ``X.split1``, ...

Android builds cut large files so.
"""

from __future__ import annotations

import errno
import os
from bisect import bisect_right
from io import BufferedReader, RawIOBase
from itertools import accumulate
from typing import TYPE_CHECKING

from assetdb_formats.files import FileTooLargeError
from assetdb_formats.inputs import Input, moved

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

    from _typeshed import WriteableBuffer


class Joined:
    """The pieces of a file, as a container of that one file."""

    def __init__(self, path: str, member: str, pieces: Sequence[Input]) -> None:
        """Take the pieces in their order; none of them is read."""
        self.path = path
        self._member = member
        self._pieces = tuple(pieces)

    def input(self) -> Input:
        """Return the file."""
        return Input(self.path, self, self._member)

    def names(self) -> Iterator[str]:
        """Yield its name."""
        yield self._member

    def find(self, folder: str, relative: str) -> str | None:
        """Return this file if ``relative`` to ``folder`` leads to it."""
        name = f"{folder}/{relative}" if folder else relative
        return name if name == self._member else None

    def size(self, _: str) -> int:
        """Return the bytes of all pieces. Raises OSError."""
        return sum(piece.size for piece in self._pieces)

    def head(self, member: str, size: int) -> bytes:
        """Return the first bytes. Raises InputError or OSError."""
        with self.open(member) as stream:
            return stream.read(size)

    def read(self, member: str, *, largest: int) -> bytes:
        """Return all bytes. Raises InputError, OSError, or FileTooLargeError over ``largest`` bytes."""
        size = self.size(member)
        if size > largest:
            what = f"has {size:,} bytes; at most {largest:,} are read of it"
            raise FileTooLargeError(errno.EFBIG, what, self.path)
        with self.open(member) as stream:
            return stream.read()

    def open(self, _: str) -> BinaryIO:
        """Return a seekable stream. Raises InputError or OSError."""
        return BufferedReader(_Pieces(self._pieces))


class _Pieces(RawIOBase):
    """A stream of concatenated files; the last one read stays open."""

    def __init__(self, pieces: Sequence[Input]) -> None:
        super().__init__()
        self._pieces = pieces
        self._starts = list(accumulate((piece.size for piece in pieces), initial=0))
        self._at = 0
        self._open: tuple[int, BinaryIO] | None = None

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = moved(self._at, self._starts[-1], offset, whence)
        return self._at

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        if self._at >= self._starts[-1]:
            return 0
        number = bisect_right(self._starts, self._at) - 1
        if self._open is None or self._open[0] != number:
            self._release()
            self._open = (number, self._pieces[number].open())
        stream = self._open[1]
        stream.seek(self._at - self._starts[number])
        data = stream.read(min(len(view), self._starts[number + 1] - self._at))
        view[: len(data)] = data
        self._at += len(data)
        return len(data)

    def _release(self) -> None:
        if self._open is not None:
            self._open[1].close()
            self._open = None

    def close(self) -> None:
        self._release()
        super().close()
