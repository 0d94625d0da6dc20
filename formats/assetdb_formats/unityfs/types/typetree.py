"""Type trees: the layout of a class, field by field.

::

    versions 5 to 9 and 11: node by node, depth first: z type, z name, i32 size, i32 index, i32 is array, i32 version,
        i32 meta flags, i32 number of children
    10 and 12 on: u32 n, u32 bytes of strings, n x {i16 version, u8 level, u8 type flags, u32 type, u32 name,
        i32 size, i32 index, i32 meta flags, (19 on) u64 hash}, the strings
    23: "mhtt", i32 version, then as from 12 on

A name is a place in the strings, or (bit 31) in :data:`COMMON_STRINGS`.
"""

from __future__ import annotations

from struct import Struct

from assetdb_formats.records import NamedTuple
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.reader import BigEndianReader, UnityReader

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final

_ALIGN: Final = 0x4000
_COMMON: Final = 0x80000000
_SMALLEST_NODE: Final = 26  # two empty strings and six numbers
DEEPEST: Final = 255  # a level is one byte; the trees of versions 5 to 9 and 11 are held to that limit


# In Unity's order: a string's offset is the length of all before it, with a zero byte after each.
# The last ones came with later releases; the table only ever grew at its end.
_IN_ORDER: Final = """
AABB|AnimationClip|AnimationCurve|AnimationState|Array|Base|BitField|bitset|bool|char|ColorRGBA|Component|data|deque
|double|dynamic_array|FastPropertyName|first|float|Font|GameObject|Generic Mono|GradientNEW|GUID|GUIStyle|int|list
|long long|map|Matrix4x4f|MdFour|MonoBehaviour|MonoScript|m_ByteSize|m_Curve|m_EditorClassIdentifier
|m_EditorHideFlags|m_Enabled|m_ExtensionPtr|m_GameObject|m_Index|m_IsArray|m_IsStatic|m_MetaFlag|m_Name
|m_ObjectHideFlags|m_PrefabInternal|m_PrefabParentObject|m_Script|m_StaticEditorFlags|m_Type|m_Version|Object|pair
|PPtr<Component>|PPtr<GameObject>|PPtr<Material>|PPtr<MonoBehaviour>|PPtr<MonoScript>|PPtr<Object>|PPtr<Prefab>
|PPtr<Sprite>|PPtr<TextAsset>|PPtr<Texture>|PPtr<Texture2D>|PPtr<Transform>|Prefab|Quaternionf|Rectf|RectInt
|RectOffset|second|set|short|size|SInt16|SInt32|SInt64|SInt8|staticvector|string|TextAsset|TextMesh|Texture
|Texture2D|Transform|TypelessData|UInt16|UInt32|UInt64|UInt8|unsigned int|unsigned long long|unsigned short|vector
|Vector2f|Vector3f|Vector4f|m_ScriptingClassIdentifier|Gradient|Type*|int2_storage|int3_storage|BoundsInt
|m_CorrespondingSourceObject|m_PrefabInstance|m_PrefabAsset|FileSize|Hash128|RenderingLayerMask|fixed_array|EntityId
|LoadableObjectId|LoadableSceneId
"""


def _table() -> dict[int, str]:
    places = {}
    place = 0
    for text in _IN_ORDER.replace("\n", "").split("|"):
        places[place] = text
        place += len(text) + 1
    return places


COMMON_STRINGS: Final = _table()
"""Place in the table -> string."""


class TreeNode(NamedTuple):
    """A field of a class; its own fields follow, one level deeper.

    Attributes:
        level: 0 for the class itself.
        type_name: of Unity's, ``string``, ``PPtr<Material>``, ``vector``, ``SInt64`` and the like.
        size: in bytes, or -1 where it varies.
        aligned: whether it is followed by zeros up to a multiple of 4.
    """

    level: int
    type_name: str
    name: str
    size: int
    aligned: bool


TypeTree = tuple[TreeNode, ...]
"""Depth first; never empty, and the first node is the class."""


