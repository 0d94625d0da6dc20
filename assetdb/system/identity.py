"""Identities of files in 64 bits, as git's index compares them.

The modification time is not enough: ``rsync -a``, ``cp -p`` and archives write a file with its original time, and a
folder moved into another's place keeps its time. Programs cannot set the time of the last inode change (``ctime``), and
another file has a different ``inode``.
"""

from __future__ import annotations

import os
from operator import attrgetter

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

    Row = tuple[int, int, int, int]

RACY: Final = -1  # no identity (never Python's hash of a tuple): read again next time
PACKED_RACY: Final = RACY.to_bytes(8, "little", signed=True)  # the same in either byte order
_GONE: Final = -2  # nor is this one; never stored, to distinguish untrusted from missing

DEFAULT: Final = "default"
MINIMAL: Final = "minimal"
CHECK_STAT: Final = (DEFAULT, MINIMAL)
"""Compared fields, as for git's ``core.checkStat``: all, or only those that every file system gets right."""

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
    2**-64 (never if only one field differs); the same in every 64-bit Python.
    """
    return hash(_row_of(check_stat)(status))


def _row_of(check_stat: str) -> Callable[[os.stat_result], Row]:
    row: Callable[[os.stat_result], Row] = attrgetter(*_FIELDS[check_stat])
    return row


class Identities:
    """The identities of files during one scan.

    Attributes:
        row: the compared fields of a file, its two times first; if both are before ``surely_old``, the hash of these is
            the result of :meth:`of`.
        surely_old: a time in ns that no later change can have.
    """

    def __init__(self, since_ns: int, check_stat: str = DEFAULT) -> None:
        """Prepare.

        Args:
            since_ns: when the scan began; a file with a time from this tick on is not trusted.
            check_stat: one of :data:`CHECK_STAT`.
        """
        from struct import pack  # noqa: PLC0415 - a question examines single files

        self.row = _row_of(check_stat)
        self._pack = pack
        self._since = since_ns
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
        paths = map(prefix.__add__, names) if prefix else names
        try:
            return self._pack(f"{len(names)}q", *map(hash, map(self.row, map(os.stat, paths))))
        except OSError:
            return self._pack(f"{len(names)}q", *[self._raw_or_gone(prefix + name) for name in names])

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
        return time_ns < self._since - tick or time_ns > self._since + _FAR


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
