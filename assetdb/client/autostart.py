"""Autostart of a daemon by the first question, where settings allow it."""

from __future__ import annotations

import os
import sys

from assetdb.settings.user import read_user_settings

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_MAIN: Final = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from assetdb.cli import main; sys.exit(main(sys.argv[1:]))"
)
_NO: Final = ("", "0", "false")


def own_program() -> list[str]:
    """Return the words that start this program."""
    home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    # -P: the working directory may contain untrusted modules with the names of ours.
    return [sys.executable, "-P", "-c", _MAIN, home]


def autostart_daemon(root: str, folder: str) -> bool:
    """Start a daemon, as the user wants it; return whether one was.

    It ends by itself when idle. Does not wait, and a second one ends at once. Never on a CI machine (``CI``), where it
    would outlive its job.

    Raises:
        ConfigurationError: the user's settings are wrong.
    """
    if os.environ.get("CI", "").lower() not in _NO:
        return False
    words = [*own_program(), "watch", "--detach", "--idle-timeout", f"{read_user_settings().idle_timeout:g}"]
    words += ["--project", root, "--out-dir", folder]
    if sys.platform == "win32":
        import subprocess  # noqa: PLC0415 - only here

        null = subprocess.DEVNULL
        flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
        home = os.path.abspath(os.sep)
        started = subprocess.Popen(words, stdin=null, stdout=null, stderr=null, creationflags=flags, cwd=home)
        started.returncode = 0  # nobody waits for it; Python would warn that it is still running
    else:
        actions = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)]
        actions += [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
        os.posix_spawn(sys.executable, words, os.environ, file_actions=actions)
    return True
