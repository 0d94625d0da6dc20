"""Zip archives (APK, OBB) with Unreal files, unpacked temporarily.

Packages and containers are read by offset, with the files beside them; a folder has what that takes. What an archive
can do is bounded: names that lead out of it are left out, and it unpacks to no more than so many times its size and to
no more than there is room for.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import TYPE_CHECKING, Final

from assetdb_formats.binary import FormatError
from assetdb_formats.extraction import TargetFolder
from assetdb_formats.inputs import Archive, InputError, InputLimits
from assetdb_formats.unreal.closing import Closing
from assetdb_formats.unreal.containers.locations import CONTAINER_EXTENSIONS, is_archive
from assetdb_formats.unreal.files.parts import SIDE_FILES
from assetdb_formats.unreal.problems import Problem, problem_of
from assetdb_formats.unreal.scanning.mounts import EXTENSIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

_WANTED: Final = (*EXTENSIONS, *SIDE_FILES, *CONTAINER_EXTENSIONS, ".ucas", ".ini", ".uproject", ".uplugin")
_NESTED: Final = (".obb", ".obb.png")  # what an APK keeps its containers in
_LIMITS: Final = InputLimits(ratio=20)  # of real packages, the most that deflates does so to a tenth
_PIECE: Final = 1 << 20


class UnpackedArchive(Closing):
    """The Unreal files of an archive in a temporary folder.

    It is a context manager that removes the folder.

    Attributes:
        path: the archive.
        folder: the temporary folder.
        problems: members that could not be unpacked, and why; their paths begin with the archive's.
    """

    def __init__(
        self, path: str, progress: Callable[[int, int], None] | None = None, *, limits: InputLimits = _LIMITS
    ) -> None:
        """Unpack the packages and containers of an archive.

        Packages and containers of an OBB inside an APK are found too.

        Args:
            path: the archive.
            progress: called with (members unpacked, members).
            limits: what is read at most.

        Raises:
            OSError: it cannot be read, or the folder not be written.
            InputError: it is damaged, or out of proportion.
        """
        self.path = path
        self.problems: list[Problem] = []
        self._progress = progress
        self._limits = limits
        self._temporary = tempfile.TemporaryDirectory(prefix="assetdb-", ignore_cleanup_errors=True)
        self.folder = os.path.realpath(self._temporary.name)
        try:
            self._unpack(path, path, nested=True)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Remove the folder."""
        self._temporary.cleanup()

    def _unpack(self, path: str, shown: str, *, nested: bool) -> None:
        ends = _WANTED + _NESTED if nested else _WANTED
        archive = Archive(path, self._limits)
        names = [name for name in archive.names() if name.lower().endswith(ends)]
        size = sum(map(archive.size, names))
        room = shutil.disk_usage(self.folder).free
        if size > room:
            raise InputError(f"unpacks to {size:,} bytes, and there is room for {room:,}", path=shown)
        target = TargetFolder(self.folder)
        for number, name in enumerate(names):
            if self._progress is not None:
                self._progress(number, len(names))
            try:
                with archive.open(name) as stream:
                    target.write(name, _pieces(stream))
            except InputError as error:
                if not str(error.what).startswith(name):  # of the archive, not of the member
                    raise
                self.problems.append(problem_of(error, shown))
                continue
            except FormatError as error:
                self.problems.append(problem_of(error.at(""), f"{shown}/{name}"))
                continue
            if nested and name.lower().endswith(_NESTED):
                self._unpack_nested(os.path.join(self.folder, *name.split("/")), f"{shown}/{name}")

    def _unpack_nested(self, path: str, shown: str) -> None:
        """Unpack an archive that was unpacked, and remove it."""
        try:
            if is_archive(path):
                self._unpack(path, shown, nested=False)
        except InputError as error:
            raise error.at(shown) from None
        finally:
            os.unlink(path)


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    while piece := stream.read(_PIECE):
        yield piece
