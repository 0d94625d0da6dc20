"""The status file and the user's runtime folder.

Clients find a daemon by them.

Imports nothing slow: the client of a one-shot command uses this.
"""

from __future__ import annotations

import os
import stat
import sys

from assetdb.errors import ConfigurationError, FileError
from assetdb.settings.output_folder import output_folder
from assetdb.system.reading import read_small
from assetdb.version import VERSION

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

STATUS_NAME: Final = "asset-db.watch.json"
WORKING: Final = "working"
"""The notification that an answer is in progress."""
PROTOCOL: Final = 1
"""Version of the protocol; incremented by incompatible changes."""
_MOST_STATUS: Final = 1 << 16
_PRIVATE: Final = 0o700
_LONGEST_PLACE: Final = 60  # with the names below it; the path of a Unix socket has at most 103 bytes on macOS


class Status:
    """The contents of a status file.

    Attributes:
        pid: of the daemon.
        start: when that process started, in the system's units; ``""`` if unknown.
        socket: path of the Unix socket, or ``""``.
        port: on the loopback, or 0; then ``token`` is the path of the file with the words to say.
        version: of assetdb.
        protocol: see :data:`PROTOCOL`.
        root: absolute path of the project.
        started: seconds since 1970.
    """

    __slots__ = ("pid", "port", "protocol", "root", "socket", "start", "started", "token", "version")

    def __init__(self, fields: dict[str, object]) -> None:
        """Take the fields of the JSON.

        Raises:
            KeyError: one is missing.
            TypeError: one is of another type.
        """
        self.pid = _typed(fields, "pid", 0)
        self.start = _typed(fields, "start", "")
        self.socket = _typed(fields, "socket", "")
        self.port = _typed(fields, "port", 0)
        self.token = _typed(fields, "token", "")
        self.version = _typed(fields, "version", "")
        self.protocol = _typed(fields, "protocol", 0)
        self.root = _typed(fields, "root", "")
        self.started = _typed(fields, "started", 0)

    def fields(self) -> dict[str, object]:
        """Return the contents for JSON."""
        return {name: getattr(self, name) for name in sorted(self.__slots__)}


if TYPE_CHECKING:
    from typing import TypeVar

    _Value = TypeVar("_Value", int, str)


def _typed(fields: dict[str, object], name: str, like: _Value) -> _Value:
    value = fields[name]
    if not isinstance(value, type(like)):
        raise TypeError(name)
    return value


def read_status(folder: str) -> Status | None:
    """Return the valid status file of an output folder, or None."""
    try:
        data = read_small(os.path.join(folder, STATUS_NAME), _MOST_STATUS)
    except (OSError, FileError):
        return None
    from assetdb.system.json_text import read_json  # noqa: PLC0415 - most projects have no daemon

    try:
        fields = read_json(data.decode("utf-8"))
        return Status(fields) if isinstance(fields, dict) else None
    except (ValueError, KeyError, TypeError):
        return None


def find_status(root: str, out_dir: str | None) -> Status | None:
    """Return a project's daemon of this version, or None."""
    try:
        folder = output_folder(root, out_dir).path
    except (ConfigurationError, OSError):  # whoever needs the folder reports the problem
        return None
    status = read_status(folder)
    return status if status is not None and (status.version, status.protocol) == (VERSION, PROTOCOL) else None


# --- the runtime folder


def digest_of(folder: str) -> str:
    """Return the name of an output folder's files there, 16 hex digits."""
    try:
        from _blake2 import blake2b  # noqa: PLC0415 - the rest of hashlib loads OpenSSL: 3.5 MiB of every daemon
    except ImportError:  # another Python than CPython
        from hashlib import blake2b  # noqa: PLC0415 - the same
    return blake2b(os.fsencode(os.path.normcase(os.path.realpath(folder))), digest_size=8).hexdigest()


def runtime_folder() -> str:
    """Return the folder for this user's sockets, which may be absent."""
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or os.path.expanduser("~"), "assetdb", "run")
    else:  # noqa: RET505 - the type checker reads one branch for each platform
        given = os.environ.get("XDG_RUNTIME_DIR", "")
        if os.path.isabs(given) and len(os.fsencode(given)) <= _LONGEST_PLACE and os.path.isdir(given):
            return os.path.join(given, "assetdb")
        temporary = os.environ.get("TMPDIR", "")
        if not os.path.isabs(temporary) or len(os.fsencode(temporary)) > _LONGEST_PLACE:
            temporary = "/tmp"  # noqa: S108 - what is in it is checked by is_private
        return os.path.join(temporary, f"assetdb-{os.getuid()}")


def is_private(folder: str) -> bool:
    """Whether a path is a folder, no link, for this user alone."""
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    if not stat.S_ISDIR(status.st_mode):
        return False
    if sys.platform == "win32":
        return True  # below the user's own profile, which others cannot read
    else:  # noqa: RET505 - the type checker reads one branch for each platform
        return status.st_uid == os.getuid() and stat.S_IMODE(status.st_mode) == _PRIVATE


def may_be_port() -> bool:
    """Whether a status file may name a port: on Windows, in tests."""
    return sys.platform == "win32" or bool(os.environ.get("ASSETDB_WATCH_LOOPBACK"))


def is_own(path: str) -> bool:
    """Whether an (untrusted) status file's path is in this user's folder."""
    folder = os.path.dirname(path)
    name = os.path.basename(folder)
    return (name in ("assetdb", "run") or name.startswith("assetdb-")) and os.path.isabs(path) and is_private(folder)
