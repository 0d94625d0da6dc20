"""The ``.data`` file of a web player, plain or compressed.

::

    z "UnityWebData1.0", u32 end of this table, then until there: u32 offset, u32 size, u32 length, name
    (little-endian); the whole of it as it is, in gzip (``.data.gz``) or Brotli (``.data.br``); ``.unityweb`` may be any

Source: the files of UnityDataTools (2022.3), and what the public readers agree on.
"""

from __future__ import annotations

import errno
import weakref
import zlib
from io import BufferedReader
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from assetdb_formats.extras import MissingExtraError, import_extra
from assetdb_formats.files import FileTooLargeError
from assetdb_formats.inputs import LIMITS, InputError, Window, is_inside
from assetdb_formats.unityfs.reader import UnityReader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from assetdb_formats.inputs import Input, InputLimits

SIGNATURE: Final = b"UnityWebData1.0\0"
_GZIP: Final = b"\x1f\x8b"
_SUFFIXES: Final = (".data", ".data.gz", ".data.br", ".unityweb")
_CHUNK: Final = 1 << 20
_LARGEST_TABLE: Final = 1 << 20
_ROW: Final = 12


class MissingBrotliError(MissingExtraError, InputError):
    """Error of a missing extra for Brotli."""


class UnpackedTooLargeError(InputError):
    """The file unpacks to more than is read."""


class WebFile(NamedTuple):
    """A file in the unpacked data, with its offset and size."""

    offset: int
    size: int


def may_be_web_data(name: str) -> bool:
    """Whether a name is usual for a web player's data."""
    return name.lower().endswith(_SUFFIXES)


