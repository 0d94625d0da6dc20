"""Identities of files in 64 bits, as git's index compares them.

The modification time is not enough: ``rsync -a``, ``cp -p`` and archives write a file with its original time, and a
folder moved into another's place keeps its time. Programs cannot set the time of the last inode change (``ctime``), and
another file has a different ``inode``.
"""

from __future__ import annotations

import os
import sys
from operator import attrgetter

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Final

    Row = tuple[int, int, int, int]

RACY: Final = -1  # no identity (never Python's hash of a tuple): read again next time
PACKED_RACY: Final = RACY.to_bytes(8, "little", signed=True)  # one value in either byte order
_GONE: Final = -2  # nor is this one; never stored, to distinguish untrusted from missing

DEFAULT: Final = "default"
MINIMAL: Final = "minimal"
CHECK_STAT: Final = (DEFAULT, MINIMAL)
"""Compared fields, as for git's ``core.checkStat``: all, or only those that every file system gets right."""

_FEW: Final = 4  # files up to which a folder's records take longer than they save
_EPOCH: Final = 116_444_736_000_000_000  # 1970 in Windows' steps of 100 ns since 1601
_NOT_PLAIN: Final = 0x410  # FILE_ATTRIBUTE_DIRECTORY, FILE_ATTRIBUTE_REPARSE_POINT
_NAME: Final = 104  # where the name begins in a record

_TICK: Final = 20_000_000  # ns; Linux stamps files with a clock that steps every 1 to 10 ms
_COARSE_TICK: Final = 2_000_000_000  # FAT and some network file systems keep whole (even) seconds
_FAR: Final = 86_400_000_000_000  # a day: larger errors of a server's clock are ignored

# Two times, and two numbers that change with the content or with the file. Windows' ctime is when the file was made.
_CHANGE_TIME: Final = "st_ctime_ns" if os.name != "nt" else "st_mtime_ns"
_FIELDS: Final = {
    DEFAULT: ("st_mtime_ns", _CHANGE_TIME, "st_size", "st_ino"),
    MINIMAL: ("st_mtime_ns", "st_mtime_ns", "st_size", "st_size"),
}


def identity(status: os.stat_result, check_stat: str = DEFAULT) -> int:
    """Return 64 bits that change with the record of a file.

    Compare with the stored value of a scan, unless that is :data:`RACY`. Two states collide with a probability of
    2**-64 (never if only one field differs); every 64-bit Python computes equal ones.
    """
    return hash(_row_of(check_stat)(status))


def _row_of(check_stat: str) -> Callable[[os.stat_result], Row]:
    row: Callable[[os.stat_result], Row] = attrgetter(*_FIELDS[check_stat])
    return row


class Identities:
    """The identities of files during one scan.

    Attributes:
        row: the compared fields of a file, its two times first; if both are before ``surely_old``, the row's hash is
            the result of :meth:`of`.
        surely_old: a time in ns that no later change can have.
        since_ns: when the scan began.
        is_minimal: whether only times and sizes are compared.
    """

    def __init__(self, since_ns: int, check_stat: str = DEFAULT) -> None:
        """Prepare.

        Args:
            since_ns: when the scan began; a file with a time from this tick on is not trusted.
            check_stat: one of :data:`CHECK_STAT`.
        """
        from struct import pack  # noqa: PLC0415 - a question examines single files

        self.row = _row_of(check_stat)
        self.is_minimal = check_stat == MINIMAL
        self._pack = pack
        self.since_ns = since_ns
        self.surely_old = since_ns - _COARSE_TICK

    def of(self, status: os.stat_result) -> int:
        """Return a file's identity, or :data:`RACY` if a change could keep it."""
        row = self.row(status)
        if row[0] < self.surely_old > row[1] or (self._settled(row[0]) and self._settled(row[1])):
            return hash(row)
        return RACY

    def raw(self, status: os.stat_result) -> int:
        """Return an identity, racy or not, to compare with a trusted one."""
        return hash(self.row(status))

    def packed(self, prefix: bytes, names: Sequence[bytes]) -> bytes:
        """Return raw identities of files, int64 each; none equals an untrusted one.

        Nearly all of the time is ``os.stat``: 1 us in the kernel and 1 us for its result. The rest is one chain of
        maps; a loop took 6 % of a bake that changes nothing.
        """
        if sys.platform == "win32" and len(names) >= _FEW:
            found = self._listed(prefix, names)
            if found is not None:
                return found
        paths = map(prefix.__add__, names) if prefix else names
        try:
            return self._pack(f"{len(names)}q", *map(hash, map(self.row, map(os.stat, paths))))
        except OSError:
            return self._pack(f"{len(names)}q", *[self._raw_or_gone(prefix + name) for name in names])

    if sys.platform == "win32":

        def _listed(self, prefix: bytes, names: Sequence[bytes]) -> bytes | None:
            """Return raw identities by the records of a folder, or None."""
            try:
                rows = records_of(prefix or b".")
            except OSError:
                return None
            if self.is_minimal:
                rows = {name: (mtime, mtime, size, size) for name, (mtime, _, size, _) in rows.items()}
            probe = names[0]
            try:  # file systems whose folders number files otherwise, or do not
                if rows.get(probe) != self.row(os.stat(prefix + probe)):
                    return None
            except OSError:
                return None
            hashes = [hash(rows[name]) if name in rows else self._raw_or_gone(prefix + name) for name in names]
            return self._pack(f"{len(names)}q", *hashes)

    def _raw_or_gone(self, path: bytes) -> int:
        try:
            return self.raw(os.stat(path))
        except OSError:
            return _GONE

    def _settled(self, time_ns: int) -> bool:
        """Whether a later change would leave another time.

        A time in the near future counts as now, because a server's clock may be ahead; one of next week does not.
        """
        tick = _TICK if time_ns % 1_000_000_000 else _COARSE_TICK
        return time_ns < self.since_ns - tick or time_ns > self.since_ns + _FAR


