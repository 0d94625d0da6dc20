"""``assetdb log``."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from typing import TYPE_CHECKING, BinaryIO, Final

from assetdb.cli.terminal import printable, say, shown_path
from assetdb.daemon.files.lock import is_held
from assetdb.daemon.files.log import LOG_NAME, OLD_SUFFIX
from assetdb.errors import FileError
from assetdb.settings.effective import read_settings
from assetdb.system.reading import OPEN_FLAGS
from assetdb.system.shared_opening import open_shared

if TYPE_CHECKING:
    from assetdb.cli.arguments import DatabaseOptions
    from assetdb.cli.options import Annotated, Option

_STEP = 0.2
_NOT_THROUGH_LINKS: Final = getattr(os, "O_NOFOLLOW", 0)
_OF_LINKS: Final = (errno.ELOOP, errno.EMLINK)  # the second is FreeBSD's
_A_LINK: Final = "is a link, which no daemon makes: remove it"


def log(
    options: DatabaseOptions,
    follow: Annotated[bool, Option("--follow", "-f", help="Keep printing new lines while the daemon runs.")] = False,
) -> int:
    """Print the log of a project's daemon; 1 if there is none."""
    settings = read_settings(options.project, options.out_dir)
    path = os.path.join(settings.folder, LOG_NAME)
    old = _opened(path + OLD_SUFFIX)
    if old is not None:
        with old:
            _print(old)
    file = _opened(path)
    if file is None:
        if old is None:
            say(f"{shown_path(settings.root)} has no log: run `assetdb watch`")
        return int(old is None)
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
                newer = _opened(path)
                if newer is not None:
                    file.close()
                    file = newer
    finally:
        file.close()
    return 0


def _opened(path: str) -> BinaryIO | None:
    """Open a log, None if it is absent.

    A clone may bring a link in its place, to a file that is nobody's business.

    Raises:
        FileError: it is a link, or not a regular file.
        OSError: it cannot be opened.
    """
    if not _NOT_THROUGH_LINKS and os.path.islink(path):  # Windows, where one call cannot do both
        raise FileError(f"{path}: {_A_LINK}")
    try:
        descriptor = open_shared(path, OPEN_FLAGS | _NOT_THROUGH_LINKS)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno in _OF_LINKS:
            raise FileError(f"{path}: {_A_LINK}") from error
        raise
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return open(descriptor, "rb")
    os.close(descriptor)
    raise FileError(f"{path}: is not a regular file")


def _print(file: BinaryIO) -> bool:
    """Print new lines; return whether there were any."""
    printed = False
    for line in file:
        print(printable(line.decode("utf-8", "replace").rstrip("\r\n")))
        printed = True
    return printed


def _is_replaced(file: BinaryIO, path: str) -> bool:
    try:
        return not os.path.samestat(os.fstat(file.fileno()), os.lstat(path))
    except OSError:
        return False
