"""Names of references into Unity's own resource files.

Their GUIDs are 31 zeros and one digit, the 17th: ``e`` for *unity default resources* (meshes, fonts, the skin), ``f``
for *unity_builtin_extra* (shaders, materials, sprites of the user interface) and ``d`` for *unity editor resources*,
whose ids are unlisted hashes: those are shown by id.
"""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

TITLES: Final = {
    "d": "unity editor resources",
    "e": "unity default resources",
    "f": "unity_builtin_extra",
}
"""The three files, by the digit of their GUID."""

_SCRIPT: Final = "MonoScript"
# Types of assets in many projects, which need no table; one that only Unity's own database names is not in it.
_FREQUENT_SCRIPTS: Final = {13312: "Tile", 12395: "GridPalette", 12001: "GUISkin", 12106: "TreeData"}
_ZEROS: Final = b"\0" * 8
# Filled on first use, without functools.cache, which a one-shot command does not import otherwise.
_TABLE: Final[dict[tuple[str, int], tuple[str, str, tuple[str, ...]]]] = {}


class BuiltIn(NamedTuple):
    """A built-in object.

    Attributes:
        file: ``d``, ``e`` or ``f``, as in the reference.
        class_name: ``Mesh``, ``Shader``, ... or ``""`` if the object is not known.
        name: its name in the newest version that has it, or ``""``.
        former: its names in other versions.
    """

    file: str
    class_name: str
    name: str
    former: tuple[str, ...]


def built_in_file(guid: bytes) -> str:
    """Return the built-in file with a GUID of 16 bytes, or ``""``."""
    if guid[:8] != _ZEROS or guid[9:] != _ZEROS[:7]:
        return ""
    digit = f"{guid[8]:02x}"
    return digit[0] if digit[0] in TITLES and digit[1] == "0" else ""


def _table() -> dict[tuple[str, int], tuple[str, str, tuple[str, ...]]]:
    if _TABLE:
        return _TABLE
    from assetdb.unity.engine.builtin_table import ROWS  # noqa: PLC0415 - 15 kB that few commands need

    table = {}
    for (class_name, file), rows in ROWS.items():
        for row in rows.strip().split("\n"):
            number, _, names = row.partition(" ")
            name, *former = names.split(" | ")
            table[file, int(number)] = class_name, name, tuple(former)
    _TABLE.update(table)
    return table


def built_in(guid: bytes, file_id: int) -> BuiltIn | None:
    """Return the built-in object of a reference, or None.

    An id that is not listed for its own file may be listed for the other: objects moved between the two over the
    versions and kept their ids (Sprites-Default, 10754). An object listed for neither has no class and name.
    """
    file = built_in_file(guid)
    if not file:
        return None
    if file != "d":
        table = _table()
        for candidate in (file, "f" if file == "e" else "e"):
            found = table.get((candidate, file_id))
            if found is not None:
                return BuiltIn(file, *found)
    return BuiltIn(file, "", "", ())


def engine_script(file_id: int) -> str:
    """Return the class of a script of engine or editor, or ``""``.

    Its reference has the GUID of "unity default resources", as the UIDocument (19102) of Pinpoint has.
    """
    known = _FREQUENT_SCRIPTS.get(file_id)
    if known is None:
        class_name, known, _ = _table().get(("e", file_id), ("", "", ()))
        known = known if class_name == _SCRIPT else ""
    return known


def is_engine_script(name: str) -> bool:
    """Whether a script of the engine or editor has a name."""
    return name in _FREQUENT_SCRIPTS.values() or (_SCRIPT, name) in built_in_names()


def built_in_names() -> frozenset[tuple[str, str]]:
    """Return class and name of Unity's own objects, copied into players."""
    return frozenset((kind, own) for kind, name, former in _table().values() for own in (name, *former))
