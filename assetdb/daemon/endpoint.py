"""The daemon's socket, its permissions and differences between platforms.

On POSIX a Unix socket in a folder that only this user can enter, and the system identifies the peer's user. Windows has
neither in Python: there it is a loopback port, and two tokens in a file private to this user: the client sends the
first, the server the second, so that each can trust the other.
"""

from __future__ import annotations

import os
import socket
import stat
import sys
from contextlib import suppress

from assetdb.daemon.files.status_file import digest_of, is_own, is_private, may_be_port, runtime_folder
from assetdb.errors import DaemonError
from assetdb.system.identity import device_and_inode
from assetdb_formats.files import words_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.daemon.files.status_file import Status

    Tokens = tuple[str, str]

LOOPBACK: Final = "127.0.0.1"
_BACKLOG: Final = 512
_MOST_TOKEN: Final = 256
_LOCAL_PEERCRED: Final = 1  # of macOS and the BSDs: sys/un.h
_XUCRED_SIZE: Final = 76


class Endpoint:
    """A socket that listens.

    Attributes:
        path: of the Unix socket, or ``""``.
        port: on the loopback, or 0.
        token_path: the file with the two tokens, or ``""``.
        tokens: the client's and the server's; ``""`` on a Unix socket.
        identity: device and inode of the path, so that no other socket is removed.
    """

    def __init__(
        self, listening: socket.socket, path: str = "", port: int = 0, token_path: str = "", tokens: Tokens = ("", "")
    ) -> None:
        """Take a listening socket with its new path or port."""
        self._listening = listening
        self.path = path
        self.port = port
        self.token_path = token_path
        self.tokens = tokens
        self.identity = device_and_inode(path or token_path, follow=False)

    def take_socket(self) -> socket.socket:
        """Return the socket and give it up, once."""
        return socket.socket(fileno=self._listening.detach())

    @property
    def is_findable(self) -> bool:
        """Whether the path, which cleanup jobs may remove, leads here."""
        return device_and_inode(self.path or self.token_path, follow=False) == self.identity

    def close(self) -> None:
        """Remove the files that lead here."""
        self._listening.close()  # unless it was taken
        if self.is_findable:
            with suppress(OSError):
                os.unlink(self.path or self.token_path)


def is_listening(folder: str) -> bool:
    """Whether a daemon listens for an output folder, even without its files."""
    if sys.platform == "win32":
        return False
    else:  # noqa: RET505 - the type checker reads one branch for each platform
        path = os.path.join(runtime_folder(), f"{digest_of(folder)}.sock")
        if not is_own(path):
            return False
        asking = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        asking.setblocking(False)  # noqa: FBT003 - its only parameter
        try:
            asking.connect(path)
        except BlockingIOError:  # the queue of waiting clients is full
            return True
        except OSError:
            return False
        finally:
            asking.close()
        return True


def listen(name: str, *, loopback: bool = sys.platform == "win32") -> Endpoint:
    """Listen for clients of a project.

    Raises:
        DaemonError: the runtime folder is not safe, or the socket cannot be made.
    """
    folder = _make_private(runtime_folder())
    try:
        if loopback:
            return _listen_on_loopback(os.path.join(folder, f"{name}.token"))
        return _listen_on_socket(os.path.join(folder, f"{name}.sock"))
    except OSError as error:
        raise DaemonError(f"cannot listen in {folder}: {words_of(error)}") from error


def _make_private(folder: str) -> str:
    try:
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        with suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        if sys.platform != "win32" and not os.path.islink(folder) and os.lstat(folder).st_uid == os.getuid():
            os.chmod(folder, 0o700)  # a umask may have removed bits, nothing may have added any
    except OSError as error:
        raise DaemonError(f"the runtime folder {folder} cannot be made: {words_of(error)}") from error
    if not is_private(folder):
        raise DaemonError(f"{folder} is not private to this user: remove it, or set XDG_RUNTIME_DIR")
    return folder


def _listen_on_socket(path: str) -> Endpoint:
    if sys.platform != "win32":
        with suppress(FileNotFoundError):
            os.unlink(path)  # from a killed daemon: the holder of the project's lock is the only one
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            before = os.umask(0o177)
            try:
                listening.bind(path)
            finally:
                os.umask(before)
            listening.listen(_BACKLOG)
        except OSError:
            listening.close()
            raise
        return Endpoint(listening, path)
    raise OSError("no Unix sockets here")


def _listen_on_loopback(token_path: str) -> Endpoint:
    from assetdb.daemon.files.private_file import create_private  # noqa: PLC0415 - only the loopback has tokens

    tokens = os.urandom(32).hex(), os.urandom(32).hex()
    with suppress(FileNotFoundError):
        os.unlink(token_path)
    with open(create_private(token_path), "w", encoding="ascii") as file:
        file.write(" ".join(tokens))
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        listening.bind((LOOPBACK, 0))
        listening.listen(_BACKLOG)
    except OSError:
        listening.close()
        raise
    return Endpoint(listening, "", listening.getsockname()[1], token_path, tokens)


def is_allowed(peer: socket.socket) -> bool | None:
    """Whether a peer is this user's process, None if a token decides."""
    if peer.family == socket.AF_INET:
        return None
    owner = peer_user(peer)
    return owner is None or owner == _own_user()  # None: only the folder's permissions protect it


def peer_user(peer: socket.socket) -> int | None:
    """Return the user at the other end, None if unknown."""
    if sys.platform == "win32":
        return None
    elif sys.platform == "linux":  # noqa: RET505 - the type checker reads one branch for each platform
        packed = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        return int.from_bytes(packed[4:8], sys.byteorder)
    else:
        try:
            packed = peer.getsockopt(0, _LOCAL_PEERCRED, _XUCRED_SIZE)
        except OSError:
            return None
        return int.from_bytes(packed[4:8], sys.byteorder) if len(packed) >= 8 else None


def _own_user() -> int:
    if sys.platform == "win32":
        return -1
    else:  # noqa: RET505 - the type checker reads one branch for each platform
        return os.geteuid()


def same_token(given: str, known: str) -> bool:
    """Compare in constant time."""
    from hmac import compare_digest  # noqa: PLC0415 - OpenSSL again, and only the loopback has tokens

    return bool(known) and compare_digest(given.encode("utf-8", "replace"), known.encode())


def connect(status: Status, timeout: float) -> tuple[socket.socket, tuple[str, str]]:
    """Connect to a daemon; return socket and tokens.

    Raises:
        DaemonError: the status file names another user's files.
        OSError: nothing listens.
    """
    if not status.socket and not may_be_port():
        raise DaemonError("the status file names a port, but daemons here use sockets: it is from another machine")
    if status.socket and sys.platform != "win32":
        if not is_own(status.socket) or not stat.S_ISSOCK(os.lstat(status.socket).st_mode):
            raise DaemonError(f"the status file names {status.socket}, which is not a socket of this user")
        peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        tokens = ("", "")
        address: str | tuple[str, int] = status.socket
    else:
        if not is_own(status.token):
            raise DaemonError(f"the status file names {status.token!r}, which is not a file of this user")
        with open(status.token, encoding="ascii", errors="replace") as file:
            first, _, second = file.read(_MOST_TOKEN).partition(" ")
        tokens = (first, second)
        peer = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        address = (LOOPBACK, status.port)
    peer.settimeout(timeout)
    try:
        peer.connect(address)
    except BaseException:
        peer.close()
        raise
    if is_allowed(peer) is False:
        peer.close()
        raise DaemonError(f"{status.socket} belongs to another user")
    return peer, tokens
