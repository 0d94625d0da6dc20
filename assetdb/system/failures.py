"""Classification of system errors: tree, content, or transient.

That a file is gone, or may not be read, is a fact about the tree. That no descriptor or memory was left, that a disk or
a server did not answer, is none: a folder that could not be listed is not empty for that, and an update fails. But a
bad sector stays: the content of one file that cannot be read for :data:`PATIENCE` is a fact about that file.
"""

from __future__ import annotations

import errno
import os
import time

from assetdb.errors import ScanError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

GONE: Final = frozenset({errno.ENOENT, errno.ENOTDIR})
# Said as a diagnostic. Links that go in circles and paths that are too long stay so until somebody changes the tree;
# a socket or a device without a driver cannot be opened; Windows knows names that it has no file for.
DENIED: Final = frozenset(
    {errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENAMETOOLONG, errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP}
    | ({errno.EINVAL} if os.name == "nt" else set())
)
OF_THE_TREE: Final = GONE | DENIED
# A sector that is bad, on this computer or on a server; a checksum of the file system that does not match (ext4, XFS,
# Btrfs, F2FS); a file of fscrypt without its key.
CONTENT: Final = frozenset(
    getattr(errno, name)
    for name in ("EIO", "EREMOTEIO", "EBADMSG", "EUCLEAN", "ENODATA", "EILSEQ", "ENOKEY")
    if hasattr(errno, name)
)
PATIENCE: Final = 2.0
"""Seconds for which an error of a file's content may be one of this moment: a disk that wakes, a cable, a failover."""
_STEP: Final = 0.1  # seconds between two attempts
_MOST_WAITED_FOR: Final = 3  # files of one process; on a disk with 10,000 bad ones nobody waits for each
_MOST_REMEMBERED: Final = 10_000
_failing: Final[dict[str, float]] = {}  # when the content of each file could not be read first

_ADVICE: Final = {
    errno.EMFILE: "raise the limit of open files (ulimit -n), or end what holds them",
    errno.ENFILE: "end what holds so many files open",
    errno.ENOMEM: "end what takes the memory",
    errno.EIO: "look at the disk, or at the server that it is on",
    errno.ESTALE: "mount the network file system again if this stays",
    errno.ENOTCONN: "mount the file system again: what served it has ended",
}


def excuse(path: bytes | str, error: OSError) -> None:
    """Raise a ScanError unless an error is a fact about the tree.

    Raises:
        ScanError: it says something of this moment alone.
    """
    if error.errno not in OF_THE_TREE:
        raise scan_error(os.fsencode(path), error) from error


def raise_error(error: OSError) -> None:
    """Raise an error that ``os.walk`` would pass over."""
    raise error


def excuse_content(path: bytes | str, error: OSError) -> None:
    """Raise a ScanError unless an error concerns one file alone.

    Raises:
        ScanError: it says something of this moment alone.
    """
    if error.errno not in CONTENT:
        excuse(path, error)


def is_worth_retrying(path: bytes | str, error: OSError) -> bool:
    """Whether to read a file again after a moment.

    Args:
        path: of the file, the same one at each attempt.
        error: of opening or reading it.
    """
    if error.errno not in CONTENT:
        return False
    name, now = os.fsdecode(path), time.monotonic()
    if name not in _failing and len(_failing) >= _MOST_REMEMBERED:
        _failing.clear()
    first = _failing.setdefault(name, now)
    if now - first >= PATIENCE or len(_failing) > _MOST_WAITED_FOR:
        return False
    time.sleep(_STEP)
    return True


def mode_of(path: str) -> int:
    """Return the mode of a path, 0 where nothing is there.

    Raises:
        ScanError: that cannot be told just now, which ``os.path.isdir`` takes for a no.
    """
    try:
        return os.stat(path).st_mode
    except OSError as error:
        excuse(path, error)
    except ValueError:  # a NUL in the path
        pass
    return 0


def scan_error(path: bytes, error: OSError) -> ScanError:
    """Return the error of a scan that failed at a path."""
    number = error.errno or 0
    advice = _ADVICE.get(number, "try again")
    shown = os.fsdecode(path).encode("utf-8", "replace").decode()
    return ScanError(
        f"{shown} cannot be read just now: {error.strerror or error}; nothing was changed ({advice})", shown, number
    )


def said_with_advice(error: OSError) -> str:
    """Return the message of a system error with advice."""
    said = error.strerror or str(error)
    if error.errno in _ADVICE:
        return f"{said} ({_ADVICE[error.errno]})"
    return f"{error.filename}: {said}" if error.filename else said
