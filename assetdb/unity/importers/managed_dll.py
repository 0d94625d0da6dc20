r"""Types of a managed DLL, and the fileIDs of its scripts.

A script in a DLL has no meta of its own: assets refer to it by ``m_Script: {fileID: -765806418, guid: <the DLL>}``,
where the fileID is the first int32 of ``MD4("s\0\0\0" + namespace + class name)``. So the names are found by hashing
every type that the DLL defines. Layout: ECMA-335, part II, chapters 24 (metadata) and 25 (the PE file around it).
"""

from __future__ import annotations

from assetdb.unity.kinds import is_lfs_pointer
from assetdb_formats.codecs.md4 import md4
from assetdb_formats.dotnet.image import is_portable_executable, read_image
from assetdb_formats.dotnet.tables import TYPE_DEF, Tables
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_VISIBILITY: Final = 0x7
_FIRST_NESTED: Final = 2


class ManagedType(NamedTuple):
    """A top-level type of a DLL; the namespace may be ``""``."""

    namespace: str
    name: str


class NotManaged(NamedTuple):
    """Bytes of another kind: ``native``, ``empty``, ``lfs-pointer`` or ``other``."""

    kind: str


def script_file_id(namespace: str, name: str) -> int:
    """Return the fileID of a class in a DLL: an int32."""
    return int.from_bytes(md4(b"s\0\0\0" + namespace.encode() + name.encode())[:4], "little", signed=True)


def read_types(data: bytes) -> tuple[ManagedType, ...] | NotManaged:
    """Return the top-level types of a DLL, in table order.

    Raises:
        FormatError: the file starts as a PE file and is damaged.
    """
    if data[:2] != b"MZ":
        return NotManaged(_other_kind(data))
    image = read_image(data)
    if image is None:
        return NotManaged("native" if is_portable_executable(data) else "other")
    tables = Tables(data, image)
    found = []
    for row, (flags, name, namespace, _, _, _) in enumerate(tables.rows(TYPE_DEF)):
        if flags & _VISIBILITY < _FIRST_NESTED and row:  # row 0 is <Module>
            found.append(ManagedType(tables.text(namespace), tables.text(name)))
    return tuple(found)


def _other_kind(data: bytes) -> str:
    if not data.strip():
        return "empty"
    return "lfs-pointer" if is_lfs_pointer(data) else "other"
