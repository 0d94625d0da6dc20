"""The bundles beside a bundle: which of them has the file that an external names."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from assetdb.cli.bundle.several import os_error
from assetdb.cli.terminal import Progress
from formats.binary import FormatError
from formats.files import open_file
from formats.unityfs.archive import HEAD_SIZE, is_archive, read_archive
from formats.unityfs.bundle import Bundle
from formats.unityfs.identity import archive_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from formats.unityfs.serialized import External

_OWN_FILES: Final = ("library/", "resources/")


@contextmanager
def opened(path: str) -> Iterator[Bundle]:
    """Open a bundle; errors of its format, also later ones, name the file."""
    with open_file(path) as stream:
        try:
            yield Bundle(stream)
        except FormatError as error:
            raise error if error.path else error.at(path) from None
        except OSError as error:  # from reading: it knows no name
            raise error if error.filename else OSError(error.errno, error.strerror, path) from None


class Neighbours:
    """The bundles of a folder, by the names of the files in them.

    Attributes:
        paths: the bundles, sorted.
        unreadable: bundles that could not be opened, and why.
    """

    def __init__(self, folder: str, *, deep: bool) -> None:
        """Read the directory of every bundle in a folder; ``deep`` also in the folders below."""
        self.paths: list[str] = []
        self.unreadable: list[str] = []
        self._by_file: dict[str, str] = {}
        found = sorted(self._bundles(folder, deep=deep))
        progress = Progress("bundles")
        for number, path in enumerate(found):
            progress(number, len(found))
            try:
                with open_file(path) as stream:
                    nodes = read_archive(stream).nodes
            except FormatError as error:
                self.unreadable.append(str(error.at(path)))
                continue
            except OSError as error:
                self.unreadable.append(os_error(path, error))
                continue
            self.paths.append(path)
            for node in nodes:
                self._by_file.setdefault(node.path.casefold(), path)
        progress.close()

    def _bundles(self, folder: str, *, deep: bool) -> Iterator[str]:
        for parent, folders, files in os.walk(folder):
            if not deep:
                folders.clear()
            for name in files:
                path = os.path.join(parent, name)
                if os.path.isfile(path):  # no pipe, no socket
                    try:
                        with open_file(path) as stream:
                            start = stream.read(HEAD_SIZE)
                    except OSError as error:  # not ours to read: it may be a bundle
                        self.unreadable.append(os_error(path, error))
                        continue
                    if is_archive(start):
                        yield path

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note that a bundle turns out to be damaged, and leave out the rest of the block."""
        try:
            yield
        except FormatError as error:
            self.unreadable.append(str(error))
        except OSError as error:
            self.unreadable.append(os_error("a bundle", error))

    def having(self, file: str) -> str | None:
        """Return the bundle with a file of this name, or None."""
        return self._by_file.get(file.casefold())


def neighbours_of(path: str, project: str | None) -> Neighbours:
    """Return the bundles beside one, or those in and below ``project``."""
    return Neighbours(project, deep=True) if project else Neighbours(os.path.dirname(path) or ".", deep=False)


def is_unitys(external: External) -> bool:
    """Whether an external is one of Unity's own files, which no bundle has."""
    return external.path.casefold().startswith(_OWN_FILES)


def bundle_named(external: External, names: Iterable[str]) -> str | None:
    """Return which of these bundle names an external's internal name is made of, or None."""
    wanted = external.name.casefold()
    return next((name for name in names if archive_name(name).casefold() == wanted), None)
