"""Classification of system errors: tree, content, or transient.

A missing or forbidden file is a fact about the tree. Running out of descriptors or memory, or a disk or server that
does not answer, is not: a folder that could not be listed is not empty, and an update fails. But bad sectors persist:
if the content of one file is unreadable for :data:`PATIENCE`, that is a fact about the file.
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
# Reported as a diagnostic. Circular links and paths that are too long persist until the tree changes; a socket or a
# device without a driver cannot be opened; Windows lists names it cannot open.
DENIED: Final = frozenset(
    {errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENAMETOOLONG, errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP}
    | ({errno.EINVAL} if os.name == "nt" else set())
)
OF_THE_TREE: Final = GONE | DENIED
# A bad sector, local or on a server; a checksum mismatch of the file system (ext4, XFS, Btrfs, F2FS); a file of fscrypt
# without its key.
CONTENT: Final = frozenset(
    getattr(errno, name)
    for name in ("EIO", "EREMOTEIO", "EBADMSG", "EUCLEAN", "ENODATA", "EILSEQ", "ENOKEY")
    if hasattr(errno, name)
)
PATIENCE: Final = 2.0
"""Seconds for which an error of a file's content may be temporary: a disk that spins up, a cable, a failover."""
_STEP: Final = 0.1  # seconds between two attempts
_MOST_WAITED_FOR: Final = 3  # files per process, to avoid waiting for each of 10,000 bad ones
_MOST_REMEMBERED: Final = 10_000
_failing: Final[dict[str, float]] = {}  # time of the first failure of each file

_ADVICE: Final = {
    errno.EMFILE: "raise the limit of open files (ulimit -n), or close programs that use them",
    errno.ENFILE: "close programs that hold many files open",
    errno.ENOMEM: "close programs that use much memory",
    errno.EIO: "check the disk, or the server that it is on",
    errno.ESTALE: "mount the network file system again if this persists",
    errno.ENOTCONN: "mount the file system again: its server has ended",
}


def is_gone(error: OSError) -> bool:
    """Whether an error says that there is nothing at a path."""
    return error.errno in GONE and not _is_of_a_moment(error)


def excuse(path: bytes | str, error: OSError) -> None:
    """Raise a ScanError unless an error is a fact about the tree.

    Raises:
        ScanError: it is temporary.
    """
    if error.errno not in OF_THE_TREE or _is_of_a_moment(error):
        raise scan_error(os.fsencode(path), error) from error


def raise_error(error: OSError) -> None:
    """Raise an error that ``os.walk`` would pass over."""
    raise error


def excuse_content(path: bytes | str, error: OSError) -> None:
    """Raise a ScanError unless an error concerns one file alone.

    Raises:
        ScanError: it is temporary.
    """
    if error.errno not in CONTENT:
        excuse(path, error)


def is_worth_retrying(path: bytes | str, error: OSError) -> bool:
    """Whether to read a file again after a moment."""
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
    """Return the mode of a path, 0 if there is nothing.

    Raises:
        ScanError: it cannot be determined now; ``os.path.isdir`` would return False.
    """
    try:
        return os.stat(path).st_mode
    except OSError as error:
        excuse(path, error)
    except ValueError:  # a NUL in the path
        pass
    return 0


def _is_of_a_moment(error: OSError) -> bool:
    if getattr(error, "winerror", None) is None:  # as for the many files that may be absent
        return False
    from assetdb_formats.files import is_of_a_moment  # noqa: PLC0415 - only where something is wrong

    return is_of_a_moment(error)


def scan_error(path: bytes, error: OSError) -> ScanError:
    """Return the error of a scan that failed at a path."""
    number = error.errno or 0
    advice = _ADVICE.get(number, "try again")
    shown = os.fsdecode(path).encode("utf-8", "replace").decode()
    from assetdb_formats.files import words_of  # noqa: PLC0415 - only where something is wrong

    return ScanError(
        f"{shown} cannot be read just now: {words_of(error)}; nothing was changed ({advice})", shown, number
    )


def message_with_advice(error: OSError) -> str:
    """Return the message of a system error with advice."""
    from assetdb_formats.files import words_of  # noqa: PLC0415 - only where something is wrong

    message = words_of(error)
    if error.errno in _ADVICE:
        return f"{message} ({_ADVICE[error.errno]})"
    return f"{error.filename}: {message}" if error.filename else message
