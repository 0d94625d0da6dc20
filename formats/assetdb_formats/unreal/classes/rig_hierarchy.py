"""The body of a RigHierarchy: bones, controls and curves.

From Control Rig version 33 on the elements are an archive of their own inside the body, with its own list of names and
compressed with Oodle. An element is read only to know where the next one starts: its key and its parents are kept, its
transforms are passed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb_formats.unreal.errors import MissingExtraError
from assetdb_formats.unreal.packages.names import TableReader

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.unreal.codecs.compression import OodleDecoder
    from assetdb_formats.unreal.packages.summary import Summary
    from assetdb_formats.unreal.reader import Reader

CONTROL_RIG: Final = "A7820CFB20A743598C542C149623CF50"

# Versions of Control Rig's data (its custom version), as public readers name them.
_HIERARCHY: Final = 7
_CONSTRAINT_WEIGHTS: Final = 8
_SPACE_FAVOURITES: Final = 9
_LIMITS_AS_FLOATS: Final = 10
_LIMITS_BY_CHANNEL: Final = 13
_NO_PARENT_CACHE: Final = 14
_CURVE_VALUE_STATE: Final = 16
_ANIMATION_TYPE: Final = 17
_PREFERRED_ANGLES: Final = 19
_ELEMENT_METADATA: Final = 20
_SPACE_SWITCHING: Final = 22
_CHANNEL_FILTER: Final = 23
_PREVIOUS_NAMES: Final = 25
_ROTATION_ORDER: Final = 26
_ROTATION_ORDER_FLAG: Final = 27
_HIERARCHY_METADATA: Final = 28
_CONNECTOR_TYPE: Final = 29
_KEYS_FIRST: Final = 32
_COMPRESSED: Final = 33
_COMPONENTS: Final = 34
_COMPACT_TRANSFORMS: Final = 35
_ARRAY_CONNECTORS: Final = 36
_CONSTRAINT_LABELS: Final = 37
_HIERARCHY_KEYS: Final = 38
_POST_CONSTRUCTION: Final = 39

_LARGEST: Final = 16 << 20  # bytes of elements: a rig of 300 bones has 13 kB
_COMPACT_SIZES: Final = (0, 4, 12, 16, 20, 28, 12, 16, 24, 28, 32, 40)  # by representation; 12 is a whole transform
_NONE: Final = "None"
_SINGLE_PARENT: Final = frozenset({"Bone", "RigidBody", "Physics", "Reference", "Socket"})
_MULTI_PARENT: Final = frozenset({"Null", "Space", "Control"})
# A value of element metadata, by its type: bytes (flag, float, integer, colour), or numbers of a transform's kind.
_METADATA_BYTES: Final = {0: 4, 1: 4, 2: 4, 8: 16}
_METADATA_REALS: Final = {4: 3, 5: 3, 6: 4, 7: 10}
_METADATA_NAME: Final = 3
_METADATA_KEY: Final = 9


class _Settings(NamedTuple):
    """The transforms of its elements that a hierarchy stores."""

    version: int
    compressed: bool
    local: bool
    world: bool
    initial: bool
    current: bool


class _Elements(TableReader):
    """A reader of elements with the package's or the archive's names."""

    __slots__ = ("_own", "real_size")

    def __init__(self, data: bytes, end: int, names: list[str], *, own: bool, real_size: int) -> None:
        super().__init__(data, 0, "elements", names)
        self.end = end
        self._own = own
        self.real_size = real_size  # bytes of a number in a transform: 8 since large worlds

    def name(self, field: str) -> str:
        if not self._own:
            return super().name(field)
        index = self.i32(field)
        if not 0 <= index < len(self.names):
            raise self.error(f"names number {index} of {len(self.names)}", field)
        return self.names[index]

    def key(self, field: str) -> tuple[str, str]:
        """Read (type, name) of an element."""
        return self.name(field).rpartition("::")[2], self.name(field)


def read_rig_hierarchy(
    data: bytes, end: int, names: list[str], summary: Summary, oodle: OodleDecoder | None
) -> tuple[dict[str, Any], int]:
    """Read the body of a RigHierarchy.

    Returns:
        The elements with their parents (or why they stay compressed), and the offset after the body.
    """
    version = summary.custom_version(CONTROL_RIG)
    real_size = 8 if summary.version.ue5 >= 1004 else 4
    reader = _Elements(data, end, names, own=False, real_size=real_size)
    if version < _HIERARCHY:
        raise reader.error(f"Control Rig version {version} wrote no hierarchy like this", "hierarchy")
    settings = _Settings(version, compressed=False, local=True, world=True, initial=True, current=True)
    if version >= _COMPACT_TRANSFORMS:
        written = reader.i32("settings")
        _, compressed, _, local, world, initial, current = (_flag(reader, "settings") for _ in range(7))
        reader.take(4, "settings")  # the phase that it was in
        settings = _Settings(written, compressed, local, world, initial, current)
    elif version >= _COMPRESSED:
        settings = settings._replace(compressed=_flag(reader, "settings"))
    if not settings.compressed:
        return _read_elements(reader, version, settings), reader.position
    own_names = [reader.name("names") for _ in reader.items(8, "names")]
    size = reader.u32("elements")
    packed = _flag(reader, "elements")
    blob = reader.take(reader.count(reader.i32("elements"), 1, "elements"), "elements")
    if packed:
        if size > _LARGEST:
            raise reader.error(f"{size} bytes of elements; at most {_LARGEST} are read", "elements")
        if oodle is None:
            return {"names": own_names, "elements_not_read": "compressed with Oodle"}, reader.position
        try:
            blob = oodle.decompress(blob, size)
        except MissingExtraError as error:
            return {"names": own_names, "elements_not_read": error.what}, reader.position
    inner = _Elements(blob, len(blob), own_names, own=True, real_size=real_size)
    found = _read_elements(inner, version, settings)
    if inner.left:
        raise inner.error(f"{inner.left} bytes are left behind the elements", "elements")
    return found, reader.position


def _flag(reader: Reader, field: str) -> bool:
    value = reader.i32(field)
    if value not in {0, 1}:
        raise reader.error(f"a flag of {value}", field)
    return value == 1


def _read_elements(reader: _Elements, version: int, settings: _Settings) -> dict[str, Any]:
    elements: list[dict[str, Any]] = []
    counts: list[int] = []  # parents of each, where an element may have several

    def load(element: dict[str, Any]) -> None:
        kind = element["type"]
        counts.append(_read_static(reader, kind, version, settings))

    for _ in reader.items(8, "elements"):
        kind, name = reader.key("elements")
        elements.append({"type": kind, "name": name})
        if version < _KEYS_FIRST:
            load(elements[-1])
    if version >= _KEYS_FIRST:
        for element in elements:
            load(element)
    for element, count in zip(elements, counts, strict=True):
        field = f"elements {element['name']}"
        if element["type"] in _SINGLE_PARENT:
            _, parent = reader.key(field)
            if parent != _NONE:
                element["parent"] = parent
        elif element["type"] in _MULTI_PARENT:
            parents = []
            for _ in range(count):
                parents.append(reader.key(field)[1])
                reader.take(24 if version >= _CONSTRAINT_WEIGHTS else 8, field)
                if version >= _CONSTRAINT_LABELS:
                    reader.name(field)
            if parents:
                element["parents"] = parents
    found: dict[str, Any] = {"elements": elements}
    if version >= _PREVIOUS_NAMES:
        read_key: Callable[[str], object] = reader.key if version < _HIERARCHY_KEYS else lambda f: _any_key(reader, f)
        for what in ("previous_names", "previous_parents"):
            pairs = [(read_key(what), read_key(what)) for _ in reader.items(8, what)]
            if pairs:
                found[what] = pairs
    if version >= _HIERARCHY_METADATA:
        metadata = {}
        for _ in reader.items(8, "metadata"):
            kind, name = reader.key("metadata")
            entries = {}
            for _ in reader.items(9, "metadata"):
                label = reader.name("metadata")
                reader.name("metadata")  # the type once more, as a name
                reader.name("metadata")
                entries[label] = _metadata_value(reader, reader.u8("metadata"))
            metadata[f"{kind} {name}"] = entries
        if metadata:
            found["metadata"] = metadata
    if version >= _COMPONENTS:
        components = reader.i32("components")
        if components:
            raise reader.error(f"{components} components, whose layout is not known", "components")
    return found


def _any_key(reader: _Elements, field: str) -> tuple[str, ...]:
    found: tuple[str, ...] = ()
    if _flag(reader, field):
        found = reader.key(field)
    if _flag(reader, field):  # a component: its element, and its name
        found = (*reader.key(field), reader.name(field))
    return found


def _read_static(reader: _Elements, kind: str, version: int, settings: _Settings) -> int:
    """Skip an element's static part; return its number of parents."""
    field = f"{kind} element"
    reader.key(field)
    if _ELEMENT_METADATA <= version < _HIERARCHY_METADATA:
        for _ in reader.items(16, field):
            reader.name(field)
            by_name = reader.name(field).rpartition("::")[2]
            raise reader.error(f"metadata of type {by_name} in an element, whose layout is not known", field)
    parents = 0
    if kind in _SINGLE_PARENT or kind in _MULTI_PARENT:
        _pass_pose(reader, field, settings)
    if kind in _MULTI_PARENT:
        if version < _NO_PARENT_CACHE:
            _pass_pose(reader, field, settings)
        parents = reader.count(reader.i32(field), 4, field)
    if kind == "Bone":
        reader.name(field)
    elif kind == "Control":
        _pass_control(reader, version, settings)
    elif kind == "Curve":
        if version >= _CURVE_VALUE_STATE:
            _flag(reader, field)
        reader.f32(field)
    elif kind in {"RigidBody", "Physics"}:
        reader.f32(field)
    elif kind == "Connector":
        reader.string(field)
        if version >= _CONNECTOR_TYPE:
            reader.u8(field)
            _flag(reader, field)
        for since in (_ARRAY_CONNECTORS, _POST_CONSTRUCTION):
            if version >= since:
                _flag(reader, field)
        for _ in reader.items(8, field):
            reader.string(field)
            reader.string(field)
    return parents