class WebData:
    """The files of a web player's data.

    They are used as the members of a zip archive are (:class:`assetdb_formats.inputs.Archive`).

    Attributes:
        compression: ``""``, ``gzip`` or ``brotli``.
        unpacked_size: bytes of the data when unpacked; the file's size where it is not compressed.
        table_size: bytes of them that hold the table.
    """

    def __init__(self, file: Input, limits: InputLimits = LIMITS) -> None:
        """Read the table, unpacking compressed data to memory or temporary file.

        Raises:
            InputError: it is not web data, or damaged.
            UnpackedTooLargeError: it unpacks out of proportion.
            MissingBrotliError: it is compressed with Brotli, which needs an extra.
            OSError: it cannot be read.
        """
        self.path = file.name
        self._limits = limits
        self._file = file
        self.packed_size = file.size
        head = file.head(len(SIGNATURE))
        self._unpacked: BinaryIO | None = None
        self.compression = ""
        if head.startswith(_GZIP):
            self.compression = "gzip"
        elif head != SIGNATURE:
            self.compression = "brotli"
        try:
            if self.compression:
                self._unpacked = self._unpack()
                weakref.finalize(self, self._unpacked.close)
            with self._stream() as stream:
                self.unpacked_size = stream.seek(0, 2)
                self._members = self._table(stream)
        except InputError as error:
            raise error.at(self.path) from None

    def names(self) -> Iterator[str]:
        """Yield the sorted names of its files, except those that lead out."""
        yield from sorted(self._members)

    def place(self, member: str) -> WebFile:
        """Return where a file is."""
        return self._members[member]

    def find(self, folder: str, relative: str) -> str | None:
        """Return the file at ``relative`` to ``folder``, if it lies below that."""
        name = f"{folder}/{relative}" if folder else relative
        return name if is_inside(relative) and name in self._members else None

    def size(self, member: str) -> int:
        """Return the bytes of a file."""
        return self._members[member].size

    def head(self, member: str, size: int) -> bytes:
        """Return the first bytes of a file."""
        with self.open(member) as stream:
            return stream.read(size)

    def read(self, member: str, *, largest: int) -> bytes:
        """Return the bytes of a file."""
        if self.size(member) > largest:
            what = f"{member}: has {self.size(member):,} bytes; at most {largest:,} are read of it"
            raise FileTooLargeError(errno.EFBIG, what, self.path)
        with self.open(member) as stream:
            return stream.read()

    def open(self, member: str) -> BinaryIO:
        """Open a file."""
        place = self._members[member]
        shared = self._unpacked is not None
        stream = self._unpacked if self._unpacked is not None else self._file.open()
        return BufferedReader(Window(stream, place.offset, place.size, shared=shared))

    def _stream(self) -> BinaryIO:
        if self._unpacked is None:
            return self._file.open()
        return BufferedReader(Window(self._unpacked, 0, self._unpacked.seek(0, 2), shared=True))

    def _table(self, stream: BinaryIO) -> dict[str, WebFile]:
        stream.seek(0)
        head = stream.read(len(SIGNATURE) + 4)
        if head[: len(SIGNATURE)] != SIGNATURE or len(head) < len(SIGNATURE) + 4:
            raise InputError("is not the data of a web player (UnityWebData1.0)", offset=0, field="signature")
        self.table_size = int.from_bytes(head[-4:], "little")
        if not len(head) <= self.table_size <= min(_LARGEST_TABLE, self.unpacked_size):
            what = f"a table up to byte {self.table_size} of {self.unpacked_size}"
            raise InputError(what, offset=len(SIGNATURE), field="table")
        stream.seek(0)
        reader = UnityReader(stream.read(self.table_size), len(head))
        found: dict[str, WebFile] = {}
        together = 0
        while reader.left:
            if reader.left < _ROW:
                raise InputError("the table is cut off", offset=reader.position, field="table")
            at = reader.position
            place, length = WebFile(reader.u32(), reader.u32()), reader.u32()
            if length > reader.left or place.offset + place.size > self.unpacked_size:
                what = f"a file of {place.size} bytes at {place.offset}, and a name of {length} bytes"
                raise InputError(what, offset=at, field="table")
            name = reader.take(length).decode("utf-8", "surrogateescape")
            together += place.size
            if together > 2 * self.unpacked_size:
                raise InputError("the files overlap", offset=at, field="table")
            if is_inside(name):
                found.setdefault(name, place)
        return found

    def _unpack(self) -> BinaryIO:
        """Unpack all data; neither compression allows random access."""
        import tempfile  # noqa: PLC0415 - of web players alone

        most = self._limits.freely + self._limits.ratio * self.packed_size
        target = cast("BinaryIO", tempfile.SpooledTemporaryFile(self._limits.in_memory))  # noqa: SIM115 - kept open
        try:
            for piece in self._bounded(most):
                target.write(piece)
        except BaseException:
            target.close()
            raise
        return target

    def _bounded(self, most: int) -> Iterator[bytes]:
        size = 0
        for piece in self._pieces():
            size += len(piece)
            if size > most:
                raise UnpackedTooLargeError(
                    f"unpacks to over {most:,} bytes; it is not read further", field=self.compression
                )
            yield piece

    def _pieces(self) -> Iterator[bytes]:
        with self._file.open() as stream:
            yield from _gunzip(stream) if self.compression == "gzip" else _unbrotli(stream)


def _gunzip(stream: BinaryIO) -> Iterator[bytes]:
    inflate = zlib.decompressobj(16 + zlib.MAX_WBITS)
    while not inflate.eof:
        packed = inflate.unconsumed_tail or stream.read(_CHUNK)
        if not packed:
            raise InputError("the gzip data are cut off", field="gzip")
        try:
            yield inflate.decompress(packed, _CHUNK)
        except zlib.error as error:
            raise InputError(f"the gzip data are damaged: {error}", field="gzip") from None


def _unbrotli(stream: BinaryIO) -> Iterator[bytes]:
    brotli = import_extra("brotli", "brotli", "is compressed with Brotli", field="brotli", error=MissingBrotliError)
    decoder = brotli.Decompressor()
    while not decoder.is_finished():
        packed = stream.read(_CHUNK) if decoder.can_accept_more_data() else b""
        try:
            piece = bytes(decoder.process(packed, output_buffer_limit=_CHUNK))
        except (brotli.error, MemoryError):
            raise InputError("is neither the data of a web player nor valid Brotli", field="brotli") from None
        if not packed and not piece and not decoder.is_finished():
            raise InputError("is neither the data of a web player nor complete Brotli", field="brotli")
        yield piece
