"""The table of public packages, by the GUIDs of their files.

A package keeps the GUIDs of its files over all its versions, and in a clone without ``Library/PackageCache`` many
references lead to them: of 63,932 references of 14 public projects without a target, 43,711 are to files of 32
packages. Their names are in ``package_guids.bin`` in the same folder, which ``scripts/package_guids.py`` makes from the
packages themselves. A lookup reads two pages of it and decompresses 256 paths: 60 us; nothing is read before the first.
"""

from __future__ import annotations

import os
from bisect import bisect_left

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final

FILE_NAME: Final = "package_guids.bin"
_MAGIC: Final = b"UADPKGS1"
ASSETS: Final = "assets"
"""Any file of a project may refer to the package's files."""
ASSEMBLIES: Final = "assemblies"
"""Only assembly definitions may refer to the package's files: it contains code for other code."""
# Parts of the engine that a manifest lists like packages, and programs for the editor and for builds.
_NOTHING: Final = (
    *("com.unity.modules.", "com.unity.ide.", "com.unity.toolchain.", "com.unity.sysroot", "com.unity.sdk."),
    *("com.unity.collab-proxy", "com.unity.package-manager-ui", "com.unity.feature.", "com.unity.ext.nunit"),
    *("com.unity.nuget.", "com.unity.quicksearch", "com.unity.package-validation-suite", "com.unity.upm."),
    *("com.unity.multiplayer.center", "com.unity.services.cloud-build", "com.unity.connect.share"),
)
# They come with the editor; of version 17 (Unity 6) the table lacks 79 files that PhysicsExamples2D refers to.
_OF_THE_EDITOR: Final = ("com.unity.render-pipelines.", "com.unity.shadergraph", "com.unity.visualeffectgraph")
_NEWEST_KNOWN: Final = 14
_ONLY_CODE: Final = (
    *("com.unity.test-framework", "com.unity.testtools.codecoverage", "com.unity.performance.profile-analyzer"),
    *("com.unity.burst", "com.unity.mathematics", "com.unity.collections", "com.unity.jobs"),
    *("com.unity.editorcoroutines", "com.unity.settings-manager", "com.unity.searcher", "com.unity.memoryprofiler"),
    *("com.unity.scriptablebuildpipeline", "com.unity.2d.sprite", "com.unity.2d.common", "com.unity.profiling.core"),
    *("com.unity.mobile.android-logcat", "com.unity.serialization", "com.unity.properties", "com.unity.logging"),
)
_HEAD: Final = 16
_GUID: Final = 16
_NUMBER: Final = 4
_BLOCK: Final = 256
"""Paths per compressed block: with fewer the file is larger, with more a lookup is slower."""


class KnownFile(NamedTuple):
    """A package's name, and the path of a file inside it."""

    package: str
    path: str


