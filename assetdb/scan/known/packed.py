"""Facts of all directories as columns, in a few buffers.

A cold bake makes all its files from these. 55,000 directories are a million objects, which forked processes cannot
share: reading one changes its reference count and copies the page. Buffers remain shared unless they are written to,
and are released as a whole.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from io import BytesIO
from itertools import accumulate, compress, pairwise

from assetdb.scan.directory import DirectoryFacts
from assetdb.system.free_memory import give_back

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Final

_NUMBERS: Final = ("identity", "pair_count")
_BUFFERS: Final = tuple(name for name in DirectoryFacts._fields if name not in _NUMBERS)
_AT_ONCE: Final = 64  # directories per batch: one at a time, each field takes 0.2 us


class LooseDirectories:
    """Unpacked directories, accessed one field at a time."""

    def __init__(self, directories: Sequence[DirectoryFacts]) -> None:
        """Take directories with their facts."""
        self._fields = dict(zip(DirectoryFacts._fields, zip(*directories, strict=True), strict=False))

    def each(self, name: str) -> Sequence[bytes]:
        """Return a field of each directory."""
        return self._fields.get(name, ())

    def parts(self, name: str) -> Sequence[bytes]:
        """Return a field of all directories in pieces."""
        return self.each(name)

    def joined(self, name: str) -> bytes:
        """Return a field of all directories in one piece."""
        return b"".join(self.each(name))

    def sizes(self, name: str) -> array[int]:
        """Return how many bytes a field has in each, uint32."""
        return array("I", list(map(len, self.each(name))))

    def numbers(self, name: str) -> array[int]:
        """Return a number of each directory, int64."""
        return array("q", self._fields.get(name, ()))


class PackedDirectories(Mapping[bytes, DirectoryFacts]):
    """Directories by path, in buffers of all fields, ``size`` bytes together."""

    def __init__(
        self, directories: dict[bytes, DirectoryFacts], complete: Callable[[DirectoryFacts], DirectoryFacts]
    ) -> None:
        """Pack directories with their facts, and empty the given dictionary."""
        buffers = [BytesIO() for _ in _BUFFERS]
        self._sizes = {name: array("I") for name in _BUFFERS}
        self._numbers = {name: array("q") for name in _NUMBERS}
        paths = list(directories)
        for start in range(0, len(paths), _AT_ONCE):
            some = map(complete, map(directories.pop, paths[start : start + _AT_ONCE]))
            fields = dict(zip(DirectoryFacts._fields, zip(*some, strict=True), strict=True))
            for name, column in self._numbers.items():
                column.fromlist(list(fields[name]))
            for name, buffer in zip(_BUFFERS, buffers, strict=True):
                buffer.write(b"".join(fields[name]))
                self._sizes[name].fromlist(list(map(len, fields[name])))
        self._columns = {}
        for name in reversed(_BUFFERS):
            self._columns[name] = buffers.pop().getvalue()
        self.size = sum(map(len, self._columns.values()))
        give_back(self.size)
        self._starts: dict[str, array[int]] | None = None  # of each field in each directory, and the end
        self._rows: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._numbers["identity"])

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.each("path"))

    def __getitem__(self, path: bytes) -> DirectoryFacts:
        if self._starts is None:
            self._starts = {name: array("Q", accumulate(sizes, initial=0)) for name, sizes in self._sizes.items()}
            self._rows = {found: row for row, found in enumerate(self)}
        row = self._rows[path]
        fields: list[object] = []
        for name in DirectoryFacts._fields:
            if name in _NUMBERS:
                fields.append(self._numbers[name][row])
            else:
                starts = self._starts[name]
                fields.append(self._columns[name][starts[row] : starts[row + 1]])
        return DirectoryFacts._make(fields)

    def diagnosed(self) -> list[DirectoryFacts]:
        """Return the directories that have diagnostics."""
        columns = self._sizes["listing_diagnostics"], self._sizes["file_diagnostics"]
        if not any(map(any, columns)):
            return []
        return [self[path] for path in compress(self, map(any, zip(*columns, strict=True)))]

    def each(self, name: str) -> list[bytes]:
        """Return a field of each directory."""
        column = self._columns[name]
        return [column[start:end] for start, end in pairwise(accumulate(self._sizes[name], initial=0))]

    def parts(self, name: str) -> Sequence[bytes]:
        """Return a field of all directories in pieces."""
        return (self._columns[name],)

    def joined(self, name: str) -> bytes:
        """Return a field of all directories in one piece."""
        return self._columns[name]

    def sizes(self, name: str) -> array[int]:
        """Return how many bytes a field has in each, uint32."""
        return self._sizes[name]

    def numbers(self, name: str) -> array[int]:
        """Return a number of each directory, int64."""
        return self._numbers[name]


def fields_of(directories: PackedDirectories | Sequence[DirectoryFacts]) -> PackedDirectories | LooseDirectories:
    """Return access to single fields of complete directories."""
    return directories if isinstance(directories, PackedDirectories) else LooseDirectories(directories)
