"""Inputs of a command: files, folders, and members of zip archives.

A folder or archive is walked for the wanted files; each becomes an :class:`Input`, with one interface for both. Nothing
is ever unpacked to a path: a member is bytes in memory, or an unnamed temporary file. :class:`InputLimits` bounds what
an archive may take, and names that lead out of it (``..``, absolute ones, links) are left out.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import zlib
from io import BufferedReader, BytesIO, RawIOBase
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from assetdb_formats.binary import FormatError
from assetdb_formats.files import open_file, read_file

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Callable, Iterator
    from types import ModuleType
    from typing import BinaryIO, Protocol

    from _typeshed import WriteableBuffer

_STORED: Final = 0
_DEFLATED: Final = 8
_LOCAL_HEADER: Final = 30  # bytes of a member's own header before its name
_ENCRYPTED: Final = 1
_CHUNK: Final = 1 << 20
_DRIVE: Final = re.compile(r"[A-Za-z]:")
SKIPPED_FOLDERS: Final = frozenset({".git", "node_modules", "Temp", "obj"})


class InputError(FormatError):
    """Error of a folder or archive that is damaged or too large."""


class InputLimits(NamedTuple):
    """Bounds of a search; sizes in bytes.

    ``members`` and ``directory`` bound the table of an archive (the largest APK seen has 65,000 members and 8 MB),
    ``ratio`` how many times its own size may be unpacked from it in all (besides ``freely``), ``folders`` a walk, and
    ``in_memory`` a stream before it goes to a temporary file.
    """

    members: int = 200_000
    directory: int = 32 << 20
    ratio: int = 200
    freely: int = 1 << 30
    folders: int = 20_000
    in_memory: int = 64 << 20


LIMITS: Final = InputLimits()


if TYPE_CHECKING:

    class Container(Protocol):
        """A folder, an archive, or the data of a web player."""

        path: str

        def names(self) -> Iterator[str]:
            """Yield the names of its files."""

        def find(self, folder: str, relative: str) -> str | None:
            """Return the file that ``relative`` means from ``folder``."""

        def size(self, member: str) -> int:
            """Return the bytes of a file, unpacked."""

        def head(self, member: str, size: int) -> bytes:
            """Return the first bytes of a file."""

        def read(self, member: str, *, largest: int) -> bytes:
            """Return the bytes of a file."""

        def open(self, member: str) -> BinaryIO:
            """Open a file."""


class Input(NamedTuple):
    """One file: in a folder, or a member of an archive.

    ``name`` is what people see: the path, or the archive's path and the member's name behind it; ``member`` is the
    name relative to ``container``, with ``/``.
    """

    name: str
    container: Container
    member: str

    @property
    def path(self) -> str | None:
        """A separate file's path; None for a member of an archive."""
        return self.container.place(self.member) if isinstance(self.container, Folder) else None

    @property
    def size(self) -> int:
        """Bytes, unpacked. Raises OSError."""
        return self.container.size(self.member)

    def head(self, size: int) -> bytes:
        """Return the first bytes; raises InputError or OSError."""
        return self.container.head(self.member, size)

    def read(self, *, largest: int) -> bytes:
        """Return all bytes. Raises InputError, OSError, or FileTooLargeError over ``largest`` bytes."""
        return self.container.read(self.member, largest=largest)

    def open(self) -> BinaryIO:
        """Return a seekable stream; the caller closes it. Raises InputError or OSError."""
        return self.container.open(self.member)

    def beside(self, relative: str) -> Input | None:
        """Return the file at a relative name in this folder, or None."""
        folder, slash, _ = self.member.rpartition("/")
        member = self.container.find(folder, relative)
        if member is None:
            return None
        is_folder = isinstance(self.container, Folder)  # whose names have the system's separators
        own, other = (name.replace("/", os.sep) if is_folder else name for name in (self.member, member))
        shown = self.name[: len(self.name) - len(own)] if self.name.endswith(own) else ""
        return Input(f"{shown}{other}" if shown or slash else other, self.container, member)


