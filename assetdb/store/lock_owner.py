"""The holder of a lock: its process, host and purpose."""

from __future__ import annotations

import os
import sys
import time

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_SEPARATOR: Final = "\t"
_FIELDS: Final = 5
_MOST_BYTES: Final = 4096
_START_FIELD: Final = 19  # index of the start time, counted from the state
_SUSPENDED: Final = ([b"T"], [b"t"])  # by a signal (Ctrl-Z in a terminal, too), by a debugger
_STILL_ACTIVE: Final = 259  # the exit code of a process that runs, of Windows
_DEAD: Final = ([b"Z"], [b"X"])  # states of a process that was not waited for yet


class Holder(NamedTuple):
    """The description of a process that holds a lock.

    Attributes:
        role: what it does: ``bake``, ``daemon``.
        pid: its number.
        start: when it started, in the system's units; ``""`` if determining that takes long.
        host: the computer, and on Linux the PID namespace (a container has its own).
        nonce: different each time that one process takes a lock.
    """

    role: str
    pid: int
    start: str
    host: str
    nonce: str

    def packed(self) -> bytes:
        """Return one line of text."""
        return (_SEPARATOR.join(map(str, self)) + "\n").encode("utf-8", "replace")

    def is_gone(self) -> bool:
        """Whether the process has certainly ended; never true for another computer."""
        if self.host != this_host():
            return False
        if not _exists(self.pid):
            return True
        return bool(self.start) and process_start(self.pid) not in ("", self.start)

    def __str__(self) -> str:
        where = "" if self.host == this_host() else f" on {self.host.partition(' ')[0]}"
        return f"a {self.role} (pid {self.pid}{where})"


def this_process(role: str, *, whole: bool) -> Holder:
    """Describe this process; ``whole``: with its start, even if that takes long."""
    start = process_start(os.getpid()) if whole or sys.platform in ("linux", "win32") else ""
    return Holder(role, os.getpid(), start, this_host(), f"{time.time_ns():x}")


def unpack(packed: bytes) -> Holder | None:
    """Return a packed :class:`Holder`, None for anything else."""
    line, end, rest = packed[:_MOST_BYTES].decode("utf-8", "replace").partition("\n")
    fields = line.split(_SEPARATOR)
    if not end or rest or len(fields) != _FIELDS or not "".join(fields).isprintable():
        return None
    role, pid, start, host, nonce = fields
    if not (pid.isascii() and pid.isdecimal() and 0 < int(pid) < 1 << 32):
        return None
    return Holder(role, int(pid), start, host, nonce)


def this_host() -> str:
    """Return the name of the current PID namespace."""
    if sys.platform == "win32":
        return os.environ.get("COMPUTERNAME", "")
    else:  # noqa: RET505 - the type checker reads one branch for each platform
        name = os.uname().nodename
        try:
            return f"{name} {os.readlink('/proc/self/ns/pid')}"
        except OSError:
            return name


def process_start(pid: int) -> str:
    """Return the start of a process in the system's units.

    ``""`` if there is no such process, or it is unknown. Process numbers are reused; together with the start they are
    unique.
    """
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - the only way on Windows

        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(0x1000, 0, pid)  # PROCESS_QUERY_LIMITED_INFORMATION
        if not handle:
            return ""
        times, code = (ctypes.c_uint64 * 4)(), ctypes.c_uint32()
        done = kernel.GetProcessTimes(handle, *(ctypes.byref(times, 8 * number) for number in range(4)))
        # An ended process is found as long as somebody, its parent for example, has a handle of it.
        done = done and kernel.GetExitCodeProcess(handle, ctypes.byref(code)) and code.value == _STILL_ACTIVE
        kernel.CloseHandle(handle)
        return str(times[0]) if done else ""
    elif sys.platform == "linux":  # noqa: RET505 - the type checker reads one branch for each platform
        fields = _status(pid)
        if not fields or fields[:1] in _DEAD:
            return ""
        try:
            with open("/proc/sys/kernel/random/boot_id", "rb", buffering=0) as file:
                return f"{file.read(_MOST_BYTES).strip().decode()} {fields[_START_FIELD].decode()}"
        except OSError:
            return ""
    else:
        import subprocess  # noqa: PLC0415 - elsewhere only

        listed = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
        return listed.stdout.strip()


def is_suspended(pid: int) -> bool:
    """Whether a process is suspended (``SIGSTOP``, Ctrl-Z, debugger); never known on Windows."""
    if sys.platform == "win32":
        return False
    elif sys.platform == "linux":  # noqa: RET505 - the type checker reads one branch for each platform
        return _status(pid)[:1] in _SUSPENDED
    else:
        import subprocess  # noqa: PLC0415 - elsewhere only

        listed = subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True, check=False)
        return [listed.stdout[:1]] in _SUSPENDED


def _exists(pid: int) -> bool:
    if sys.platform == "win32":
        return bool(process_start(pid))  # os.kill would end the process
    else:  # noqa: RET505 - the type checker reads one branch for each platform
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, OverflowError):  # a number from the file may be larger than any process has
            return False
        except PermissionError:  # a process of another user
            pass
        return _status(pid)[:1] not in _DEAD


def _status(pid: int) -> list[bytes]:
    """Return Linux' status of a process, from its state on."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return []
    return fields if len(fields) > _START_FIELD else []
