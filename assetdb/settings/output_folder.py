"""The place of a project's output folder.

Imports next to nothing: the client of a daemon, as fast as a bare start of the interpreter, uses this too.
"""

from __future__ import annotations

import os
import stat

from assetdb.errors import ConfigurationError, FileError
from assetdb.settings.project import (
    ASSET_ROOTS,
    CONFIGURATION_NAME,
    DEFAULT_FOLDER,
    LARGEST_CONFIGURATION,
    is_part,
    package_name,
)
from assetdb.system.reading import read_small

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

OUT_DIR_VARIABLE: Final = "ASSETDB_OUT_DIR"
_RESERVED: Final = ("assets", "packages", "projectsettings")
_GIT: Final = ".git"
_LONGEST_NAME: Final = 60
_IGNORED: Final = b"# Written by assetdb: all files here are made again by `assetdb bake`.\n*\n"


class OutputFolder:
    """The output folder of a project.

    Attributes:
        path: absolute.
        reason: why it is in the user's cache folder, ``""`` for any other place.
    """

    __slots__ = ("path", "reason")

    def __init__(self, path: str, reason: str = "") -> None:
        self.path = path
        self.reason = reason


def output_folder(root: str, out_dir: str | None = None) -> OutputFolder:
    """Return where the files of the project at ``root`` go.

    The argument comes first, then ``ASSETDB_OUT_DIR``, then the project's ``assetdb.toml``, then ``Library/assetdb``. A
    project's own file is untrusted, so it can only name a folder inside the project. If the project cannot be written,
    or its ``Library`` leads out of it, or it is a package repository or a folder of assets, a folder in the user's
    cache is used.

    Raises:
        ConfigurationError: ``assetdb.toml`` is wrong, or names a folder that it may not.
    """
    given = out_dir or os.environ.get(OUT_DIR_VARIABLE)
    if given:
        return OutputFolder(os.path.abspath(given))
    configured = _configured(root)
    if configured:
        folder = os.path.normpath(os.path.join(root, configured))
        where = outside(root, configured, folder)
        if where:
            raise ConfigurationError(
                f"{os.path.join(root, CONFIGURATION_NAME)}: out-dir {configured!r} {where}: a project's file can only"
                " name a folder inside the project, and none in Assets, Packages, ProjectSettings or .git (--out-dir"
                f" or {OUT_DIR_VARIABLE} may name any)"
            )
    else:
        folder = os.path.join(root, DEFAULT_FOLDER)
        if package_name(root):  # a Library is not ignored there, and would be published with the package
            return _in_user_cache(root, f"{root} is a package")
        if is_part(root):
            return _in_user_cache(root, f"{root} is a folder of assets, and no project of its own")
        if _is_linked(os.path.dirname(folder)) or _is_linked(folder):
            where = outside(root, DEFAULT_FOLDER, folder)
            if where:
                return _in_user_cache(root, f"{os.path.dirname(folder)} {where}")
    existing = folder
    while len(existing) > len(root) and not os.path.isdir(existing):
        existing = os.path.dirname(existing)
    if not os.access(existing, os.W_OK | os.X_OK):
        return _in_user_cache(root, f"{existing} cannot be written to")
    return OutputFolder(folder)


def outside(root: str, written: str, folder: str) -> str:
    """Return why a folder cannot be used for output, or ``""``.

    ``written`` is the configured relative path.
    """
    drive, rest = os.path.splitdrive(written)
    if drive or rest.startswith(("/", "\\")) or written[1:2] == ":":  # on every system, as the project may be shared
        return "is not a relative path"
    if rest.startswith("~"):  # otherwise a folder with that name, which a shell takes for the home folder
        return "is not a path inside the project: a ~ is not expanded here"
    if "\0" in written:  # of which Windows resolves what it can
        return "is not a path"
    try:
        real_root, real = os.path.realpath(root), os.path.realpath(folder)
    except (OSError, ValueError):
        return "is not a path"
    if os.path.normcase(real) == os.path.normcase(real_root):
        return ""
    if not _is_below(real, real_root):
        return f"leads out of the project, to {real}"
    return f"leads to {real}" if is_kept_free(root, real) else ""


def is_kept_free(root: str, folder: str) -> bool:
    """Whether a folder lies in assets, packages, settings or git's folder."""
    real_root, real = os.path.realpath(root), os.path.realpath(folder)
    if any(_is_below(real, os.path.realpath(os.path.join(root, name))) for name in ASSET_ROOTS):
        return True
    parts = real[len(real_root.rstrip(os.sep)) + 1 :].casefold().split(os.sep)
    return _is_below(real, real_root) and (parts[0] in _RESERVED or _GIT in parts)


def _is_below(path: str, folder: str) -> bool:
    folder = os.path.normcase(folder).rstrip(os.sep) + os.sep
    return (os.path.normcase(path) + os.sep).startswith(folder)


def _is_linked(path: str) -> bool:
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISLNK(status.st_mode) or bool(getattr(status, "st_reparse_tag", 0))  # the latter on Windows


def _configured(root: str) -> str:
    """Return ``out-dir`` as ``assetdb.toml`` has it, ``""`` if it has none.

    Most projects have no such file, and most files no such key; no TOML parser is loaded for them. (A key may be
    written with escapes.)
    """
    try:
        data = read_small(os.path.join(root, CONFIGURATION_NAME), LARGEST_CONFIGURATION)
    except (OSError, FileError):
        data = b"out"  # absent, or its own reader reports the error
        if not os.path.lexists(os.path.join(root, CONFIGURATION_NAME)):
            return ""
    if b"out" not in data and b"\\" not in data:
        return ""
    from assetdb.settings.configuration import read_configuration  # noqa: PLC0415 - see above

    return read_configuration(root).out_dir


def _in_user_cache(root: str, reason: str) -> OutputFolder:
    from hashlib import blake2b  # noqa: PLC0415 - few projects use that folder

    from assetdb.settings.user import user_cache_folder  # noqa: PLC0415 - the client of a daemon does without

    real = os.path.realpath(root)
    digest = blake2b(os.fsencode(real), digest_size=8).hexdigest()
    name = os.path.basename(real)[:_LONGEST_NAME]
    return OutputFolder(os.path.join(user_cache_folder(), f"{name}-{digest}"), reason)


def make_folder(folder: str, root: str = "") -> None:
    """Make a folder that git ignores, with its parents below ``root``.

    A removed project must not be recreated. A folder that already exists is not changed: it may be the user's, with
    files that are committed.

    Raises:
        OSError: it cannot be made.
    """
    inside = root and folder.startswith(os.path.join(root, ""))
    is_new = not os.path.isdir(folder)
    if not inside:
        os.makedirs(folder, exist_ok=True)
    else:
        here = root
        for name in folder[len(root) :].split(os.sep):
            if name:
                here = os.path.join(here, name)
                try:
                    os.mkdir(here)
                except FileExistsError:
                    if not os.path.isdir(here):
                        raise
    if is_new:
        _ignore(folder)


def _ignore(folder: str) -> None:
    """Let git ignore a folder: few projects ignore a nested ``Library``."""
    try:
        descriptor = os.open(os.path.join(folder, ".gitignore"), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:  # of a process creating the same folder
        return
    try:
        os.write(descriptor, _IGNORED)
    finally:
        os.close(descriptor)