class Folder:
    """A folder of files; ``on_refused`` gets errors of listing."""

    def __init__(
        self, path: str, limits: InputLimits = LIMITS, *, on_refused: Callable[[OSError], None] | None = None
    ) -> None:
        self.path = path
        self._limits = limits
        self._on_refused = on_refused

    def place(self, member: str) -> str:
        """Return the path of a file in it."""
        return os.path.join(self.path, *member.split("/")) if self.path else os.path.join(*member.split("/"))

    def names(self) -> Iterator[str]:
        """Yield the names of its files, sorted within each folder.

        Links to folders are not followed. Raises InputError for more folders than the limit, or OSError.
        """

        def refused(error: OSError) -> None:
            if error.filename in (self.path, self.path or os.curdir):
                raise error
            if self._on_refused is not None:
                self._on_refused(error)

        for seen, (place, folders, files) in enumerate(os.walk(self.path or os.curdir, onerror=refused)):
            if seen >= self._limits.folders:
                what = f"has over {self._limits.folders:,} folders; name one nearer to the files"
                raise InputError(what, path=self.path)
            folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
            inside = os.path.relpath(place, self.path or os.curdir).replace(os.sep, "/")
            for name in sorted(files):
                yield name if inside == "." else f"{inside}/{name}"

    def find(self, folder: str, relative: str) -> str | None:
        """Return the file at ``relative`` to ``folder``, if it lies below that."""
        full = below(os.path.abspath(os.path.join(self.path, *folder.split("/"))), relative)
        if full is None or not os.path.isfile(full):
            return None
        return os.path.relpath(full, os.path.abspath(self.path or os.curdir)).replace(os.sep, "/")

    def size(self, member: str) -> int:
        """Return the bytes of a file."""
        return os.path.getsize(self.place(member))

    def head(self, member: str, size: int) -> bytes:
        """Return the first bytes of a file."""
        with open_file(self.place(member)) as stream:
            return stream.read(size)

    def read(self, member: str, *, largest: int) -> bytes:
        """Return the bytes of a file."""
        return read_file(self.place(member), largest=largest)

    def open(self, member: str) -> BinaryIO:
        """Open a file."""
        return open_file(self.place(member))


