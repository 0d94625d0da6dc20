"""The daemon's log: text or JSON, in rotated files."""

from __future__ import annotations

import os
import stat
import sys
import time
from contextlib import suppress

from assetdb.system.escaping import printable
from assetdb_formats.atomic import put_in_place
from assetdb_formats.files import words_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

LOG_NAME: Final = "asset-db.watch.log"
_LARGEST: Final = 1 << 20
_IS_CLOSED: Final = sys.platform == "win32"  # between two lines: no folder is renamed there in which a file is open
OLD_SUFFIX: Final = ".old"


class Log:
    """A log, called with an event and its fields."""

    def __init__(self, path: str, *, shown: Callable[[str], None] | None = None, as_json: bool = False) -> None:
        """Write to the file at ``path``, and give each line to ``shown``."""
        self._path = path
        self._shown = shown
        self._render = _json_renderer() if as_json else _readable
        self._descriptor = -1
        self._size = 0
        self._has_reported = False

    def __call__(self, event: str, **fields: object) -> None:
        """Log an event."""
        line = self._render(event, fields)
        if self._shown is not None:
            try:
                self._shown(line)
            except (OSError, ValueError):  # the terminal or pipe is closed: log to the file only
                self._shown = None
        self._write((line + "\n").encode("utf-8", "replace"))

    def _write(self, data: bytes) -> None:
        if self._descriptor < 0 or (self._size + len(data) > _LARGEST and self._is_at_its_place()):
            self._reopen()
        if self._descriptor >= 0:
            with suppress(OSError):  # a full disk loses lines, but does not end the daemon
                self._size += os.write(self._descriptor, data)
        if _IS_CLOSED:
            self.close()

    def _is_at_its_place(self) -> bool:
        """Whether the path still leads to this log, not another project's."""
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.stat(self._path))
        except OSError:
            return False

    def _reopen(self) -> None:
        """Begin a new file if the old one is full; keep one."""
        self.close()
        try:
            if os.path.exists(self._path) and os.stat(self._path).st_size > _LARGEST // 2:
                put_in_place(self._path, self._path + OLD_SUFFIX)
            self._descriptor = open_log(self._path)
            self._size = os.fstat(self._descriptor).st_size
        except OSError as error:
            if not self._has_reported:
                self._has_reported = True
                with suppress(OSError, ValueError):
                    print(f"assetdb: {_plain(self._path)}: {words_of(error)}", file=sys.stderr)  # noqa: T201 - nowhere else

    def move(self, path: str) -> None:
        """Continue in another file."""
        self.close()
        self._path = path
        self._has_reported = False

    def close(self) -> None:
        """Close the file; the next event reopens it."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def open_log(path: str) -> int:
    """Open a log for appending, replacing links.

    Raises:
        OSError: it cannot be opened.
    """
    with suppress(FileNotFoundError):
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode) or (stat.S_ISREG(status.st_mode) and status.st_nlink > 1):
            os.unlink(path)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    # Without waiting, even for a pipe without a reader; and with the lines' ends as they are.
    for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):
        flags |= getattr(os, name, 0)
    return os.open(path, flags, 0o666)


def _readable(event: str, fields: dict[str, object]) -> str:
    words = [time.strftime("%H:%M:%S"), event]
    for name, value in fields.items():
        text = f"{value:.3f}" if isinstance(value, float) else str(value)
        words.append(f"{name}={_plain(text)}")
    return " ".join(words)


def _plain(text: str) -> str:
    """Return a value (untrusted) on one line, quoted if need be."""
    text = printable(text)
    return f'"{text}"' if not text or " " in text else text


def _json_renderer() -> Callable[[str, dict[str, object]], str]:
    import structlog  # noqa: PLC0415 - 60 ms that only --json-log pays for

    stamp = structlog.processors.TimeStamper(fmt="iso", utc=True)
    render = structlog.processors.JSONRenderer()

    def rendered(event: str, fields: dict[str, object]) -> str:
        return str(render(None, "info", stamp(None, "info", {"event": event, **fields})))

    return rendered
