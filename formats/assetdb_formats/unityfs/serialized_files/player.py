"""A player's settings, read from objects of a stable layout.

Their beginning has not changed since Unity 5.5.

Only the fields named here are read; what follows them is left. Checked against the type trees of 5.5 to 6000.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unityfs.reader import BigEndianReader, UnityReader
from assetdb_formats.unityfs.serialized_files.tree_values import PPtr
from assetdb_formats.unityfs.types.layouts import program_for

if TYPE_CHECKING:
    from assetdb_formats.unityfs.types.layouts import Release

MONO_SCRIPT: Final = 115
PLAYER_SETTINGS: Final = 129
BUILD_SETTINGS: Final = 141
RESOURCE_MANAGER: Final = 147
NETWORK_MANAGER: Final = 149

_HASH: Final = 16
_SETTINGS_SINCE: Final = (5, 5)
_BEFORE_COMPANY: Final = 36  # product GUID, flags of Android, orientation, device, on-demand resources, accelerometer
_SMALLEST_ENTRY: Final = 16
_BEFORE_PREFABS: Final = 8  # level of messages, sends a second
_PREFAB: Final = _HASH + 12


class Script(NamedTuple):
    """The C# class that a MonoScript refers to."""

    assembly: str
    namespace: str
    name: str

    @property
    def full_name(self) -> str:
        """Namespace and name."""
        return f"{self.namespace}.{self.name}" if self.namespace else self.name


class Product(NamedTuple):
    """The company and the name of a player."""

    guid: str
    company: str
    name: str


def reader_of(data: bytes, *, big_endian: bool, base: int = 0) -> UnityReader:
    """Return a reader of an object's bytes."""
    return (BigEndianReader if big_endian else UnityReader)(data, base=base)


def _guid(reader: UnityReader, field: str) -> str:
    return "".join(f"{reader.u32(field):08x}"[::-1] for _ in range(4))


def read_script(reader: UnityReader) -> Script:
    """Read a MonoScript of Unity 5.0 or later. Raises UnityFSError."""
    reader.string("m_Name")
    reader.need(4 + _HASH, "m_PropertiesHash")
    name = reader.string("m_ClassName")
    namespace = reader.string("m_Namespace")
    return Script(reader.string("m_AssemblyName"), namespace, name)


def read_scenes(reader: UnityReader) -> tuple[str, ...]:
    """Read the scenes of BuildSettings, in build order."""
    count = reader.count(reader.i32("scenes"), 4, "scenes")
    return tuple(reader.string(f"scenes[{number}]") for number in range(count))


def read_product(reader: UnityReader, release: Release | None) -> Product | None:
    """Read the beginning of PlayerSettings; None for unknown layouts."""
    if release is None or release < _SETTINGS_SINCE:
        return None
    guid = _guid(reader, "productGUID")
    reader.need(_BEFORE_COMPANY - _HASH, "productGUID")
    return Product(guid, reader.string("companyName"), reader.string("productName"))


def read_resources(reader: UnityReader) -> tuple[tuple[str, PPtr], ...]:
    """Read ResourceManager's paths below ``Resources``, and the objects."""
    found = []
    for number in range(reader.count(reader.i32("m_Container"), _SMALLEST_ENTRY, "m_Container")):
        field = f"m_Container[{number}]"
        path = reader.string(field)
        found.append((path, PPtr(reader.i32(field), reader.i64(field))))
    return tuple(found)


def read_prefabs(reader: UnityReader, unity_version: str) -> tuple[tuple[str, PPtr], ...]:
    """Read NetworkManager's table of prefab GUIDs and GameObjects.

    All players of 5.0 to 2018.1 have it, even without networking; for others the result is empty. Raises UnityFSError.
    """
    if program_for(NETWORK_MANAGER, unity_version) is None:
        return ()
    reader.need(_BEFORE_PREFABS, "m_DebugLevel")
    found = []
    for number in range(reader.count(reader.i32("m_AssetToPrefab"), _PREFAB, "m_AssetToPrefab")):
        field = f"m_AssetToPrefab[{number}]"
        found.append((_guid(reader, field), PPtr(reader.i32(field), reader.i64(field))))
    if reader.position != reader.end:
        raise reader.error("has bytes behind its table", "m_AssetToPrefab")
    return tuple(found)