def has_racy(identities: bytes) -> bool:
    """Whether one of some packed identities is :data:`RACY`."""
    return PACKED_RACY in identities and RACY in memoryview(identities).cast("q")


def device_and_inode(path: str | bytes, *, follow: bool = True) -> tuple[int, int]:
    """Return device and inode of a file or folder, zeros if absent."""
    try:
        status = os.stat(path, follow_symlinks=follow)
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


def same_folder(one: str, other: str) -> bool:
    """Whether two paths lead to one folder."""
    try:
        return one == other or os.path.samefile(one, other)
    except OSError:
        return False


def records(data: bytes) -> Iterator[tuple[bytes, Row]]:
    """Yield name and compared fields of each file in records of ``FILE_ID_BOTH_DIR_INFO``.

    Folders are left out, and reparse points: the record of a link does not describe its target.
    """
    start = 0
    while start + _NAME <= len(data):
        following, attributes, length = (_u32(data, start + offset) for offset in (0, 56, 60))
        if not attributes & _NOT_PLAIN:
            name = data[start + _NAME : start + _NAME + length].decode("utf-16-le", "surrogatepass")
            mtime = (int.from_bytes(data[start + 24 : start + 32], "little") - _EPOCH) * 100
            size = int.from_bytes(data[start + 40 : start + 48], "little")
            number = int.from_bytes(data[start + 96 : start + _NAME], "little")
            yield name.encode("utf-8", "surrogatepass"), (mtime, mtime, size, number)
        if not following:
            return
        start += following


def _u32(data: bytes, offset: int) -> int:
    return int.from_bytes(data[offset : offset + 4], "little")


if sys.platform == "win32":
    import ctypes

    from assetdb_formats.files import INVALID, kernel

    def records_of(folder: bytes) -> dict[bytes, Row]:
        """Return the compared fields of the files in a folder, by name.

        One call for some hundred files, where ``os.stat`` opens each. A folder's records are as of the last time
        that a file was closed, which is what git for Windows relies on, too.

        Raises:
            OSError: it cannot be listed so.
        """
        list_it, share_all, existing, backup = 1, 7, 3, 0x0200_0000
        handle = kernel.CreateFileW(os.fsdecode(folder), list_it, share_all, None, existing, backup, None)
        if handle == INVALID:
            raise ctypes.WinError(ctypes.get_last_error())
        try:
            buffer = ctypes.create_string_buffer(1 << 16)
            found: dict[bytes, Row] = {}
            kind = 11  # FileIdBothDirectoryRestartInfo, then FileIdBothDirectoryInfo
            while kernel.GetFileInformationByHandleEx(handle, kind, buffer, len(buffer)):
                found.update(records(buffer.raw))
                kind = 10
            if ctypes.get_last_error() != 18:  # ERROR_NO_MORE_FILES
                raise ctypes.WinError(ctypes.get_last_error())
            return found
        finally:
            kernel.CloseHandle(handle)
