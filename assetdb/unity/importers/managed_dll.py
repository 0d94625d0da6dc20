r"""Types of a managed DLL, and the fileIDs of its scripts.

A script in a DLL has no meta of its own: assets refer to it by ``m_Script: {fileID: -765806418, guid: <the DLL>}``,
where the fileID is the first int32 of ``MD4("s\0\0\0" + namespace + class name)``. So the names are found by hashing
every type that the DLL defines. Layout: ECMA-335, part II, chapters 24 (metadata) and 25 (the PE file around it).
"""

from __future__ import annotations

from assetdb.unity.kinds import is_lfs_pointer
from assetdb_formats.codecs.md4 import md4
from assetdb_formats.dotnet.image import is_portable_executable, read_image
from assetdb_formats.dotnet.tables import TYPE_DEF, TYPE_REF, Tables, decoded
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_VISIBILITY: Final = 0x7
_FIRST_NESTED: Final = 2
_NO_ENGINES: Final = ("System", "Microsoft", "Mono")
# Ends of names of the engine's classes that scripts extend and that are no objects.
_NO_OBJECTS: Final = ("Attribute", "Drawer", "Event", "Exception", "Instruction", "Postprocessor")


class ManagedType(NamedTuple):
    """A top-level type of a DLL.

    Attributes:
        namespace: ``""`` if it has none.
        name: of the type.
        is_script: whether Unity makes a MonoScript of it, which is so of what derives from an engine's object. Of 353
            types of the DLLs in projects that Unity imported, none without such a base has one.
    """

    namespace: str
    name: str
    is_script: bool = False


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
    bases = [extends for _, _, _, extends, _, _ in tables.rows(TYPE_DEF)]
    known: dict[int, bool] = {}
    found = []
    for row, (flags, name, namespace, _, _, _) in enumerate(tables.rows(TYPE_DEF)):
        if flags & _VISIBILITY < _FIRST_NESTED and row:  # row 0 is <Module>
            is_script = _is_script(row, bases, tables, known)
            found.append(ManagedType(tables.text(namespace), tables.text(name), is_script))
    return tuple(found)


def _is_script(row: int, bases: list[int], tables: Tables, known: dict[int, bool]) -> bool:
    """Whether a type's base in another assembly may be an engine's object."""
    way = []
    table = TYPE_DEF
    while table == TYPE_DEF and row not in known and 0 <= row < len(bases):
        way.append(row)
        known[row] = False  # a circle, too
        table, number = decoded(bases[row], "TypeDefOrRef")
        row = number - 1
    if table == TYPE_DEF:
        answer = known.get(row, False)
    elif table == TYPE_REF and 0 <= row < tables.count(TYPE_REF):
        _, name, namespace = tables.row(TYPE_REF, row + 1)
        answer = _is_object(tables.text(namespace), tables.text(name))
    else:
        answer = False
    known.update(dict.fromkeys(way, answer))
    return answer


def _is_object(namespace: str, name: str) -> bool:
    """Whether a class of another assembly may derive from UnityEngine.Object."""
    return namespace.partition(".")[0] not in _NO_ENGINES and not name.partition("`")[0].endswith(_NO_OBJECTS)


def _other_kind(data: bytes) -> str:
    if not data.strip():
        return "empty"
    return "lfs-pointer" if is_lfs_pointer(data) else "other"
