"""``assetdb annotate``."""

from __future__ import annotations

import errno
import os
import stat
import sys
from shutil import copyfileobj
from typing import TYPE_CHECKING

from assetdb.cli.asking import opened
from assetdb.cli.terminal import say
from assetdb.errors import AssetdbError, DaemonError, FileError, HistoryError, ProjectError
from assetdb.query.annotate import annotated
from assetdb.settings.project import project_above
from assetdb.settings.user import refused_link
from assetdb.system.reading import LARGEST_ASSET, open_regular
from assetdb.unity.kinds import LFS_POINTER

if TYPE_CHECKING:
    from typing import BinaryIO

    from assetdb.cli.arguments import SnapshotOptions


def annotate(options: SnapshotOptions, file: str, *, textconv: bool = False) -> int:
    """Print a file with names as comments; nothing else changes."""
    try:
        data = _read(file, options)
        if textconv and data.startswith(LFS_POINTER):
            data = _content(data, options)
    except FileError as error:
        if not textconv or options.opened is not None:
            raise
        say(str(error))
        with open(open_regular(file), "rb") as unread:
            copyfileobj(unread, sys.stdout.buffer)
        return 0
    if options.project is None and not textconv and file != "-":
        options.project = project_above(file)
    try:
        text = annotated(data, opened(options).resolver)
    except (AssetdbError, OSError) as error:
        if not textconv:
            raise
        # git stops a whole `git log -p` where a textconv fails.
        say(str(error))
        text = data
    sys.stdout.flush()
    sys.stdout.buffer.write(text)
    return 0


def _read(name: str, options: SnapshotOptions) -> bytes:
    """Return the bytes to annotate.

    At most as much as a bake reads of a file, less of a device (a terminal, ``/dev/zero``). A daemon reads only regular
    files of its project, and not large ones.

    Raises:
        ProjectError: it is a link out of its project.
        FileError: it is larger, or in a daemon not a regular file.
        OSError: it cannot be read, or does not exist.
    """
    if name == "-":
        return _bounded(sys.stdin.buffer, "-", LARGEST_ASSET)
    path = os.path.join(options.cwd, name)
    if options.opened is None:
        _refuse_link_out(path)
        with open(path, "rb") as file:
            is_device = stat.S_ISCHR(os.fstat(file.fileno()).st_mode)
            return _bounded(file, path, _largest_sent() if is_device else LARGEST_ASSET)
    if not os.path.realpath(path).startswith(os.path.join(os.path.realpath(options.opened.root), "")):
        raise OSError(errno.EPERM, "is not a file of the project", path)
    with open(open_regular(path), "rb") as file:
        most = _largest_sent()
        if os.fstat(file.fileno()).st_size > most:
            raise OSError(errno.EFBIG, "is too large for a daemon", path)
        return file.read(most)


def _largest_sent() -> int:
    """Return the bytes of the largest file that a daemon annotates."""
    from assetdb.client import command  # noqa: PLC0415 - neither a file on the disk nor stdin is of a daemon

    return command.LARGEST_FILE


def _content(pointer: bytes, options: SnapshotOptions) -> bytes:
    """Return the content of a Git LFS pointer, or the pointer.

    Git gives the pointer of a revision but the whole file of the work tree, so that every line would differ.

    Raises:
        DaemonError: a daemon is asked, which does not wait for git.
        FileError: the content is too large.
    """
    if options.opened is not None:
        raise DaemonError("git takes longer than a daemon may let others wait")
    from assetdb.history.git.repository import Repository  # noqa: PLC0415 - the same
    from assetdb.history.lfs import LARGEST_POINTER, stored  # noqa: PLC0415 - few projects have texts in Git LFS

    try:
        path = stored(Repository(options.project or os.getcwd()).folder, pointer[:LARGEST_POINTER])
    except HistoryError as error:
        say(str(error))
        return pointer
    if not path:
        say("the content of a Git LFS pointer is not here: run `git lfs fetch --all`")
        return pointer
    with open(open_regular(path), "rb") as file:
        return _bounded(file, path, LARGEST_ASSET)


def _refuse_link_out(path: str) -> None:
    """Refuse a link out of its project, unless the user's settings follow."""
    place = os.path.abspath(path)
    root = project_above(place)
    target = refused_link(place, root, folders=True) if root is not None else ""
    if target:
        raise ProjectError(
            f"{path}: is a link out of the project, to {target}: name that file, or set follow-links = true in the"
            " user's own settings"
        )


def _bounded(file: BinaryIO, shown: str, most: int) -> bytes:
    """Return all of a file; raise FileError above ``most`` bytes."""
    data = file.read(most + 1)
    if len(data) > most:
        raise FileError(f"{shown}: has more than {most:,} bytes, the limit for annotating it")
    return data
