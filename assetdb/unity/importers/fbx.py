"""A bounded reader of binary FBX, 6.1 to 7.7.

Layout: Blender's "FBX binary file format specification" (code.blender.org, 2013) and the files themselves. After a
27-byte header come nested node records; each has an end offset, a property count, the length of the property list, a
name, the properties and then its child records. Up to 7.4 the three numbers have 32 bits, from 7.5 on 64. Only the
properties with names in the direct children of ``Objects``, ``Connections`` and ``Takes`` are read: geometry, which is
nearly all of a file, is skipped by its end offset, and no array is decompressed.

7.x identifies objects by number. 6.x identifies and connects them by name, and has the geometry in its Model; such
objects get numbers here in the order of the file, so that both versions have the same form.
"""

from __future__ import annotations

from struct import Struct

from assetdb.unity.kinds import BYTE_ORDER_MARK, is_lfs_pointer
from assetdb_formats.binary import FormatError
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from mmap import mmap
    from typing import Final

MAGIC: Final = b"Kaydara FBX Binary  \x00\x1a\x00"
ROOT: Final = 0
"""The id of the scene's root, which is not an object of the file."""

_HEADER_SIZE: Final = 27
_VERSION: Final = Struct("<I")
_RECORD_32: Final = Struct("<IIIB")
_RECORD_64: Final = Struct("<QQQB")
# A whole connection of objects by number, as nearly all are: ``C: "OO", child, parent``; a connection of a property
# has its name behind them. Most records of an animated model are connections.
_LINK_32: Final = Struct("<IIIBssI2ssqsq")
_LINK_64: Final = Struct("<QQQBssI2ssqsq")
_LINK_PROPERTIES: Final = 25
_LINK_COUNT: Final = 3
_I64: Final = Struct("<q")
_U32: Final = Struct("<I")
_STRING: Final = 0x53
_LONG: Final = 0x4C

# The object records that are read; most are others, above all AnimationCurve.
KINDS: Final = frozenset(
    (b"Model", b"Geometry", b"Material", b"Texture", b"AnimationStack", b"NodeAttribute", b"Deformer"),
)
_CURVES: Final = b"AnimationCurve"
_FILES: Final = frozenset((b"FileName", b"RelativeFilename"))
_LINKS: Final = frozenset((b"OO", b"OP"))
DIFFUSE: Final = b"DiffuseColor"
_NAME_LIMIT: Final = 65_536


class FbxObject(NamedTuple):
    """One object of the file.

    Attributes:
        id: 7.x: the file's own; 6.x: its number among the objects read, from 1.
        kind: ``Model``, ``Geometry``, ``Material``, ``Texture``, ``AnimationStack``, ``NodeAttribute`` or ``Deformer``.
        name: without its class, UTF-8; what is not UTF-8 is replaced.
        subclass: the record's last property: ``Mesh``, ``LimbNode``, ``Camera``, ``Light``, ``Skin``, ...
        geometry: whether the record itself has vertices: in 6.x a Model contains its geometry.
        file: path of a Texture's image, as the file has it.
    """

    id: int
    kind: str
    name: str
    subclass: str
    geometry: bool = False
    file: str = ""


class FbxScene(NamedTuple):
    """The objects of a binary FBX.

    Attributes:
        version: 6100 to 7700.
        objects: objects of the kinds above, in the order of the file.
        connections: ``(child id, parent id)`` of connections between these objects and ``ROOT``, in the order of the
            file, which is the order of children.
        diffuse: ``(texture id, material id)`` of each texture that colours a material; 6.x has no such pairs, there a
            texture hangs from the Model.
        takes: names of the ``Takes`` section; for 6.x they are the animation clips.
        animated: whether something has animation curves; Unity makes no clip of an empty take.
        drops_root: whether a single root node is the root of the model; of a Wavefront .obj it is the root's child.
    """

    version: int
    objects: tuple[FbxObject, ...]
    connections: tuple[tuple[int, int], ...]
    takes: tuple[str, ...]
    diffuse: tuple[tuple[int, int], ...] = ()
    animated: bool = False
    drops_root: bool = True


class NotBinaryFbx(NamedTuple):
    """Bytes of another kind: ``ascii``, ``empty``, ``lfs-pointer`` or ``other``."""

    kind: str


def read_fbx(data: bytes | memoryview | mmap) -> FbxScene | NotBinaryFbx:
    """Return the objects of a binary FBX, or the other kind.

    Of a memory-mapped file only the pages with records are read, not the geometry between them.

    Raises:
        FormatError: the bytes start as a binary FBX and are damaged, or the version is not one of 6.0 to 7.x.
    """
    if bytes(data[: len(MAGIC)]) != MAGIC:
        return NotBinaryFbx(_other_kind(bytes(data[:1024])))
    if len(data) < _HEADER_SIZE:
        raise FormatError("ends within its header", offset=len(data), field="version")
    version: int = _VERSION.unpack_from(data, len(MAGIC))[0]
    if not 6000 <= version < 8000:
        raise FormatError(f"has version {version}, known are 6000 to 7999", offset=len(MAGIC), field="version")
    return _Parser(data, version).scene()


