"""What an error of the system says: something of the tree, or of this moment alone.

That a file is gone, or may not be read, is a fact about the tree. That no descriptor or memory was left, that a disk or
a server did not answer, is none: a folder that could not be listed is not empty for that, and an update fails.
"""

from __future__ import annotations

import errno
import os

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

_ADVICE: Final = {
    errno.EMFILE: "raise the limit of open files (ulimit -n), or end what holds them",
    errno.ENFILE: "end what holds so many files open",
    errno.ENOMEM: "end what takes the memory",
    errno.EIO: "look at the disk, or at the server that it is on",
    errno.ESTALE: "mount the network file system again if this stays",
    errno.ENOTCONN: "mount the file system again: what served it has ended",
}


def excuse(path: bytes | str, error: OSError) -> None:
    """Let an error pass that says something of the tree: that there is nothing at ``path``, or nothing for us.

    Raises:
        ScanError: it says something of this moment alone.
    """
    if error.errno not in OF_THE_TREE:
        raise scan_error(os.fsencode(path), error) from error


def raise_error(error: OSError) -> None:
    """Raise an error that ``os.walk`` would pass over, as if the folder were empty."""
    raise error


def mode_of(path: str) -> int:
    """Return the kind and rights of what is at a path, as ``stat`` has them; 0 where nothing is.

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
    """Return the error of a scan that cannot say what is at ``path``, relative to the project."""
    number = error.errno or 0
    advice = _ADVICE.get(number, "try again")
    shown = os.fsdecode(path).encode("utf-8", "replace").decode()
    return ScanError(
        f"{shown} cannot be read just now: {error.strerror or error}; nothing was changed ({advice})", shown, number
    )


def said_with_advice(error: OSError) -> str:
    """Return what an error of the system says, and what to do; of a file where there is no more to it than that."""
    said = error.strerror or str(error)
    if error.errno in _ADVICE:
        return f"{said} ({_ADVICE[error.errno]})"
    return f"{error.filename}: {said}" if error.filename else said
