"""FPackageObjectIndex: which object another one refers to.

64 bits, the upper two its kind: 0 an export of the same package, 1 an object of the engine's own code (by the
62-bit hash of its path), 2 an export of another package, 3 nothing. For kind 2, engine 5 stores a place in
the imported packages (upper 30 bits) and in the imported public export hashes (lower 32); engine 4 the
62-bit hash of the full path.
"""

from __future__ import annotations

from typing import Final, NamedTuple

NULL: Final = (1 << 64) - 1
_SHIFT: Final = 62
_VALUE: Final = (1 << _SHIFT) - 1
EXPORT: Final = 0
SCRIPT: Final = 1
PACKAGE: Final = 2
NONE: Final = 3


class PackageImport(NamedTuple):
    """What an import of another package's export stores (engine 5)."""

    package: int
    hash_index: int


def kind(index: int) -> int:
    """Return EXPORT, SCRIPT, PACKAGE or NONE."""
    return index >> _SHIFT


def value(index: int) -> int:
    """Return the 62 bits below the kind: an export number, or a hash."""
    return index & _VALUE


def package_import(index: int) -> PackageImport:
    """Split an index of kind PACKAGE as engine 5 stores it."""
    return PackageImport(value(index) >> 32, index & 0xFFFFFFFF)


def script_index(path_hash: int) -> int:
    """Return the index of an engine object from the hash of its path."""
    return SCRIPT << _SHIFT | path_hash
