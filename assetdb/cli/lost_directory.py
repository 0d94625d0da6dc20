"""Messages for a working directory that is gone.

Then nothing relative leads anywhere, and the system reports "no such file or directory" without a name. A command that
names its project by an absolute path is run in the project.
"""

from __future__ import annotations

import os

from assetdb.cli.terminal import fail
from assetdb.settings.output_folder import OUT_DIR_VARIABLE

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.cli.plain import Line

_WRITTEN: Final = {"out_dir": "--out-dir", "output": "--output", "baseline": "--baseline"}
_STDOUT: Final = "-"


def described_loss() -> str:
    """Return the message for a lost working directory, or ``""``."""
    try:
        os.getcwd()
    except FileNotFoundError:
        place = os.environ.get("PWD", "")  # where the shell was
        shown = f" {place}" if os.path.isabs(place) else ""
        return (
            f"the working directory{shown} is gone: change to one that exists (cd), or give the project and all files"
            " as absolute paths (--project /...)"
        )
    return ""


def leave_for_project(line: Line) -> int | None:
    """Go to the project of an absolute path; return 2 if refused."""
    project = line.text("project")
    if project is None or not os.path.isabs(project):
        return None  # the command may not need it, or reports it
    written = {option: line.text(name) for name, option in _WRITTEN.items()}
    for option, place in {**written, OUT_DIR_VARIABLE: os.environ.get(OUT_DIR_VARIABLE)}.items():
        if place and place != _STDOUT and not os.path.isabs(place):
            return fail(f"{option} {place} is relative, and {described_loss()}")
    try:
        os.chdir(project)
    except OSError:
        return None  # the command reports why that is not a project
    return None
