"""Bundles built together, and the files that externals name."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.binary import FormatError
from assetdb_formats.processes import tracked
from assetdb_formats.unityfs.archives.archive import is_archive, read_archive
from assetdb_formats.unityfs.bundle import Bundle, ObjectReader, open_input
from assetdb_formats.unityfs.serialized_files.serialized import HEADER_SIZE, is_serialized_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType
    from typing import Self

    from assetdb_formats.inputs import Input
    from assetdb_formats.processes import Progress
    from assetdb_formats.unityfs.serialized_files.tree_values import PPtr

_KEPT_OPEN: Final = 16  # bundles that references were followed into


class Target(NamedTuple):
    """The target of a reference; ``object`` is None where it is missing."""

    bundle: Input
    file: str
    path_id: int
    object: ObjectReader | None


class BundleSet:
    """Bundles by the names of the files in them.

    A ``with`` statement closes those that references were followed into.

    Attributes:
        inputs: the bundles and SerializedFiles without one, in the order they were given.
        bundles: the bundles among them.
        unreadable: why others could not be opened or read; their references are unknown.
    """

    def __init__(
        self,
        inputs: Iterable[Input],
        *,
        progress: Progress = None,
        class_names: Callable[[int], str | None] | None = None,
    ) -> None:
        """Read the directory of every bundle among the inputs."""
        self.inputs: list[Input] = []
        self.bundles: list[Input] = []
        self.unreadable: list[FormatError | OSError] = []
        self._class_names = class_names
        self._by_file: dict[str, Input] = {}
        self._open: dict[str, Bundle] = {}
        for candidate in tracked(list(inputs), progress):
            with self.collecting(candidate):
                head = candidate.head(HEADER_SIZE)
                if not is_archive(head):
                    if is_serialized_file(head, candidate.size):  # of a player: others call it as it is called here
                        self.inputs.append(candidate)
                        self._by_file.setdefault(file_name(candidate).casefold(), candidate)
                    continue
                with candidate.open() as stream:
                    nodes = read_archive(stream).nodes
                self.inputs.append(candidate)
                self.bundles.append(candidate)
                for node in nodes:
                    self._by_file.setdefault(node.path.casefold(), candidate)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for bundle in self._open.values():
            bundle.close()
        self._open.clear()

    @contextmanager
    def collecting(self, file: Input) -> Iterator[None]:
        """Note an unreadable bundle and skip the rest of the block."""
        try:
            yield
        except FormatError as error:
            self.unreadable.append(error if error.path else error.at(file.name))
        except OSError as error:
            if error.filename is None:
                error.filename = file.name
            self.unreadable.append(error)

    def holder(self, file: str) -> Input | None:
        """Return the bundle with a file of this name, in any case."""
        return self._by_file.get(file.casefold())

    def others(self, own: Input) -> list[Input]:
        """Return the bundles that are not this one."""
        return [other for other in self.inputs if not same_file(other, own)]

    def open(self, file: Input) -> Bundle:
        """Open one of the bundles. Raises FormatError or OSError."""
        return open_input(file, class_names=self._class_names)

    def follow(self, source: ObjectReader, pointer: PPtr) -> Target | None:
        """Return the target of an external reference, if a bundle has it."""
        external = source.external(pointer)
        bundle_file = None if external is None else self.holder(external.name)
        if external is None or bundle_file is None:
            return None
        bundle = self._open.pop(bundle_file.name, None) or self.open(bundle_file)
        self._open[bundle_file.name] = bundle  # the last one used is the last one in the dictionary
        if len(self._open) > _KEPT_OPEN:  # a caller that has an object of it keeps it open
            del self._open[next(iter(self._open))]
        try:
            file = bundle.file_named(external.name if bundle.archive is not None else "")
        except FormatError as error:
            raise error.at(bundle_file.name) from None
        entry = file.facts.objects.find(pointer.path_id) if file is not None else None
        found = None if file is None or entry is None else ObjectReader(bundle, file, entry)
        return Target(bundle_file, external.name, pointer.path_id, found)


def file_name(file: Input) -> str:
    """Return a bare SerializedFile's name in references to it."""
    return file.member.replace("\\", "/").rpartition("/")[2]


def same_file(one: Input, other: Input) -> bool:
    """Whether two inputs are one file. Raises OSError."""
    if one.name == other.name:
        return True
    return one.path is not None and other.path is not None and os.path.samefile(one.path, other.path)