def _pass_pose(reader: _Elements, field: str, settings: _Settings) -> None:
    for written in (settings.current, settings.initial):
        if not written:
            continue
        for space in (settings.local, settings.world):
            if not space:
                continue
            if settings.version < _COMPACT_TRANSFORMS:
                reader.take(10 * reader.real_size, field)
                _flag(reader, field)
            elif not _flag(reader, field):  # not dirty: it is there
                _pass_compact(reader, field)


def _pass_compact(reader: _Elements, field: str) -> None:
    representation = reader.u8(field)
    if representation > len(_COMPACT_SIZES):
        raise reader.error(f"a transform of representation {representation}", field)
    compact = representation < len(_COMPACT_SIZES)
    reader.take(_COMPACT_SIZES[representation] if compact else 10 * reader.real_size, field)


def _pass_control(reader: _Elements, version: int, settings: _Settings) -> None:
    """Skip the settings of a control: movable axes, limits and shape."""
    field = "Control element"
    for _ in range(4 if version >= _ANIMATION_TYPE else 3):  # animation type, control type, label, axis
        reader.name(field)
    _flag(reader, field)
    if version < _ANIMATION_TYPE:
        _flag(reader, field)
    if version < _LIMITS_BY_CHANNEL:
        for _ in range(3):
            _flag(reader, field)
    else:
        for _ in reader.items(8, field):
            _flag(reader, field)
            _flag(reader, field)
    _flag(reader, field)
    reader.take(2 * (128 if version >= _LIMITS_AS_FLOATS else 10 * reader.real_size), field)
    if version < _ANIMATION_TYPE:
        _flag(reader, field)
    _flag(reader, field)
    if version >= _ANIMATION_TYPE:
        reader.name(field)
    reader.name(field)
    reader.take(16, field)  # the shape's colour
    _flag(reader, field)
    reader.string(field)
    if version >= _SPACE_FAVOURITES:
        for _ in reader.items(8, field):
            reader.key(field)
            if version >= _CONSTRAINT_LABELS:
                reader.name(field)
    if version >= _ANIMATION_TYPE:
        for _ in reader.items(8, field):
            reader.key(field)
        _flag(reader, field)
    if version >= _SPACE_SWITCHING:
        _flag(reader, field)
    if version >= _CHANNEL_FILTER:
        reader.take(len(reader.items(1, field)), field)
    if version >= _ROTATION_ORDER:
        reader.u8(field)
    if version >= _ROTATION_ORDER_FLAG:
        _flag(reader, field)
    for _ in range(2):
        _pass_pose(reader, field, settings)
    if version >= _PREFERRED_ANGLES:
        reader.name(field)
        reader.take(6 * reader.real_size, field)


def _metadata_value(reader: _Elements, kind: int) -> object:
    """Read a metadata value; odd types are arrays of the one before."""
    single, is_array = divmod(kind, 2)
    size = _METADATA_BYTES.get(single, _METADATA_REALS.get(single, 0) * reader.real_size)
    if not size and single not in {_METADATA_NAME, _METADATA_KEY}:
        raise reader.error(f"metadata of type {kind}", "metadata")
    values: list[object] = []
    for _ in range(len(reader.items(max(size, 4), "metadata")) if is_array else 1):
        if single == _METADATA_NAME:
            values.append(reader.name("metadata"))
        elif single == _METADATA_KEY:
            values.append(reader.key("metadata"))
        else:
            values.append(reader.take(size, "metadata"))
    return values if is_array else values[0]
