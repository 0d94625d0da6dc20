"""Programs started by scripts, and copies of projects for them."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb import Client

CHECKOUT: Final = Path(__file__).resolve().parents[1]
CORPUS: Final = Path(os.environ.get("ASSETDB_CORPUS", "~/.cache/assetdb-corpus")).expanduser()
PATIENCE: Final = 600.0  # seconds that only a hang takes
BARE: Final = [sys.executable, "-c", "pass"]
ENTRY: Final = [sys.executable, "-c", "import sys; from assetdb.cli import main; sys.exit(main())"]
"""What an installed ``assetdb`` does."""
_SETTINGS: Final = ("user.name=script", "user.email=script@localhost", "gc.auto=0", "commit.gpgsign=false")


def assetdb(*words: str | Path, project: Path | None = None, out_dir: Path | str | None = None) -> list[str]:
    """Return a command line of assetdb, to be started in the checkout."""
    command = [sys.executable, "-m", "assetdb", *map(str, words)]
    command += ["--project", str(project)] if project is not None else []
    return command + (["--out-dir", str(out_dir)] if out_dir is not None else [])


def surroundings(*starts: str) -> dict[str, str]:
    """Return the environment without assetdb's settings and other names with given starts."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("ASSETDB_", *starts))}


def installed() -> Path:
    """Return the console script beside the interpreter."""
    return Path(sys.executable).with_name("assetdb")


def in_process(*words: str | Path) -> tuple[int, str, str]:
    """Run a command of assetdb in this process; return its exit code, and what it prints to both streams."""
    from assetdb.cli import main  # noqa: PLC0415 - what a script has in memory counts for the processes that it starts

    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        code = main([*map(str, words)])
    return code, out.getvalue(), errors.getvalue()


def quietly(command: list[str], *codes: int) -> None:
    """Run a command in the checkout without its output.

    Raises:
        subprocess.CalledProcessError: its exit code is neither 0 nor one of these.
    """
    done = subprocess.run(command, cwd=CHECKOUT, stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, *codes):
        raise subprocess.CalledProcessError(done.returncode, command)


def git(root: Path, *words: str) -> str:
    """Run git under an identity of its own and return its output."""
    who = [word for setting in _SETTINGS for word in ("-c", setting)]
    command = ["git", "-C", str(root), *who, *words]
    return subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout


def repository(root: Path) -> None:
    """Commit a project to a new repository, without assetdb's files."""
    git(root, "init", "-q", "-b", "main")
    (root / ".gitignore").write_text("/Library/\n")
    commit(root)


def commit(root: Path) -> None:
    """Commit everything."""
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "more")


def copied(project: Path, place: Path) -> Path:
    """Copy a project without its times and without generated folders."""
    ignored = shutil.ignore_patterns("Library", "Temp", "Logs", ".git", ".gitignore")
    shutil.copytree(project, place, copy_function=shutil.copyfile, ignore=ignored, symlinks=True)
    return place


@contextmanager
def daemon(project: Path, settled: float = 0.0) -> Iterator[Client]:
    """Yield a client of a project's daemon, which is stopped in the end if it was not running before.

    ``settled`` are seconds to wait for what a new one does after its start.
    """
    from assetdb import Client  # noqa: PLC0415 - what a script has in memory counts for the processes that it starts
    from assetdb.errors import DaemonError, NotRunningError  # noqa: PLC0415 - the same

    began = False
    try:
        client = Client.connect(project, timeout=PATIENCE)
    except NotRunningError:
        quietly(assetdb("watch", "--detach", project=project))
        client = Client.connect(project, timeout=PATIENCE)
        began = True
    with client:
        try:
            if began:
                client.sync()
                time.sleep(settled)
            yield client
        finally:
            if began:
                with suppress(DaemonError):  # it has ended already
                    stopped(client)


def stopped(client: Client) -> None:
    """Stop a daemon and wait until its process has ended."""
    pid = int(str(client.status()["pid"]))
    client.shutdown()
    end = time.monotonic() + PATIENCE
    while os.path.isdir(f"/proc/{pid}") and time.monotonic() < end:
        time.sleep(0.005)
