"""The folder of facts that several machines and work trees share.

The cache and the memo of an output folder are copied there, each under a digest of its bytes, and never changed
afterwards. A project that has none of its own goes on from the newest: what its files hold is compared by content, and
what was derived by the values of its inputs, so that facts of another commit are only less useful, never wrong.
"""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from assetdb.errors import FileError
from assetdb.settings.project import package_name
from assetdb.settings.user import read_user_settings
from assetdb.system.reading import open_regular, read_small
from assetdb.version import VERSION
from assetdb_formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECE: Final = 1 << 20
_MOST: Final = 4
"""Packs of one project and kind: the last few branches that were baked."""
LARGEST: Final = 4 << 30
"""Bytes of all packs; those that were used longest ago go first."""
_MUCH_LARGER: Final = 1.1
_LEFT_AFTER: Final = 3600.0  # seconds after which nobody is still writing a temporary file
_LONGEST_NAME: Final = 60
_PRODUCT: Final = re.compile(rb"^  productGUID: ([0-9a-f]{32})", re.MULTILINE)
_LARGEST_SETTINGS: Final = 1 << 22


class SharedFacts:
    """The packs of one project in the shared folder.

    Attributes:
        folder: of the project's packs, absolute; it may not be there.
        problems: paths with messages: packs that were damaged, folders that could not be written.
    """

    def __init__(self, root: str, store: str) -> None:
        """Name the folder; nothing is read yet.

        Args:
            root: the project, absolute.
            store: the folder that is shared, absolute.

        Raises:
            ScanError: whether the project is a package cannot be told just now.
        """
        own = "\0".join((VERSION, sys.byteorder, _identity_of(root)))
        digest = blake2b(own.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        self._store = store
        self.folder = os.path.join(store, digest)
        self.problems: list[tuple[str, str]] = []

    def newest(self, name: str) -> str:
        """Return the newest sound pack of a file, or ``""``.

        A damaged one is removed.

        Args:
            name: of the file in an output folder.
        """
        for _, path in sorted(self._packs(name), reverse=True):
            try:
                for _ in _checked(path, _digest_in(path)):
                    pass
                _touch(path)
            except ValueError:
                self.problems.append((path, "is damaged: it was ignored and removed"))
                _remove(path)
            except (OSError, FileError):  # another process dropped it, or the drive is gone
                continue
            else:
                return path
        return ""

    def wants_derived(self, derived: str, parsed: str) -> bool:
        """Whether a file of derived answers is worth publishing.

        It is where there is none that is as new as the facts that it was derived from, or only a much smaller one.

        Args:
            derived: path of the file.
            parsed: name of the file that is published when much was parsed.
        """
        packs = sorted(self._packs(os.path.basename(derived)))
        facts = sorted(self._packs(parsed))
        try:
            return not packs or facts[-1:] > packs[-1:] or _size(derived) > _MUCH_LARGER * _size(packs[-1][1])
        except OSError:
            return False

    def publish(self, path: str) -> bool:
        """Copy a file of an output folder; return whether that worked.

        Where nothing may be written, others keep the folder filled: that is no problem.
        """
        try:
            digest = _digest_of(path)
            os.makedirs(self.folder, exist_ok=True)
            pack = os.path.join(self.folder, f"{digest}.{os.path.basename(path)}")
            replace_file(pack, _checked(path, digest))
        except PermissionError:
            return False
        except (OSError, FileError, ValueError) as error:
            self.problems.append((self.folder, f"cannot be written: {getattr(error, 'strerror', None) or error}"))
            return False
        self._drop(os.path.basename(path))
        return True

    def _packs(self, name: str) -> list[tuple[float, str]]:
        """Return time and path of the project's packs of a file."""
        return [(status.st_mtime, path) for path, status in _files(self.folder) if path.endswith(f".{name}")]

    def _drop(self, name: str) -> None:
        """Remove old packs, and temporary files of killed processes."""
        for _, path in sorted(self._packs(name))[:-_MOST]:
            _remove(path)
        found = []
        try:
            folders = [entry.path for entry in os.scandir(self._store) if entry.is_dir(follow_symlinks=False)]
        except OSError:
            return
        for folder in folders:
            for path, status in _files(folder):
                if path.endswith(".temporary"):
                    if time.time() - status.st_mtime > _LEFT_AFTER:
                        _remove(path)
                elif _digest_in(path):
                    found.append((status.st_atime, status.st_size, path))
        whole = sum(size for _, size, _ in found)
        for _, size, path in sorted(found):
            if whole <= LARGEST:
                break
            _remove(path)
            whole -= size


def shared_facts(root: str) -> SharedFacts | None:
    """Return the shared facts of a project, None without a folder.

    Raises:
        ConfigurationError: the user's settings are wrong.
        ScanError: whether the project is a package cannot be told just now.
    """
    store = read_user_settings().facts_cache
    return SharedFacts(root, store) if store else None


def _identity_of(root: str) -> str:
    """Return the identity of a project, which all its clones share."""
    name = package_name(root)
    if name:
        return name
    try:
        settings = read_small(os.path.join(root, "ProjectSettings", "ProjectSettings.asset"), _LARGEST_SETTINGS)
    except (OSError, FileError):
        settings = b""
    found = _PRODUCT.search(settings)  # binary settings have none that can be told so
    return found[1].decode() if found else os.path.basename(root)


def _files(folder: str) -> list[tuple[str, os.stat_result]]:
    """Return the regular files of a folder with their status."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    if entry.is_file(follow_symlinks=False):
                        found.append((entry.path, entry.stat(follow_symlinks=False)))
                except OSError:
                    continue
    except OSError:
        return []
    return found


def _digest_in(path: str) -> str:
    """Return the digest in the name of a pack, or ``""``."""
    digest = os.path.basename(path).partition(".")[0]
    return digest if re.fullmatch("[0-9a-f]{32}", digest) else ""


def _digest_of(path: str) -> str:
    from xxhash import xxh3_128  # noqa: PLC0415 - only those that share facts need it

    digest = xxh3_128()
    for piece in _pieces(path):
        digest.update(piece)
    return digest.hexdigest()


def _checked(path: str, wanted: str) -> Iterator[bytes]:
    """Yield the bytes of a file.

    Raises:
        ValueError: they have another digest.
        OSError, FileError: it cannot be read.
    """
    from xxhash import xxh3_128  # noqa: PLC0415 - as above

    digest = xxh3_128()
    for piece in _pieces(path):
        digest.update(piece)
        yield piece
    if digest.hexdigest() != wanted:
        raise ValueError("its bytes have changed")


def _pieces(path: str) -> Iterator[bytes]:
    with open(open_regular(path), "rb", buffering=0) as file:
        while piece := file.read(_PIECE):
            yield piece


def _touch(path: str) -> None:
    """Note that a pack was used; its own time stays."""
    with suppress(PermissionError):  # of another user: it is dropped a little earlier
        os.utime(path, (time.time(), os.stat(path).st_mtime))


def _size(path: str) -> int:
    return os.stat(path).st_size


def _remove(path: str) -> None:
    with suppress(OSError):  # another process was first, or only others may
        os.unlink(path)
