"""What some tests need of the system, named by that need and not by the system."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from functools import cache
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


def make_pipe(path: str | Path) -> None:
    """Make a named pipe, or skip the test where folders have none."""
    if sys.platform == "win32":
        pytest.skip("no pipes in folders")
    os.mkfifo(path)


def may_have_links() -> bool:
    """Whether links can be made here."""
    return _makes_links()


needs_links = pytest.mark.skipif(not _makes_links(), reason="links cannot be made here")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
needs_modes = pytest.mark.skipif(os.name == "nt", reason="no permissions as POSIX has them")
