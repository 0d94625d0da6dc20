"""Writes UnityFS bundles and SerializedFiles of every version and compression, for the tests and the fuzz run."""

from __future__ import annotations

import lzma
from hashlib import md5
from importlib import import_module
from struct import pack
from typing import NamedTuple

from assetdb_formats.unityfs.types.typetree import COMMON_STRINGS

lz4 = import_module("lz4.block")

STRING = (" Array Array", "  int size", "  char data")


def within(level: int, lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(" " * level + line for line in lines)


TEXT_ASSET_TREE = (
    "TextAsset Base",
    " string m_Name",
    *within(1, STRING),
    " string m_Script",
    *within(1, STRING),
)
POINTER = (" int m_FileID", " SInt64 m_PathID")
ASSET_INFO = (" int preloadIndex", " int preloadSize", " PPtr<Object> asset", *within(1, POINTER))
ASSET_BUNDLE_TREE = (
    "AssetBundle Base",
    " string m_Name",
    *within(1, STRING),
    " vector m_PreloadTable",
    "  Array Array",
    "   int size",
    "   PPtr<Object> data",
    *within(3, POINTER),
    " map m_Container",
    "  Array Array",
    "   int size",
    "   pair data",
    "    string first",
    *within(4, STRING),
    "    AssetInfo second",
    *within(4, ASSET_INFO),
    " AssetInfo m_MainAsset",
    *within(1, ASSET_INFO),
    " unsigned int m_RuntimeCompatibility",
    " string m_AssetBundleName",
    *within(1, STRING),
    " vector m_Dependencies",
    "  Array Array",
    "   int size",
    "   string data",
    *within(3, STRING),
    " bool m_IsStreamedSceneAssetBundle!",
)
SCRIPT_TREE = (
    "MonoBehaviour Base",
    " PPtr<GameObject> m_GameObject",
    *within(1, POINTER),
    " UInt8 m_Enabled!",
    " PPtr<MonoScript> m_Script",
    *within(1, POINTER),
    " string m_Name",
    *within(1, STRING),
    " vector numbers",
    "  Array Array",
    "   int size",
    "   float data",
    " vector bytes",
    "  Array Array!",
    "   int size",
    "   UInt8 data",
    " vector points",
    "  Array Array",
    "   int size",
    "   Vector2f data",
    "    float x",
    "    float y",
    " TypelessData blob!",
    "  int size",
    "  UInt8 data",
    " ManagedReferencesRegistry references",
    "  int version",
    "  vector RefIds",
    "   Array Array",
    "    int size",
    "    ReferencedObject data",
    "     SInt64 rid",
    "     ReferencedManagedType type",
    "      string class",
    *within(6, STRING),
    "      string ns",
    *within(6, STRING),
    "      string asm",
    *within(6, STRING),
    "     ReferencedObjectData data",
)
APPLE_TREE = ("Apple Base", " int weight", " PPtr<Object> tree", *within(1, POINTER))
APPLE = ("Fruit", "Apple", "Assembly-CSharp")


class Kind(NamedTuple):
    class_id: int
    tree: tuple[str, ...]
    managed: tuple[str, str, str] = ("", "", "")


class Thing(NamedTuple):
    path_id: int
    class_id: int
    data: bytes


class External(NamedTuple):
    path: str
    guid: str = "0" * 32
    kind: int = 0


class Packer:
    """Numbers and strings in one byte order, aligned to 4 where Unity aligns."""

    def __init__(self, order: str = "<") -> None:
        self.order = order

    def __call__(self, layout: str, *values: float) -> bytes:
        return pack(self.order + layout, *values)

    def string(self, text: bytes) -> bytes:
        return self("i", len(text)) + text + bytes(-len(text) % 4)


def blob_tree(lines: tuple[str, ...], version: int, p: Packer) -> bytes:
    strings = b""
    places: dict[str, int] = {}
    common = {text: place | 0x80000000 for place, text in COMMON_STRINGS.items()}
    rows = b""
    for number, line in enumerate(lines):
        text = line.strip()
        type_name, _, name = text.rstrip("!").rpartition(" ")
        for word in (type_name, name):
            if word in common:
                places[word] = common[word]
            elif word not in places:
                places[word] = len(strings)
                strings += word.encode() + b"\0"
        level = len(line) - len(line.lstrip(" "))
        aligned = text.endswith("!") or type_name == "Array"
        flags = 0x4000 if aligned else 0
        is_array = int(type_name == "Array")
        rows += p("hBBIIiii", 1, level, is_array, places[type_name], places[name], -1, number, flags)
        if version >= 19:
            rows += p("Q", 0)
    head = b"mhtt" + p("i", version) if version >= 23 else b""
    return head + p("II", len(lines), len(strings)) + rows + strings


def old_tree(lines: tuple[str, ...], p: Packer) -> bytes:
    levels = [len(line) - len(line.lstrip(" ")) for line in lines]
    data = b""
    for number, line in enumerate(lines):
        type_name, _, name = line.strip().rstrip("!").rpartition(" ")
        children = 0
        for level in levels[number + 1 :]:
            if level <= levels[number]:
                break
            children += level == levels[number] + 1
        flags = 0x4000 if line.endswith("!") or type_name == "Array" else 0
        data += type_name.encode() + b"\0" + name.encode() + b"\0" + p("iiiiii", -1, number, 0, 1, flags, children)
    return data


def _type(
    kind: Kind, version: int, p: Packer, *, trees: bool, reference: bool, extracted: dict[str, bytes] | None = None
) -> bytes:
    old_script = version < 16 and kind.class_id == 114
    data = p("i", -1 if old_script else kind.class_id)
    if version >= 16:
        data += b"\0"
    if version >= 17:
        data += p("h", 0 if reference or kind.class_id == 114 else -1)
    if version >= 13:
        data += bytes(32 if reference or kind.class_id == 114 else 16)
    if trees:
        tree = blob_tree(kind.tree, version, p) if version >= 12 or version == 10 else old_tree(kind.tree, p)
        if extracted is not None:  # version 23: the tree is elsewhere, under its hash
            place = md5(tree, usedforsecurity=False)  # Unity's is another hash, of which only the name is asked for
            extracted[place.hexdigest()] = tree
            data += place.digest() + p("i", 0)
        else:
            data += (bytes(16) + p("i", len(tree)) if version >= 23 else b"") + tree
        if version >= 21:
            if reference:
                space, name, assembly = kind.managed
                data += b"".join(word.encode() + b"\0" for word in (name, space, assembly))
            else:
                data += p("ii", 1, 0) if kind.class_id == 114 else p("i", 0)
    return data


def serialized_file(
    things: list[Thing],
    kinds: list[Kind],
    *,
    version: int = 22,
    big_endian: bool = False,
    trees: bool = True,
    externals: tuple[External, ...] = (),
    references: tuple[Kind, ...] = (),
    unity_version: str = "2022.3.1f1",
    target: int = 19,
    wide: bool = True,
    extracted: dict[str, bytes] | None = None,
) -> bytes:
    """Return a SerializedFile; ``extracted`` gets its type trees by their hash, instead of the file."""
    p = Packer(">" if big_endian else "<")
    start = 48 if version >= 22 else 20
    data = b""
    rows = []
    order = {kind.class_id: number for number, kind in enumerate(kinds)}
    for thing in things:
        data += bytes(-len(data) % 8)
        rows.append((thing, len(data)))
        data += thing.data
    meta = unity_version.encode() + b"\0" if version >= 7 else b""
    if version >= 8:
        meta += p("i", target)
    if version >= 13:
        meta += bytes([trees])
    meta += p("i", len(kinds))
    for kind in kinds:
        meta += _type(kind, version, p, trees=trees or version < 13, reference=False, extracted=extracted)
    wide = wide and version >= 7
    if 7 <= version < 14:
        meta += p("i", int(wide))
    meta += p("i", len(rows))
    for thing, offset in rows:
        if version >= 14:
            meta += bytes(-(start + len(meta)) % 4)
        script = thing.class_id == 114
        meta += p("q" if version >= 14 or wide else "i", thing.path_id)
        meta += p("q" if version >= 22 else "I", offset) + p("I", len(thing.data))
        meta += p("i", order[thing.class_id] if version >= 16 else -1 if script else thing.class_id)
        if version < 16:
            meta += p("H", thing.class_id)
        if version < 11:
            meta += p("H", 0)
        elif version < 17:
            meta += p("h", 0 if script else -1)
        if version in (15, 16):
            meta += b"\0"
    if version >= 11:
        meta += p("i", 1) + p("i", 0)
        if version >= 14:
            meta += bytes(-(start + len(meta)) % 4)
        meta += p("q" if version >= 14 else "i", 77)
    meta += p("i", len(externals))
    named = []
    for external in externals:
        words = bytes(int(external.guid[n + 1] + external.guid[n], 16) for n in range(0, 32, 2))
        if big_endian:
            words = b"".join(words[n : n + 4][::-1] for n in range(0, 16, 4))
        named.append((b"\0" if version >= 6 else b"") + words + p("i", external.kind) + external.path.encode() + b"\0")
    meta += b"".join(named)
    if version >= 20:
        meta += p("i", len(references))
        for kind in references:
            meta += _type(kind, version, p, trees=trees, reference=True)
    meta += b"user\0"
    if version < 9:  # the metadata are at the end
        meta = bytes([big_endian]) + meta
        return pack(">IIII", len(meta), 16 + len(data) + len(meta), version, 16) + data + meta
    data_offset = -(-(start + len(meta)) // 16) * 16
    size = data_offset + len(data)
    if version >= 22:
        head = pack(">IIII", 0, 0, version, 0) + bytes([big_endian, 0, 0, 0])
        head += pack(">Iqqq", len(meta), size, data_offset, 0)
    else:
        head = pack(">IIII", len(meta), size, version, data_offset) + bytes([big_endian, 0, 0, 0])
    return (head + meta).ljust(data_offset, b"\0") + data


def lz4_compress(data: bytes) -> bytes:
    """Return an LZ4HC block as Unity has it, without the size before it."""
    compressed: bytes = lz4.compress(data, mode="high_compression", store_size=False)
    return compressed


def lzma_compress(data: bytes, dictionary: int = 1 << 23) -> bytes:
    """Return Unity's LZMA: five bytes of properties, then the raw stream."""
    filters = [{"id": lzma.FILTER_LZMA1, "dict_size": min(dictionary, 1 << 16), "lc": 3, "lp": 0, "pb": 2}]
    return b"\x5d" + dictionary.to_bytes(4, "little") + lzma.compress(data, lzma.FORMAT_RAW, filters=filters)


def compress(data: bytes, compression: int) -> bytes:
    return data if not compression else lzma_compress(data) if compression == 1 else lz4_compress(data)


def archive(
    files: list[tuple[str, bytes]],
    *,
    number: int = 8,
    compression: int = 3,
    info_compression: int | None = None,
    block: int = 128 << 10,
    at_end: bool = False,
    padded: bool = False,
    unity_version: str = "2022.3.1f1",
    extra_flags: int = 0,
    signature: str = "UnityFS",
) -> bytes:
    decoded = b"".join(data for _, data in files)
    blocks = []
    if compression == 1:
        block = max(len(decoded), 1)
    for start in range(0, len(decoded), block):
        plain = decoded[start : start + block]
        blocks.append((len(plain), compress(plain, compression)))
    info = bytes(16) + pack(">I", len(blocks))
    for size, data in blocks:
        info += pack(">IIH", size, len(data), compression)
    info += pack(">I", len(files))
    at = 0
    for name, data in files:
        info += pack(">qqI", at, len(data), 0 if "." in name else 4) + name.encode("utf-8", "surrogateescape") + b"\0"
        at += len(data)
    body = b"".join(data for _, data in blocks)
    return assemble(
        info,
        body,
        number=number,
        compression=compression if info_compression is None else info_compression,
        at_end=at_end,
        padded=padded,
        unity_version=unity_version,
        extra_flags=extra_flags,
        signature=signature,
    )


def web_archive(
    files: list[tuple[str, bytes]],
    *,
    signature: str = "UnityWeb",
    number: int = 3,
    unity_version: str = "4.6.1f1",
    levels: int = 1,
    decoded_size: int | None = None,
    trailing: bytes = b"",
) -> bytes:
    """Return an archive of Unity 2 to 5."""
    at = 4 + sum(len(name.encode()) + 9 for name, _ in files)
    directory_size = at = at + -at % 4
    directory = pack(">I", len(files))
    content = b""
    for name, data in files:
        directory += name.encode() + b"\0" + pack(">II", at, len(data))
        content += data + bytes(-len(data) % 4)
        at += len(data) + -len(data) % 4
    decoded = directory.ljust(directory_size, b"\0") + content
    stored = decoded
    if signature == "UnityWeb":
        raw = lzma_compress(decoded, 1 << 16)
        stored = raw[:5] + (len(decoded) if decoded_size is None else decoded_size).to_bytes(8, "little") + raw[5:]
    head = signature.encode() + b"\0" + pack(">I", number) + b"3.x.x\0" + unity_version.encode() + b"\0"
    rest = bytes(20) if number >= 4 else b""
    tail = pack(">II", 1, levels) + pack(">II", 10, 20) * (levels - 1) + pack(">II", len(stored), len(decoded))
    size = len(head) + len(rest) + 8 + len(tail) + 4 * (number >= 2) + 4 * (number >= 3)
    size += -size % 4
    rest += pack(">II", size + len(stored), size) + tail
    if number >= 2:
        rest += pack(">I", size + len(stored))
    if number >= 3:
        rest += pack(">I", directory_size)
    return (head + rest).ljust(size, b"\0") + stored + trailing


def web_data(files: dict[str, bytes]) -> bytes:
    """Return the data of a web player."""
    size = 20 + sum(12 + len(name.encode()) for name in files)
    table, body = b"UnityWebData1.0\0" + pack("<I", size), b""
    for name, data in files.items():
        table += pack("<III", size + len(body), len(data), len(name.encode())) + name.encode()
        body += data
    return table + body


def assemble(
    info: bytes,
    body: bytes,
    *,
    number: int = 8,
    compression: int = 3,
    at_end: bool = False,
    padded: bool = False,
    unity_version: str = "2022.3.1f1",
    extra_flags: int = 0,
    stored_info: bytes | None = None,
    info_size: int | None = None,
    signature: str = "UnityFS",
) -> bytes:
    stored = compress(info, compression) if stored_info is None else stored_info
    flags = 0x40 | compression | (0x80 if at_end else 0) | (0x200 if padded else 0) | extra_flags
    strings = signature.encode() + b"\0" + pack(">I", number) + b"5.x.x\0" + unity_version.encode() + b"\0"
    start = len(strings) + 20
    if number >= 7:
        start += -start % 16
    first = b"" if at_end else stored
    padding = bytes(-(start + len(first)) % 16) if padded else b""
    rest = first + padding + body + (stored if at_end else b"")
    size = start + len(rest)
    head = strings + pack(">qIII", size, len(stored), len(info) if info_size is None else info_size, flags)
    return head.ljust(start, b"\0") + rest


def things(p: Packer | None = None) -> list[Thing]:
    """Return a TextAsset, a script with every kind of field, and the AssetBundle that contains them."""
    p = p or Packer()
    text = p.string(b"notes") + p.string("Füße\n".encode() * 40)
    script = p("iq", 0, 0) + b"\1\0\0\0" + p("iq", 1, 4242) + p.string(b"Basket")
    script += p("ifff", 3, 0.5, -1.0, 2.0) + p("i", 5) + b"abcde\0\0\0" + p("iffff", 2, 1, 2, 3, 4)
    script += p("i", 3) + b"xyz\0"
    script += p("ii", 2, 2)
    script += p("q", 1) + p.string(b"Apple") + p.string(b"Fruit") + p.string(b"Assembly-CSharp")
    script += p("iiq", 7, 0, 10)
    script += p("q", -2) + p.string(b"") + p.string(b"") + p.string(b"")
    bundle = p.string(b"basket.bundle") + p("iiqiq", 2, 0, 10, 1, 4242)
    bundle += p("i", 2) + p.string(b"assets/notes.txt") + p("iiiq", 0, 1, 0, 10)
    bundle += p.string(b"assets/basket.asset") + p("iiiq", 0, 2, 0, -20)
    bundle += p("iiiq", 0, 0, 0, 0) + p("I", 1) + p.string(b"basket.bundle") + p("i", 1) + p.string(b"other")
    bundle += b"\0\0\0\0"
    return [Thing(-20, 114, script), Thing(1, 142, bundle), Thing(10, 49, text)]


KINDS = [Kind(114, SCRIPT_TREE), Kind(142, ASSET_BUNDLE_TREE), Kind(49, TEXT_ASSET_TREE)]
REFERENCES = (Kind(-1, APPLE_TREE, APPLE),)
EXTERNALS = (External("archive:/CAB-0a/CAB-0a"), External("x.asset", "0123456789abcdef0123456789abcdef", 3))


def whole_file(version: int = 22, *, big_endian: bool = False, trees: bool = True) -> bytes:
    kinds = KINDS
    found = things(Packer(">" if big_endian else "<"))
    if version < 21:  # no references behind [SerializeReference]: the script has none
        lines = SCRIPT_TREE[: SCRIPT_TREE.index(" ManagedReferencesRegistry references")]
        kinds = [Kind(114, lines), *KINDS[1:]]
        end = found[0].data.index(b"xyz\0") + 4
        found[0] = found[0]._replace(data=found[0].data[:end])
    return serialized_file(
        found,
        kinds,
        version=version,
        big_endian=big_endian,
        trees=trees,
        externals=EXTERNALS,
        references=REFERENCES if version >= 21 else (),
    )


def every_kind() -> dict[str, bytes]:
    """Return small bundles of every format, compression and layout, and SerializedFiles of every version."""
    inner = whole_file()
    resource = bytes(range(256)) * 2
    files = [("CAB-basket", inner), ("CAB-basket.resS", resource)]
    found = {}
    for compression, name in enumerate(("stored", "LZMA", "LZ4", "LZ4HC")):
        found[name] = archive(files, compression=compression, block=1000)
        found[f"{name}, info at the end"] = archive(files, compression=compression, at_end=True, padded=True)
    found["format 6"] = archive(files, number=6, unity_version="2018.4.1f1")
    found["format 7"] = archive(files, number=7, unity_version="2020.3.1f1")
    found["padded"] = archive(files, padded=True)
    for version in range(5, 24):
        found[f"version {version}"] = whole_file(version)
    for number in range(1, 6):
        old = [("CAB-basket", whole_file(9 if number > 2 else 8)), ("Assembly.dll", resource)]
        found[f"UnityWeb {number}"] = web_archive(old, number=number, levels=1 + number % 2)
        found[f"UnityRaw {number}"] = web_archive(old, number=number, signature="UnityRaw")
    found["UnityWeb 6"] = archive(files, number=6, unity_version="5.3.1f1", signature="UnityWeb")
    found["big endian"] = whole_file(21, big_endian=True)
    for version in (6, 8, 9):
        found[f"version {version}, big endian"] = whole_file(version, big_endian=True)
    found["no trees"] = whole_file(22, trees=False)
    return found
