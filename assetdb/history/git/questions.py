"""Bounded questions to git about a project's files.

No program of a repository's settings is run: no hooks, no file monitors, no text converters, and no lazy fetch of a
partial clone.
"""

from __future__ import annotations

import errno
import os
import subprocess
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.settings.programs import find_program
from assetdb.settings.project import folder_and_parents

if TYPE_CHECKING:
    from collections.abc import Sequence

_TIMEOUT: Final = 3.0  # seconds for one question
_SETTINGS: Final = (
    *("core.fsmonitor=false", "core.hooksPath=/dev/null"),
    # A signature is shown by gpg.program, which a repository may name; the others change what a log tells.
    *("log.showSignature=false", "log.showRoot=true", "log.follow=false", "i18n.logOutputEncoding=UTF-8"),
)
_SAFE: Final = (*(word for setting in _SETTINGS for word in ("-c", setting)), "--no-pager")
_PLAIN: Final = ("--no-textconv", "--no-ext-diff", "--no-color", "--no-show-signature")
_MOST_OUTPUT: Final = 1 << 20


class Held(NamedTuple):
    """A GUID's file, and the commit that removed it (``""``: uncommitted)."""

    path: str
    commit: str


def added(root: str, path: str, timeout: float = _TIMEOUT) -> int | None:
    """Return when a file was added (seconds; 0: never; None: unknown)."""
    found = output_of(
        root, ("log", "--diff-filter=A", "--format=%ct", "-1", *_PLAIN, "--", f":(literal){path}"), timeout
    )
    if found is None:
        return None
    digits = found.strip()
    return int(digits) if digits.isdecimal() else 0


def folder_with_git(root: str) -> str:
    """Return the folder at or above ``root`` with a ``.git``, or ``""``."""
    return next((folder for folder in folder_and_parents(root) if os.path.lexists(os.path.join(folder, ".git"))), "")


def command(root: str, words: Sequence[str]) -> list[str]:
    """Return the words that start git in a folder.

    Raises:
        FileNotFoundError: it is not installed.
    """
    return [program(), *_SAFE, "-C", root, *words]


def program() -> str:
    """Return the program that is git.

    Windows would start a ``git.exe`` of the working directory, which may have come with a commit.

    Raises:
        FileNotFoundError: it is not installed.
    """
    git = find_program("git") if os.name == "nt" else "git"
    if not git:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "git")
    return git


def environment() -> dict[str, str]:
    """Return the environment of git, without our ``GIT_`` variables."""
    found = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    found |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    found["GIT_ALLOW_PROTOCOL"] = "none"  # git before 2.45 still fetches lazily, by remote.*.uploadpack
    return found


def output_of(root: str, words: Sequence[str], timeout: float) -> str | None:
    """Return git's output, None if it is absent, fails or hangs."""
    try:
        done = subprocess.run(
            command(root, words),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment(),
            timeout=timeout,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout[:_MOST_OUTPUT].decode("utf-8", "surrogateescape") if done.returncode == 0 else None


def repository_prefix(root: str) -> str:
    """Return the project's folder in its repository (``Game/``), or ``""``."""
    folder = folder_with_git(root)
    return "" if folder in ("", root) else os.path.relpath(root, folder).replace(os.sep, "/") + "/"
