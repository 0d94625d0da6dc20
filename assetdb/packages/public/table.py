"""The table of public packages: files by GUID, and releases.

In a clone without ``Library/PackageCache`` many references lead to files of packages: of 63,932 references of 14 public
projects without a target, 43,711 do. A GUID may be in several packages, because one became another (LWRP, URP) or took
files over (ugui 2.0 has TextMesh Pro): 3,173 are. The table is ``public_packages.bin`` in the same folder, which
``scripts/public_packages.py`` makes. A lookup is a bisection, and decompresses 64 rows for each file that it finds;
nothing is read before the first.
"""

from __future__ import annotations

import os
from bisect import bisect_left

from assetdb.packages.public.releases import read_release
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping
    from typing import Final

    from assetdb.packages.public.releases import Release

FILE_NAME: Final = "public_packages.bin"
INSTALLED: Final = "+"
"""Begins the sources of a file that a package only puts into ``Assets/`` when asked."""
_MAGIC: Final = b"UADPKGS3"
_HEAD: Final = 28
_GUID: Final = 16
_NUMBER: Final = 4
_ASSEMBLIES: Final = (".asmdef", ".dll")
_BLOCK: Final = 64
"""Rows per compressed block: with fewer the file is larger, with more a lookup is slower."""


class PublicFile(NamedTuple):
    """A file of a public package.

    Attributes:
        package: ``com.unity.ugui``.
        path: inside the package; for one of a ``.unitypackage`` its path there, a colon, and the path it installs.
        first: the oldest version with the file, ``""`` if unknown.
        last: the newest version with the file.
        sources: letters as of ``Release.sources``, after :data:`INSTALLED` if Unity does not import the file from the
            package itself: samples, and the contents of ``.unitypackage`` files.
    """

    package: str
    path: str
    first: str
    last: str
    sources: str

    @property
    def is_installed(self) -> bool:
        """Whether the file is only used from a copy in ``Assets/``."""
        return self.sources.startswith(INSTALLED)