def _other_kind(start: bytes) -> str:
    text = start.removeprefix(BYTE_ORDER_MARK).lstrip()
    if not text:
        return "empty"
    if is_lfs_pointer(text):
        return "lfs-pointer"
    if text.startswith((b"; FBX", b";FBX")) or b"FBXHeaderExtension" in text:
        return "ascii"
    return "other"


class _Record(NamedTuple):
    name: bytes
    properties: int  # offset of the first
    property_count: int
    children: int  # offset after the last
    end: int


class _Parser:
    """One pass over the records of a file."""

    def __init__(self, data: bytes | memoryview | mmap, version: int) -> None:
        self.data = data
        self.version = version
        self.named = version < 7000
        self.record = _RECORD_64 if version >= 7500 else _RECORD_32
        self.objects: list[FbxObject] = []
        self.connections: list[tuple[int, int]] = []
        self.takes: list[str] = []
        self.ids: dict[bytes, int] = {}  # 6.x: name with class -> id
        self.kept: set[int] = {ROOT}
        self.diffuse: list[tuple[int, int]] = []
        self.animated = False

    def scene(self) -> FbxScene:
        connections: list[_Record] = []
        # The footer after the closing null record is free-form; the top level ends at that record or with the data.
        for record in self.records(_HEADER_SIZE, len(self.data), "top level"):
            if record.name == b"Objects":
                self.read_objects(record)
            elif record.name == b"Connections":
                connections.append(record)
            elif record.name == b"Takes":
                self.read_takes(record)
        for record in connections:
            self.read_connections(record)
        lists = tuple(self.objects), tuple(self.connections), tuple(self.takes), tuple(self.diffuse)
        return FbxScene(self.version, *lists, self.animated)

    def records(self, position: int, end: int, field: str, wanted: Container[bytes] | None = None) -> Iterator[_Record]:
        """Yield the records of a list, which a null record may close.

        Records of other names are passed over if ``wanted`` is given.
        """
        record = self.record
        while position != end:
            if end - position < record.size:
                what = f"a record needs {record.size} bytes, {end - position} are left"
                raise FormatError(what, offset=position, field=field)
            record_end, count, length, name_length = record.unpack_from(self.data, position)
            if record_end == 0:
                if count or length or name_length:
                    raise FormatError("a closing record is not empty", offset=position, field=field)
                return
            name_start = position + record.size
            properties = name_start + name_length
            children = properties + length
            if not children <= record_end <= end:
                what = f"a record ends at {record_end}, outside {children}..{end}"
                raise FormatError(what, offset=position, field=field)
            if count > length:
                raise FormatError(f"counts {count} properties in {length} bytes", offset=position, field=field)
            name = bytes(self.data[name_start:properties])
            if wanted is None or name in wanted:
                yield _Record(name, properties, count, children, record_end)
            position = record_end

    def string(self, position: int, end: int, field: str) -> tuple[bytes, int]:
        """Read a string property; return it and its end."""
        data = self.data
        if end - position < 5:
            raise FormatError("ends within a property", offset=position, field=field)
        if data[position] != _STRING:
            raise FormatError(f"has a property of type {data[position]:#x} for a string", offset=position, field=field)
        length: int = _U32.unpack_from(data, position + 1)[0]
        start = position + 5
        if length > end - start or length > _NAME_LIMIT:
            raise FormatError(f"a string of {length} bytes, {end - start} are left", offset=position, field=field)
        return bytes(data[start : start + length]), start + length

    def number(self, position: int, end: int, field: str) -> tuple[int, int]:
        """Read a 64-bit property; return it and its end."""
        if end - position < 9:
            raise FormatError("ends within a property", offset=position, field=field)
        if self.data[position] != _LONG:
            raise FormatError(
                f"has a property of type {self.data[position]:#x} for an id", offset=position, field=field
            )
        value: int = _I64.unpack_from(self.data, position + 1)[0]
        return value, position + 9

    def read_objects(self, objects: _Record) -> None:
        wanted = {*KINDS, _CURVES}
        for record in self.records(objects.children, objects.end, "Objects", wanted):
            if record.name == _CURVES:
                self.animated = True
                wanted.discard(_CURVES)  # a model has thousands
            else:
                self.read_object(record)

    def read_object(self, record: _Record) -> None:
        kind = record.name.decode()
        field = f"Objects.{kind}"
        position = record.properties
        end = record.children
        if record.property_count < (2 if self.named else 3):
            raise FormatError(f"has {record.property_count} properties", offset=position, field=field)
        if self.named:
            full, position = self.string(position, end, f"{field}.name")
            number = len(self.objects) + 1
            self.ids.setdefault(full, number)
        else:
            number, position = self.number(position, end, f"{field}.id")
            full, position = self.string(position, end, f"{field}.name")
        subclass, position = self.string(position, end, f"{field}.subclass")
        self.kept.add(number)
        name = without_class(full)
        geometry = self.named and kind == "Model" and self.has_vertices(record)
        file = self.texture_file(record) if kind == "Texture" else ""
        self.objects.append(FbxObject(number, kind, name, subclass.decode(errors="replace"), geometry, file))

    def has_vertices(self, model: _Record) -> bool:
        return any(record.name == b"Vertices" for record in self.records(model.children, model.end, "Objects.Model"))

    def texture_file(self, texture: _Record) -> str:
        """Return the path of a texture's image, ``""`` if it has none."""
        found = ""
        for record in self.records(texture.children, texture.end, "Objects.Texture"):
            # A file without paths is whole, so neither their absence nor another type is damage.
            if (
                record.name in _FILES
                and record.children > record.properties
                and self.data[record.properties] == _STRING
            ):
                name, _ = self.string(record.properties, record.children, "Objects.Texture.file")
                found = name.decode(errors="replace") or found
        return found

    def read_connections(self, connections: _Record) -> None:
        position, end = connections.children, connections.end
        while position != end:
            record_end = self.read_link(position, end) if not self.named else 0
            if not record_end:
                record = next(self.records(position, end, "Connections"), None)
                if record is None:
                    return
                self.read_connection(record)
                record_end = record.end
            position = record_end

    def read_link(self, position: int, end: int) -> int:
        """Read a connection by number; return its end.

        0 if it is another record, or damaged.
        """
        link = _LINK_64 if self.version >= 7500 else _LINK_32
        if end - position < link.size:
            return 0
        record_end, count, length, name_length, name, string, size, kind, first, child, second, parent = (
            link.unpack_from(self.data, position)
        )
        properties_end = position + link.size - _LINK_PROPERTIES + length
        is_sound = length >= _LINK_PROPERTIES and _LINK_COUNT <= count <= length and properties_end <= record_end <= end
        if (name_length, name, string, size, first, second) != (1, b"C", b"S", 2, b"L", b"L") or not is_sound:
            return 0
        if kind in _LINKS and child in self.kept and parent in self.kept:
            self.connect((child, parent), kind, count, position + link.size, properties_end)
        return int(record_end)

    def read_connection(self, record: _Record) -> None:
        """Read a connection of any form."""
        if record.name != (b"Connect" if self.named else b"C") or record.property_count < _LINK_COUNT:
            return
        kept, end = self.kept, record.children
        kind, at = self.string(record.properties, end, "Connections.type")
        if kind not in _LINKS:
            return
        if self.named:
            child_name, at = self.string(at, end, "Connections.child")
            parent_name, at = self.string(at, end, "Connections.parent")
            child = self.ids.get(child_name, -1)
            parent = ROOT if is_scene_name(parent_name) else self.ids.get(parent_name, -1)
        else:
            child, at = self.number(at, end, "Connections.child")
            parent, at = self.number(at, end, "Connections.parent")
        if child in kept and parent in kept:
            self.connect((child, parent), kind, record.property_count, at, end)

    def connect(self, pair: tuple[int, int], kind: bytes, count: int, at: int, end: int) -> None:
        """Take a connection of two kept objects, or of a property.

        Args:
            pair: child and parent.
            kind: type of the connection.
            count: number of the connection's values.
            at: offset of the property's name, if the connection has one.
            end: offset behind the values.
        """
        if kind == b"OO":
            self.connections.append(pair)
        elif count > _LINK_COUNT and self.string(at, end, "Connections.property")[0] == DIFFUSE:
            self.diffuse.append(pair)

    def read_takes(self, takes: _Record) -> None:
        for record in self.records(takes.children, takes.end, "Takes"):
            if record.name == b"Take" and record.property_count:
                name, _ = self.string(record.properties, record.children, "Takes.Take")
                self.takes.append(name.decode(errors="replace"))
                # 6.x has the curves of each Model here.
                self.animated = self.animated or any(
                    part.name == b"Model" for part in self.records(record.children, record.end, "Takes.Take")
                )


def without_class(full: bytes) -> str:
    """Return a name without its class, before NUL 1 or after ``::``."""
    name, separator, _ = full.partition(b"\x00\x01")
    if not separator:
        _, separator, rest = full.partition(b"::")
        name = rest if separator else full
    return name.decode(errors="replace")


def is_scene_name(full: bytes) -> bool:
    """Whether a parent in version 6 is the root of the scene."""
    return full in {b"Scene\x00\x01Model", b"RootNode\x00\x01Model", b"Model::Scene", b"Model::RootNode"}