class Archive:
    """A zip archive; its members are unpacked on demand."""

    def __init__(self, path: str, limits: InputLimits = LIMITS) -> None:
        """Read the table. Raises InputError or OSError."""
        self.path = path
        self._limits = limits
        with open_file(path) as stream:
            bytes_of_file = os.fstat(stream.fileno()).st_size
            self._members = self._table(stream)
        packed = sum(info.compress_size for info in self._members.values())
        if packed > bytes_of_file:
            what = f"its members have {packed:,} bytes, the archive {bytes_of_file:,}: they overlap"
            raise InputError(what, path=path)
        self._left = limits.freely + limits.ratio * bytes_of_file

    def _table(self, stream: BinaryIO) -> dict[str, zipfile.ZipInfo]:
        import zipfile  # noqa: PLC0415 - with what it needs a tenth of the start of a build without archives

        members: dict[str, zipfile.ZipInfo] = {}
        try:
            with zipfile.ZipFile(_TableReader(stream, self.path, self._limits)) as archive:
                for info in archive.infolist():
                    name = info.filename.replace("\\", "/")
                    # A folder ends with a slash, and a name without a character is none: zipfile looks at its last one.
                    if is_inside(name) and not info.is_dir() and not stat.S_ISLNK(info.external_attr >> 16):
                        members.setdefault(name, info)
        except InputError:
            raise
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError) as error:
            raise InputError(str(error) or "is a damaged archive", path=self.path) from None
        return members

    def names(self) -> Iterator[str]:
        """Yield the sorted names of its members, except those that lead out."""
        yield from sorted(self._members)

    def find(self, folder: str, relative: str) -> str | None:
        """Return the member at ``relative`` to ``folder``, if it lies below that."""
        name = f"{folder}/{relative}" if folder else relative
        return name if is_inside(relative) and name in self._members else None

    def size(self, member: str) -> int:
        """Return a member's size, as the archive's table has it."""
        return self._members[member].file_size

    def stored(self, member: str) -> tuple[int, int]:
        """Return a member's compressed size and its CRC-32."""
        info = self._members[member]
        return info.compress_size, info.CRC

    def head(self, member: str, size: int) -> bytes:
        """Return the first bytes of a member."""
        with open_file(self.path) as stream:
            return b"".join(self._pieces(stream, member, size))[:size]

    def read(self, member: str, *, largest: int) -> bytes:
        """Return the bytes of a member. Raises InputError also over ``largest`` bytes."""
        size = self.size(member)
        if size > largest:
            raise self._error(member, f"has {size:,} bytes; at most {largest:,} are read of it")
        with open_file(self.path) as stream:
            data = bytearray()
            for piece in self._pieces(stream, member, size):
                data += piece
            self._check(member, len(data), zlib.crc32(data))
            return bytes(data)

    def open(self, member: str) -> BinaryIO:
        """Open a member, unpacked to memory or a file where necessary."""
        info = self._members[member]
        stream = open_file(self.path)
        try:
            start = self._start(stream, member)
            if info.compress_type == _STORED and info.file_size == info.compress_size:
                return BufferedReader(Window(stream, start, info.file_size))
        except BaseException:
            stream.close()
            raise
        with stream:
            if info.file_size <= self._limits.in_memory:
                return BytesIO(self.read(member, largest=info.file_size))
            import tempfile  # noqa: PLC0415 - of the few that are too large for memory

            unpacked = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115 - the caller's
            try:
                size = checksum = 0
                for piece in self._pieces(stream, member, info.file_size):
                    unpacked.write(piece)
                    size += len(piece)
                    checksum = zlib.crc32(piece, checksum)
                self._check(member, size, checksum)
                unpacked.seek(0)
            except BaseException:
                unpacked.close()
                raise
            return unpacked

    def _error(self, member: str, what: str) -> InputError:
        return InputError(f"{member}: {what}", path=self.path)

    def _check(self, member: str, size: int, checksum: int) -> None:
        info = self._members[member]
        if size != info.file_size:
            raise self._error(member, f"is cut off: {size:,} of {info.file_size:,} bytes")
        if checksum != info.CRC:
            raise self._error(member, "is damaged: its CRC-32 is not the one of the table")

    def _start(self, stream: BinaryIO, member: str) -> int:
        """Return the offset of a member's bytes, behind its local header."""
        info = self._members[member]
        stream.seek(max(0, info.header_offset))
        header = stream.read(_LOCAL_HEADER)
        if info.header_offset < 0 or len(header) < _LOCAL_HEADER or header[:4] != b"PK\x03\x04":
            raise self._error(member, f"has no header at offset {info.header_offset}")
        if info.flag_bits & _ENCRYPTED:
            raise self._error(member, "is encrypted")
        name, extra = int.from_bytes(header[26:28], "little"), int.from_bytes(header[28:30], "little")
        return info.header_offset + _LOCAL_HEADER + name + extra

    def _pieces(self, stream: BinaryIO, member: str, most: int) -> Iterator[bytes]:
        """Yield a member's unpacked bytes in pieces, at most ``most`` bytes."""
        info = self._members[member]
        stream.seek(self._start(stream, member))
        left, packed = most, info.compress_size
        if info.compress_type not in (_STORED, _DEFLATED):
            raise self._error(member, f"is compressed by method {info.compress_type}, which is not read")
        inflate = zlib.decompressobj(-zlib.MAX_WBITS) if info.compress_type == _DEFLATED else None
        pending = b""
        while left and (pending or packed):
            if not pending:
                pending = stream.read(min(_CHUNK, packed))
                packed = packed - len(pending) if pending else 0
            if inflate is None:
                piece, pending = pending[:left], b""
            else:
                try:
                    piece = inflate.decompress(pending, min(_CHUNK, left))
                except zlib.error as error:
                    raise self._error(member, str(error)) from None
                pending = inflate.unconsumed_tail
                if inflate.eof:
                    packed, pending = 0, b""
            left -= len(piece)
            self._left -= len(piece)
            if self._left < 0:
                what = f"unpacks to over {self._limits.ratio} times its size; it is not read further"
                raise InputError(what, path=self.path)
            yield piece