def parse_lines(lines: Iterable[str], level: int = 0) -> Iterator[TreeNode]:
    """Yield a layout's nodes: indented ``type name`` lines, ``!`` if aligned."""
    for line in lines:
        text = line.lstrip(" ")
        type_name, _, name = text.rstrip("!").rpartition(" ")
        yield TreeNode(level + len(line) - len(text), type_name, name, -1, aligned=text.endswith("!"))


def _blob(version: int) -> bool:
    return version >= 12 or version == 10


def _row(version: int) -> str:
    return "hBBIIiii8x" if version >= 19 else "hBBIIiii"


def skip_tree(reader: UnityReader, version: int, field: str) -> None:
    """Move past a tree without reading it: an object table needs none."""
    if _blob(version):
        nodes = reader.u32(field)
        strings = reader.u32(field)
        reader.need(nodes * (32 if version >= 19 else 24) + strings, field)
    else:
        for _ in _nodes(reader, field):
            pass


def read_tree(blob: bytes, version: int, *, big_endian: bool, base: int) -> TypeTree:
    """Decode the bytes that :func:`skip_tree` moves past.

    ``base`` is added to the offsets in errors.

    Raises:
        UnityFSError: a level is skipped, a string has no valid offset, or bytes are left over.
    """
    reader = (BigEndianReader if big_endian else UnityReader)(blob, base=base)
    nodes = tuple(_blob_nodes(reader, version) if _blob(version) else _nodes(reader, "tree"))
    if reader.left:
        raise reader.error(f"{reader.left} bytes are left over", "tree")
    if not nodes or nodes[0].level:
        raise reader.error("a tree without a root", "tree", offset=0)
    before = 0
    for number, node in enumerate(nodes[1:], 1):
        if not 1 <= node.level <= before + 1:
            raise UnityFSError(f"level {node.level} after level {before}", offset=base, field=f"tree.nodes[{number}]")
        before = node.level
    return nodes


def _blob_nodes(reader: UnityReader, version: int) -> Iterator[TreeNode]:
    if version >= 23:
        if reader.take(4, "tree.magic") != b"mhtt":
            raise reader.error("the type tree does not begin with 'mhtt'", "tree.magic", offset=0)
        reader.need(4, "tree.version")
    row = Struct(reader.order + _row(version))
    count = reader.count(reader.u32("tree.nodes"), row.size, "tree.nodes")
    strings_size = reader.u32("tree.strings")
    rows = reader.take(count * row.size, "tree.nodes")
    strings = reader.take(strings_size, "tree.strings")
    names: dict[int, str] = {}
    budget = 4 * strings_size + 65_536  # characters: names that begin within each other could expand to gigabytes
    for _, level, _, type_place, name_place, size, _, flags in row.iter_unpack(rows):
        for place in (type_place, name_place):
            if place not in names:
                name = names[place] = _string(strings, place, reader)
                budget -= len(name)
                if budget < 0:
                    raise reader.error("names overlap without end", "tree.strings", offset=0)
        yield TreeNode(level, names[type_place], names[name_place], size, bool(flags & _ALIGN))


def _string(strings: bytes, place: int, reader: UnityReader) -> str:
    if place & _COMMON:
        # A name that a later Unity added to its table: the field still reads, under its number.
        return COMMON_STRINGS.get(place & ~_COMMON, f"#{place & ~_COMMON}")
    end = strings.find(b"\0", place)
    if end < 0:
        raise reader.error(f"a name at {place} of {len(strings)} bytes of strings", "tree.strings", offset=0)
    return strings[place:end].decode("utf-8", "surrogateescape")


def _nodes(reader: UnityReader, field: str) -> Iterator[TreeNode]:
    open_children = [1]  # how many nodes are still to come on each level
    while open_children:
        if not open_children[-1]:
            open_children.pop()
            continue
        open_children[-1] -= 1
        level = len(open_children) - 1
        if level > DEEPEST:
            raise reader.error(f"a type tree deeper than {DEEPEST} levels", field)
        type_name = reader.text(field)
        name = reader.text(field)
        size = reader.i32(field)
        reader.need(12, field)  # index, is array, version
        flags = reader.i32(field)
        children = reader.count(reader.i32(field), _SMALLEST_NODE, field)
        yield TreeNode(level, type_name, name, size, bool(flags & _ALIGN))
        open_children.append(children)
