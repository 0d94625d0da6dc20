"""What some tests need of the system, named by that need and not by the system."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest


@cache
def _makes_links() -> bool:
    """Whether links can be made and are links (Wine makes none, and says nothing)."""
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / "link"
        try:
            link.symlink_to("target")
        except (OSError, NotImplementedError):  # Windows wants a privilege
            return False
        return link.is_symlink()


def limits_names(folder: Path) -> bool:
    """Whether the system calls a long name too long."""
    try:
        (folder / ("n" * 300)).lstat()
    except OSError as error:
        return error.errno == errno.ENAMETOOLONG
    return False


def ignores_case(folder: Path) -> bool:
    """Whether the disk of a folder finds names in any case."""
    probe = folder / "Case.probe"
    probe.write_bytes(b"")
    try:
        return probe.with_name("cASE.PROBE").exists()
    finally:
        probe.unlink()


@cache
def is_wine() -> bool:
    """Whether this is not Windows itself, but Wine."""
    if sys.platform != "win32":
        return False
    import ctypes  # noqa: PLC0415 - there alone

    return hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")


@cache
def takes_any_name(name: str) -> bool:
    """Whether a file of this name can be made, and is found by it in its folder."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            (Path(folder) / name).write_bytes(b"")
        except (OSError, ValueError):
            return False
        return os.listdir(folder) == [name]


@cache
def _reads_what_is_added() -> bool:
    """Whether a file is read on after its end, when something was added (Wine's C library remembers the end)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "grows"
        path.write_bytes(b"")
        with path.open("rb", buffering=0) as file:
            file.read(1)
            path.write_bytes(b"more")
            return bool(file.read(1))


@cache
def _ignores_case() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        return ignores_case(Path(folder))


@cache
def _git_starts_python() -> bool:
    """Whether git starts this Python as a filter (a git of Linux behind Wine starts no program of Windows)."""
    if shutil.which("git") is None:
        return False
    words = ["git", "-c", f"alias.probe=!'{sys.executable}' -c 'print(7)'", "probe"]
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(words, capture_output=True, check=False, cwd=folder).stdout.strip() == b"7"


def make_pipe(path: str | Path) -> None:
    """Make a named pipe, or skip the test where folders have none."""
    if sys.platform == "win32":
        pytest.skip("no pipes in folders")
    os.mkfifo(path)


def make_large(path: str | Path, size: int) -> None:
    """Make a file as large as it is said, with nothing written where it grows."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - there alone
        import msvcrt  # noqa: PLC0415

        with open(path, "r+b") as file:  # FSCTL_SET_SPARSE: else NTFS writes zeros where a reader comes
            handle, told = ctypes.c_void_p(msvcrt.get_osfhandle(file.fileno())), ctypes.c_ulong()
            ctypes.WinDLL("kernel32").DeviceIoControl(handle, 0x900C4, None, 0, None, 0, ctypes.byref(told), None)
    os.truncate(path, size)


def path_of(descriptor: int) -> str:
    """Return the path of the file that a descriptor is of, or nothing if it is of none."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - there alone
        import msvcrt  # noqa: PLC0415

        text = ctypes.create_unicode_buffer(32768)
        handle = ctypes.c_void_p(msvcrt.get_osfhandle(descriptor))
        ctypes.WinDLL("kernel32").GetFinalPathNameByHandleW(handle, text, len(text), 0)
        return text.value.replace("\\", "/")
    if sys.platform == "darwin":
        import fcntl  # noqa: PLC0415 - absent on Windows

        return os.fsdecode(fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(1024)).rstrip(b"\0"))
    return os.readlink(f"/proc/self/fd/{descriptor}")


def hide_git(monkeypatch: pytest.MonkeyPatch, path: str = "") -> None:
    """Set PATH to a folder without git, and forget where Git for Windows is installed."""
    for name in ("ProgramFiles", "ProgramW6432", "ProgramFiles(x86)"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", path)


def require_git() -> None:
    """Skip the test where git is not installed."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")


def may_have_links() -> bool:
    """Whether links can be made here."""
    return _makes_links()


_IS_POSIX = os.name == "posix"

needs_links = pytest.mark.skipif(not _makes_links(), reason="links cannot be made here")
needs_unix_sockets = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no Unix sockets here")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
needs_git_that_starts_python = pytest.mark.skipif(
    not _git_starts_python(), reason="git starts no Python of this system"
)
needs_modes = pytest.mark.skipif(not _IS_POSIX, reason="no permissions as POSIX has them")
needs_limits = pytest.mark.skipif(find_spec("resource") is None, reason="a process has no limits here")
needs_signals = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes get no signals here")
needs_scripts = pytest.mark.skipif(not _IS_POSIX, reason="a script of the shell is no program here")
needs_posix_paths = pytest.mark.skipif(os.sep != "/", reason="paths have other separators here")
needs_terminals = pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo-terminals here")
needs_folder_descriptors = pytest.mark.skipif(not hasattr(os, "O_DIRECTORY"), reason="folders have no descriptors here")
needs_change_times = pytest.mark.skipif(not _IS_POSIX, reason="files have no change times here")
needs_folder_times = pytest.mark.skipif(os.utime not in os.supports_fd, reason="times of folders are not set here")
needs_cases = pytest.mark.skipif(_ignores_case(), reason="two names cannot differ by case alone here")
needs_any_name = pytest.mark.skipif(not takes_any_name('a|b:"c" .'), reason="names have fewer characters here")
needs_byte_names = pytest.mark.skipif(not takes_any_name("\udcff"), reason="every name is text here")
needs_removable_folders = pytest.mark.skipif(not _IS_POSIX, reason="a folder that somebody works in stays here")
needs_removable_files = pytest.mark.skipif(not _IS_POSIX, reason="a file that a program holds stays here")
needs_growing_files = pytest.mark.skipif(not _reads_what_is_added(), reason="a file that ended is read no further here")
needs_inotify = pytest.mark.skipif(sys.platform != "linux", reason="no inotify on this system")
