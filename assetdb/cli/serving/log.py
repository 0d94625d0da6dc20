"""``assetdb log``."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, BinaryIO

from assetdb.cli.terminal import printable, say, shown_path
from assetdb.daemon.files.lock import is_held
from assetdb.daemon.files.log import LOG_NAME, OLD_SUFFIX
from assetdb.errors import FileError
from assetdb.settings.effective import read_settings

if TYPE_CHECKING:
    from assetdb.cli.arguments import DatabaseOptions
    from assetdb.cli.options import Annotated, Option

_STEP = 0.2


def log(
    options: DatabaseOptions,
    follow: Annotated[bool, Option("--follow", "-f", help="Keep printing new lines while the daemon runs.")] = False,
) -> int:
    """Print the log of a project's daemon; 1 if there is none."""
    settings = read_settings(options.project, options.out_dir)
    path = os.path.join(settings.folder, LOG_NAME)
    found = [name for name in (path + OLD_SUFFIX, path) if os.path.isfile(name)]
    for name in filter(os.path.islink, found):  # a clone may bring one, to a file that is nobody's business
        raise FileError(f"{name}: is a link, which no daemon makes: remove it")
    if not found:
        say(f"{shown_path(settings.root)} has no log: run `assetdb watch`")
        return 1
    for name in found[:-1]:
        with open(name, "rb") as file:
            _print(file)
    file = open(found[-1], "rb")  # noqa: SIM115 - another takes its place below
    try:
        _print(file)
        while follow:
            alive = is_held(settings.folder)
            sys.stdout.flush()
            if not _print(file):
                if not alive:
                    break
                time.sleep(_STEP)
            if _is_replaced(file, path):
                _print(file)
                file.close()
                file = open(path, "rb")  # noqa: SIM115 - closed below
    finally:
        file.close()
    return 0


def _print(file: BinaryIO) -> bool:
    """Print new lines; return whether there were any."""
    printed = False
    for line in file:
        print(printable(line.decode("utf-8", "replace").rstrip("\r\n")))
        printed = True
    return printed


def _is_replaced(file: BinaryIO, path: str) -> bool:
    try:
        return not os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except OSError:
        return False