class PublicPackages:
    """The table of public packages, from its bytes.

    ::

        8 bytes     magic
        uint32      files, blocks, packages, bytes of names, bytes of assemblies; all numbers are little-endian
        16 bytes    GUID of each file, ascending
        uint32      number of its row in the blocks, for each
        uint32      end of each block, then of the releases of each package, relative to the first block
        names       zlib of the packages' names in order, a line each; a tab follows if a package holds only code
        assemblies  zlib of the rows of assembly definitions and DLLs that Unity imports from the package itself
        blocks      zlib of 64 rows: the fields of a file, tab between them, in order, so that similar ones are adjacent
        releases    zlib of a package's releases, oldest first, a line each
    """

    def __init__(self, data: bytes) -> None:
        """Take the bytes of a table; invalid ones are an empty table."""
        if data[:8] != _MAGIC or len(data) < _HEAD:
            data = bytes(_HEAD)
        self._data = data
        numbers = (_number(data, place) for place in range(8, _HEAD, _NUMBER))
        self._count, self._blocks, packages, names, assemblies = numbers
        self._rows = _HEAD + _GUID * self._count
        self._ends = self._rows + _NUMBER * self._count
        self._names = self._ends + _NUMBER * (self._blocks + packages)
        self._assemblies = self._names + names
        self._start = self._assemblies + assemblies
        if self._start > len(data):
            self._count = self._blocks = 0
            self._assemblies = self._start = self._names
        self._numbers: dict[str, tuple[int, bool]] | None = None
        self._last: tuple[int, list[str]] = (-1, [])
        self._known_releases: dict[str, tuple[Release, ...]] = {}

    def find(self, guid: str) -> tuple[PublicFile, ...]:
        """Return the files with a GUID (32 hex digits), in order."""
        wanted = bytes.fromhex(guid)
        place = bisect_left(range(self._count), wanted, key=self._guid)
        found = []
        while place < self._count and self._guid(place) == wanted:
            found.append(self._file(place))
            place += 1
        return tuple(sorted(found))

    def packages(self) -> Mapping[str, tuple[int, bool]]:
        """Return each package's number, and whether it holds only code."""
        if self._numbers is None:
            lines = self._unpacked(self._names, self._assemblies).split("\n") if self._blocks else []
            self._numbers = {line.rstrip("\t"): (number, line.endswith("\t")) for number, line in enumerate(lines)}
        return self._numbers

    def releases(self, package: str) -> tuple[Release, ...]:
        """Return the releases of a package, oldest first."""
        found = self._known_releases.get(package)
        if found is None:
            known = self.packages().get(package)
            lines = self._block(self._blocks + known[0]) if known is not None else []
            found = self._known_releases[package] = tuple(map(read_release, filter(None, lines)))
        return found

    def rows(self) -> Iterator[tuple[str, PublicFile]]:
        """Yield GUID and file of each row, by GUID."""
        for number in range(self._count):
            yield self._guid(number).hex(), self._file(number)

    def assemblies(self, *endings: str) -> Iterator[PublicFile]:
        """Yield assembly definitions or DLLs of packages, by package and path."""
        text = self._unpacked(self._assemblies, self._start) if self._blocks else ""
        for file in map(_file_of, filter(None, text.split("\n"))):
            if file.path.endswith(endings):
                yield file

    def files_of(self, package: str) -> dict[str, PublicFile]:
        """Return the files of a package, by GUID."""
        found: dict[int, PublicFile] = {}
        for number in range(self._blocks):
            lines = self._block(number)
            if lines[0].partition("\t")[0] <= package <= lines[-1].partition("\t")[0]:
                for place, line in enumerate(lines, number * _BLOCK):
                    file = _file_of(line)
                    if file.package == package:
                        found[place] = file
        rows = range(self._rows, self._ends, _NUMBER)
        return {
            self._guid(place).hex(): found[row]
            for place, row in enumerate(_number(self._data, start) for start in rows)
            if row in found
        }

    def _guid(self, number: int) -> bytes:
        start = _HEAD + _GUID * number
        return self._data[start : start + _GUID]

    def _file(self, number: int) -> PublicFile:
        row = _number(self._data, self._rows + _NUMBER * number)
        return _file_of(self._block(row // _BLOCK)[row % _BLOCK])

    def _block(self, number: int) -> list[str]:
        if self._last[0] != number:
            self._last = number, self._text(number).split("\n")
        return self._last[1]

    def _text(self, number: int) -> str:
        start = _number(self._data, self._ends + _NUMBER * (number - 1)) if number else 0
        return self._unpacked(self._start + start, self._start + _number(self._data, self._ends + _NUMBER * number))

    def _unpacked(self, start: int, end: int) -> str:
        import zlib  # noqa: PLC0415 - few GUIDs are of absent packages

        return zlib.decompress(self._data[start:end]).decode()


def _file_of(line: str) -> PublicFile:
    package, path, first, last, sources = line.split("\t")
    return PublicFile(package, path, first, last, sources)


def encode(
    rows: Iterable[tuple[str, PublicFile]], releases: Mapping[str, Iterable[str]], code: Container[str] = ()
) -> bytes:
    """Return a table.

    Args:
        rows: GUID and file of each row.
        releases: by package its releases, oldest first, each as :func:`assetdb.packages.public.releases.read_release`
            reads it.
        code: packages that hold only code.
    """
    import zlib  # noqa: PLC0415 - a lookup does without

    files = sorted({(bytes.fromhex(guid), "\t".join(file)) for guid, file in rows})
    lines = sorted({line for _, line in files})
    row_of = {line: number for number, line in enumerate(lines)}
    parts = ["\n".join(lines[start : start + _BLOCK]) for start in range(0, len(lines), _BLOCK)]
    files_of_lines = zip(map(_file_of, lines), lines, strict=True)
    assemblies = [line for file, line in files_of_lines if file.path.endswith(_ASSEMBLIES) and not file.is_installed]
    names = sorted(releases)
    blocks = [zlib.compress(part.encode(), 9) for part in (*parts, *("\n".join(releases[name]) for name in names))]
    packed_names = zlib.compress("\n".join(name + "\t" * (name in code) for name in names).encode(), 9)
    packed_assemblies = zlib.compress("\n".join(assemblies).encode(), 9)
    end, ends = 0, []
    for block in blocks:
        end += len(block)
        ends.append(_packed(end))
    numbers = map(_packed, (len(files), len(parts), len(names), len(packed_names), len(packed_assemblies)))
    head = [_MAGIC, *numbers, *(guid for guid, _ in files), *(_packed(row_of[line]) for _, line in files)]
    return b"".join([*head, *ends, packed_names, packed_assemblies, *blocks])


_table: list[PublicPackages] = []


def public_packages() -> PublicPackages:
    """Return the table that comes with assetdb, read once."""
    if not _table:
        with open(os.path.join(os.path.dirname(__file__), FILE_NAME), "rb") as file:
            _table.append(PublicPackages(file.read()))
    return _table[0]


def _number(data: bytes, start: int) -> int:
    return int.from_bytes(data[start : start + _NUMBER], "little")


def _packed(number: int) -> bytes:
    return number.to_bytes(_NUMBER, "little")
