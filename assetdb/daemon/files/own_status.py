"""The status file as its daemon writes, checks and removes it."""

from __future__ import annotations

import os
import time
from contextlib import suppress

from assetdb.daemon.files.status_file import PROTOCOL, STATUS_NAME, Status
from assetdb.errors import FileError
from assetdb.store.lock_owner import process_start
from assetdb.system.identity import device_and_inode
from assetdb.system.json_text import quote
from assetdb.system.reading import read_small
from assetdb.version import VERSION
from assetdb_formats.atomic import remove_leftovers, replace_file

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.daemon.endpoint import Endpoint


class OwnStatus:
    """The status file of this process, which is a daemon."""

    def __init__(self) -> None:
        self._path = ""
        self._data = b""
        self._identity = 0, 0

    def write(self, folder: str, root: str, endpoint: Endpoint) -> None:
        """Write where the daemon is; remove a killed daemon's temporary file.

        Raises:
            OSError: the file cannot be written.
        """
        data = _encode(root, endpoint)
        path = os.path.join(folder, STATUS_NAME)
        remove_leftovers(folder, (STATUS_NAME,))
        replace_file(path, [data])
        self._path, self._data, self._identity = path, data, device_and_inode(path, follow=False)

    def is_in(self, folder: str) -> bool:
        """Whether a folder has the complete file."""
        if not self._path or os.path.join(folder, STATUS_NAME) != self._path:
            return False
        try:
            return read_small(self._path, len(self._data)) == self._data
        except (OSError, FileError):
            return False

    def remove(self) -> None:
        """Remove the file, unless another daemon has replaced it."""
        if device_and_inode(self._path, follow=False) == self._identity and self.is_in(os.path.dirname(self._path)):
            with suppress(OSError):
                os.unlink(self._path)
            self._path = ""


def _encode(root: str, endpoint: Endpoint) -> bytes:
    pid = os.getpid()
    status = Status(
        {
            "pid": pid,
            "start": process_start(pid),
            "socket": endpoint.path,
            "port": endpoint.port,
            "token": endpoint.token_path,
            "version": VERSION,
            "protocol": PROTOCOL,
            "root": root,
            "started": int(time.time()),
        }
    )
    fields = [
        f"{quote(name)}:{value if isinstance(value, int) else quote(str(value))}"
        for name, value in status.fields().items()
    ]
    return f"{{{','.join(fields)}}}\n".encode()
