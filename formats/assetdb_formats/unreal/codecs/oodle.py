"""Oodle blocks, decoded by a child process.

The only Oodle decoder on PyPI is `pyooz`: GPLv3+, and it writes past its buffers on damaged data. So it is an
extra, never imported here: a child process loads it, and when a block kills or hangs the child, that block
is refused with a UnrealError and the next one gets a new child.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Final

from assetdb_formats.extras import advice
from assetdb_formats.unreal.closing import Closing
from assetdb_formats.unreal.errors import MissingExtraError, UnrealError

if TYPE_CHECKING:
    from typing import IO

_CHILD: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "oodle_child.py")
_REQUEST: Final = struct.Struct("<II")
_ANSWER: Final = struct.Struct("<BI")
_LONGEST_REFUSAL: Final = 1000  # bytes of a message
_READY: Final = b"ready"
_TIMEOUT: Final = 20.0  # seconds for one block of at most 16 MB; a sound one takes 10 ms


class OodleProcess(Closing):
    """A child that decodes Oodle blocks, started by the first."""

    def __init__(self, timeout: float = _TIMEOUT) -> None:
        self._timeout = timeout
        self._child: subprocess.Popen[bytes] | None = None
        self._missing = False

    def close(self) -> None:
        """End the child."""
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # a dead child's input cannot be flushed, and need not be
                    continue
        child.wait()

    def decompress(self, data: bytes, size: int) -> bytes:
        """Return the ``size`` bytes that ``data`` was made from.

        Raises:
            UnrealError: the block is damaged.
            MissingExtraError: `pyooz` is not installed.
        """
        child, source, target = self._start()
        # A hang of the decoder ends as its death: the reads below then see the end of the pipe.
        watchdog = threading.Timer(self._timeout, child.kill)
        watchdog.start()
        try:
            target.write(_REQUEST.pack(len(data), size))
            target.write(data)
            target.flush()
            header = source.read(_ANSWER.size)
            status, length = _ANSWER.unpack(header) if len(header) == _ANSWER.size else (2, 0)
            if length > _LONGEST_REFUSAL and (status or length > size):
                status, length = 2, 0  # the child's output is never trusted for more than the block's size
            result = source.read(length)
        except OSError:
            status, length, result = 2, 0, b""
        finally:
            watchdog.cancel()
        if status == 1:
            raise UnrealError(f"damaged Oodle block: {result.decode(errors='replace')}", field="block")
        if status or len(result) != length:
            self.close()
            raise UnrealError("damaged Oodle block: it ended the decoder", field="block")
        if length != size:
            raise UnrealError(f"Oodle block gives {length} bytes, not {size}", field="block")
        return result

    def _start(self) -> tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]:
        child = self._child
        if child is None and not self._missing:
            # -P: the folder of the script stays out of the child's import path.
            child = self._child = subprocess.Popen(
                [sys.executable, "-P", _CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            if child.stdout is None or child.stdout.read(len(_READY)) != _READY:
                self._missing = True  # not started again for each of a game's hundred thousand blocks
                self.close()
        if self._missing:
            raise MissingExtraError(
                f"compressed with Oodle: {advice('oodle')} (the pyooz wheel, GPLv3+, run apart)",
                field="compression_method",
            )
        if child is None or child.stdin is None or child.stdout is None:
            raise MissingExtraError("the Oodle process has no pipes", field="compression_method")
        return child, child.stdout, child.stdin