class KnownPackages:
    """The table of public packages, from its bytes.

    ::

        8 bytes     magic
        uint32      files, then uint32 blocks; all numbers are little-endian
        16 bytes    GUID of each file, ascending
        uint32      number of its line in the blocks, for each
        uint32      end of each block, relative to the start of the first
        blocks      zlib of 256 lines: package, tab, path; in order, so that similar paths are adjacent
    """

    def __init__(self, data: bytes) -> None:
        """Take the bytes of a table; invalid ones are an empty table."""
        if data[:8] != _MAGIC or len(data) < _HEAD:
            data = bytes(_HEAD)
        self._data = data
        self._count = _number(data, 8)
        blocks = _number(data, 12)
        self._lines = _HEAD + _GUID * self._count
        self._ends = self._lines + _NUMBER * self._count
        self._start = self._ends + _NUMBER * blocks
        if self._start > len(data):
            self._count = 0
        self._last: tuple[int, list[str]] = (-1, [])

    def find(self, guid: str) -> KnownFile | None:
        """Return the file with a GUID of 32 hex digits, or None."""
        wanted = bytes.fromhex(guid)
        place = bisect_left(range(self._count), wanted, key=self._guid)
        return self._file(place) if place < self._count and self._guid(place) == wanted else None

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Yield GUID, package and path of each file, by GUID."""
        for number in range(self._count):
            yield self._guid(number).hex(), *self._file(number)

    def names(self) -> frozenset[str]:
        """Return the names of all packages."""
        return frozenset(line.partition("\t")[0] for line in self._all_lines())

    def files(self, *endings: str) -> Iterator[KnownFile]:
        """Yield files with some endings, by package and path."""
        for line in self._all_lines():
            if line.endswith(endings):
                package, _, path = line.partition("\t")
                yield KnownFile(package, path)

    def _all_lines(self) -> Iterator[str]:
        blocks = (self._start - self._ends) // _NUMBER if self._count else 0
        return (line for number in range(blocks) for line in self._block(number))

    def _guid(self, number: int) -> bytes:
        start = _HEAD + _GUID * number
        return self._data[start : start + _GUID]

    def _file(self, number: int) -> KnownFile:
        line = _number(self._data, self._lines + _NUMBER * number)
        package, _, path = self._block(line // _BLOCK)[line % _BLOCK].partition("\t")
        return KnownFile(package, path)

    def _block(self, number: int) -> list[str]:
        if self._last[0] != number:
            import zlib  # noqa: PLC0415 - few GUIDs are of absent packages

            start = _number(self._data, self._ends + _NUMBER * (number - 1)) if number else 0
            end = _number(self._data, self._ends + _NUMBER * number)
            packed = self._data[self._start + start : self._start + end]
            self._last = number, zlib.decompress(packed).decode().split("\n")
        return self._last[1]


def encode(rows: Iterable[tuple[str, str, str]]) -> bytes:
    """Return a table of (GUID, package, path); the last of equals counts."""
    import zlib  # noqa: PLC0415 - a lookup does without

    files = {bytes.fromhex(guid): f"{package}\t{path}" for guid, package, path in rows}
    lines = sorted(set(files.values()))
    line_of = {line: number for number, line in enumerate(lines)}
    blocks = [
        zlib.compress("\n".join(lines[start : start + _BLOCK]).encode(), 9) for start in range(0, len(lines), _BLOCK)
    ]
    end = 0
    ends = []
    for block in blocks:
        end += len(block)
        ends.append(_packed(end))
    guids = sorted(files)
    numbers = [_packed(line_of[files[guid]]) for guid in guids]
    return b"".join([_MAGIC, _packed(len(guids)), _packed(len(blocks)), *guids, *numbers, *ends, *blocks])


_table: list[KnownPackages] = []
_names: list[frozenset[str]] = []


def find_known(guid: str) -> KnownFile | None:
    """Return the file with a GUID of 32 hex digits, or None."""
    return _read().find(guid)


def known_names() -> frozenset[str]:
    """Return the names of the known public packages."""
    if not _names:
        _names.append(_read().names())
    return _names[0]


def known_files(*endings: str) -> list[KnownFile]:
    """Return files with some endings, by package and path."""
    return list(_read().files(*endings))


def may_hold(package: str, version: str = "") -> str:
    """Return :data:`ASSETS`, :data:`ASSEMBLIES` or ``""`` for an absent package."""
    if package.startswith(_NOTHING):
        return ""
    if package in known_names():
        major = version.partition(".")[0]
        is_newer = package.startswith(_OF_THE_EDITOR) and major.isdecimal() and int(major[:9]) > _NEWEST_KNOWN
        return ASSETS if is_newer else ""
    return ASSEMBLIES if package in _ONLY_CODE else ASSETS


def most_of(held: Iterable[str]) -> str:
    """Return the possible unknown files of several packages."""
    return max(held, key=("", ASSEMBLIES, ASSETS).index, default="")


def _read() -> KnownPackages:
    if not _table:
        with open(os.path.join(os.path.dirname(__file__), FILE_NAME), "rb") as file:
            _table.append(KnownPackages(file.read()))
    return _table[0]


def _number(data: bytes, start: int) -> int:
    return int.from_bytes(data[start : start + _NUMBER], "little")


def _packed(number: int) -> bytes:
    return number.to_bytes(_NUMBER, "little")