class _TableReader:
    """A bounded reader of a zip archive's table.

    Without it, zipfile makes an object of 600 bytes of each entry of 46, without end.
    """

    def __init__(self, stream: BinaryIO, path: str, limits: InputLimits) -> None:
        self._stream = stream
        self._path = path
        self._limits = limits
        self.seek = stream.seek
        self.tell = stream.tell

    def read(self, size: int = -1) -> bytes:
        if size > self._limits.directory:
            what = f"its table has {size:,} bytes; at most {self._limits.directory:,} are read"
            raise InputError(what, path=self._path)
        data = self._stream.read(size)
        count = data.count(b"PK\x01\x02")
        if count > self._limits.members:
            raise InputError(f"has {count:,} members; at most {self._limits.members:,} are read", path=self._path)
        return data


class Window(RawIOBase):
    """A part of a file as a file, which may be ``shared``.

    Closing it closes the underlying file, unless that is shared with other windows.
    """

    def __init__(self, stream: BinaryIO, start: int, size: int, *, shared: bool = False) -> None:
        """Take a part of a seekable stream."""
        super().__init__()
        self._shared = shared
        self._stream = stream
        self._start = start
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move in the part."""
        self._at = moved(self._at, self._size, offset, whence)
        return self._at

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read from where it is."""
        view = memoryview(buffer).cast("B")
        self._stream.seek(self._start + self._at)
        data = self._stream.read(max(0, min(len(view), self._size - self._at)))
        view[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        """Close it."""
        if not self._shared:
            self._stream.close()
        super().close()


def moved(at: int, size: int, offset: int, whence: int) -> int:
    """Return a stream's position after a seek; raises OSError."""
    base = 0 if whence == os.SEEK_SET else at if whence == os.SEEK_CUR else size
    if base + offset < 0:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    return base + offset


def is_inside(name: str) -> bool:
    """Whether a relative name stays below its folder on every platform."""
    parts = name.split("/")
    return not (name == "" or "\0" in name or _DRIVE.match(name) or any(part in ("", ".", "..") for part in parts))


def below(folder: str, relative: str, paths: ModuleType = os.path) -> str | None:
    """Return the path of ``relative`` below ``folder``, or None.

    Compared as text: ``commonpath`` raises ValueError for another drive.
    """
    full: str = paths.normpath(paths.join(folder, relative))
    return full if full.startswith(paths.join(folder, "")) else None


def is_archive(path: str) -> bool:
    """Whether a file is a zip archive, by its first bytes."""
    with open_file(path) as stream:
        return stream.read(4) in (b"PK\x03\x04", b"PK\x05\x06")


def file_input(path: str) -> Input:
    """Return a file that was named itself."""
    folder, name = os.path.split(path)
    return Input(path, Folder(folder), name)


def find_inputs(
    path: str,
    wanted: Callable[[str], bool],
    *,
    limits: InputLimits = LIMITS,
    on_refused: Callable[[OSError], None] | None = None,
) -> Iterator[Input]:
    """Yield the file at a path, or the wanted files inside it.

    Inside means in a folder or an archive.

    ``wanted`` is called with the name of each file within the folder or archive (with ``/``). A ``path`` that is a
    file is an input whatever its name, unless it is an archive. ``on_refused`` is called with the error of each folder
    that cannot be listed.

    Raises:
        InputError: the folder or archive is damaged or out of proportion.
        OSError: nothing is there, or it cannot be read; ``filename`` is set.
    """
    container: Folder | Archive
    if os.path.isdir(path):
        container = Folder(path, limits, on_refused=on_refused)
    elif is_archive(path):
        container = Archive(path, limits)
    else:
        yield file_input(path)
        return
    for member in container.names():
        if wanted(member):
            shown = os.path.join(path, *member.split("/")) if isinstance(container, Folder) else f"{path}/{member}"
            yield Input(shown, container, member)
