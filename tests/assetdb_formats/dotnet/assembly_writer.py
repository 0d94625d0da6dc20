"""Writes managed DLLs with types, fields and attributes, from lines that say them nearly as C# does."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from struct import pack
from typing import NamedTuple

PRIMITIVES = {
    name: code
    for code, name in enumerate(
        ("bool", "char", "sbyte", "byte", "short", "ushort", "int", "uint", "long", "ulong", "float", "double"), 2
    )
} | {"string": 0x0E, "IntPtr": 0x18, "object": 0x1C}
TYPE_FLAGS = {"abstract": 0x80, "interface": 0xA0, "serializable": 0x2000}
FIELD_FLAGS = {"static": 0x10, "readonly": 0x20, "const": 0x40, "nonserialized": 0x80}
ACCESS = {"private": 1, "protected": 4, "internal": 3, "public": 6}
ATTRIBUTES = {
    "[SerializeField]": "UnityEngine.SerializeField",
    "[SerializeReference]": "UnityEngine.SerializeReference",
    "[FixedBuffer]": "System.Runtime.CompilerServices.FixedBufferAttribute",
    "[HideInInspector]": "UnityEngine.HideInInspector",
}


class _Type(NamedTuple):
    namespace: str
    name: str
    flags: int
    base: str
    fields: tuple[str, ...]
    outer: str


def assembly_of(full_name: str) -> str:
    """Return the assembly that a name without one of its own is looked for in."""
    if full_name.startswith("System."):
        return "mscorlib"
    return "UnityEngine.UI" if full_name.startswith("UnityEngine.UI.") else "UnityEngine.CoreModule"


def _pad(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)


def _number(value: int) -> bytes:
    return bytes([value]) if value < 0x80 else bytes([0x80 | value >> 8, value & 0xFF])


class _Writer:
    def __init__(self, name: str, types: dict[str, tuple[str, ...]], forwards: dict[str, str]) -> None:
        self.name = name
        self.forwards = forwards
        self.strings = bytearray(b"\0")
        self.blobs = bytearray(b"\0")
        self.assemblies: list[str] = []
        self.refs: list[tuple[int, str, str]] = []
        self.specs: list[bytes] = []
        self.members: list[int] = []
        self.types = [_Type("", "<Module>", 0, "", (), ""), *(self.declared(head, of) for head, of in types.items())]
        self.places = {self.full(item): place for place, item in enumerate(self.types, 1)}

    @staticmethod
    def full(item: _Type) -> str:
        name = f"{item.namespace}.{item.name}" if item.namespace else item.name
        return f"{item.outer}/{item.name}" if item.outer else name

    @staticmethod
    def declared(head: str, fields: tuple[str, ...]) -> _Type:
        """``serializable Game.Item : Game.Base``; ``Game.Outer/Inner`` is nested."""
        words, _, base = head.partition(" : ")
        *flags, full = words.split(" ")
        number = sum(TYPE_FLAGS[word] for word in flags)
        outer, slash, inner = full.rpartition("/")
        if slash:
            return _Type("", inner, number | 2, base or "System.Object", fields, outer)
        namespace, _, name = full.rpartition(".")
        return _Type(namespace, name, number | 1, base or "System.Object", fields, "")

    def text(self, value: str) -> int:
        data = value.encode() + b"\0"
        place = self.strings.find(b"\0" + data) + 1 if value else 0
        if value and not place:
            place = len(self.strings)
            self.strings += data
        return place

    def blob(self, data: bytes) -> int:
        place = len(self.blobs)
        self.blobs += _number(len(data)) + data
        return place

    def assembly(self, name: str) -> int:
        if name not in self.assemblies:
            self.assemblies.append(name)
        return self.assemblies.index(name) + 1

    def token(self, full: str) -> int:
        """Return the coded index (TypeDefOrRef) of a type: of this assembly, or of ``Assembly!Name``."""
        if full in self.places:
            return self.places[full] << 2
        where, mark, name = full.rpartition("!")
        scope = self.assembly(where if mark else assembly_of(name)) << 2 | 2
        outer, slash, inner = name.rpartition("/")
        if slash:
            scope = (self.token(f"{where}!{outer}" if mark else outer) >> 2) << 2 | 3
            row = (scope, "", inner)
        else:
            namespace, _, last = name.rpartition(".")
            row = (scope, namespace, last)
        if row not in self.refs:
            self.refs.append(row)
        return (self.refs.index(row) + 1) << 2 | 1

    def signature(self, kind: str) -> bytes:
        """``int``, ``~Game.Struct``, ``T[]``, ``T[,]``, ``List<T>``, ``Game.Pair`2<int, string>``, ``!0``, ``T*``."""
        if kind.endswith("[,]"):
            return b"\x14" + self.signature(kind[:-3]) + b"\x02\x00\x00"
        if kind.endswith("[]"):
            return b"\x1d" + self.signature(kind[:-2])
        if kind.endswith("*"):
            return b"\x0f" + self.signature(kind[:-1])
        if kind in PRIMITIVES:
            return bytes([PRIMITIVES[kind]])
        if kind.startswith("!"):
            return b"\x13" + _number(int(kind[1:]))
        if kind.endswith(">"):
            name, _, inside = kind[:-1].partition("<")
            name = "System.Collections.Generic.List`1" if name == "List" else name
            parts = re.split(r", (?![^<]*>)", inside)
            head = b"\x15" + (b"\x11" if name.startswith("~") else b"\x12") + _number(self.token(name.lstrip("~")))
            return head + _number(len(parts)) + b"".join(map(self.signature, parts))
        return (b"\x11" if kind.startswith("~") else b"\x12") + _number(self.token(kind.lstrip("~")))

    def extends(self, base: str) -> int:
        if base == "-" or not base:
            return 0
        if base.endswith(">"):
            self.specs.append(self.signature(base))
            return len(self.specs) << 2 | 2
        return self.token(base)

    @cached_property
    def own_attributes(self) -> list[int]:
        """Rows of the types with a constructor: those that fields name in brackets, as ``[Game.Mark]``."""
        words = {word for item in self.types for line in item.fields for word in line.split(" ")[:-2]}
        return sorted(self.places[word[1:-1]] for word in words if word.startswith("[") and word not in ATTRIBUTES)

    def constructor(self, word: str) -> int:
        """Return the coded index (CustomAttributeType) of an attribute's constructor."""
        if word not in ATTRIBUTES:
            return (self.own_attributes.index(self.places[word[1:-1]]) + 1) << 3 | 2
        attribute = ATTRIBUTES[word]
        parent = (self.token(attribute) >> 2) << 3 | (1 if self.token(attribute) & 3 == 1 else 0)
        if parent not in self.members:
            self.members.append(parent)
        return (self.members.index(parent) + 1) << 3 | 3

    def data(self) -> bytes:
        types, fields, attributes, nested = b"", b"", b"", b""
        count = 0
        for place, item in enumerate(self.types, 1):
            method = bisect_left(self.own_attributes, place) + 1
            row = pack("<IHHHHH", item.flags, self.text(item.name), self.text(item.namespace), 0, count + 1, method)
            types += row[:8] + pack("<H", self.extends(item.base)) + row[10:]
            if item.outer:
                nested += pack("<HH", self.places[self.full(item)], self.places[item.outer])
            for line in item.fields:
                words = re.split(r" (?![^<]*>)", line)
                count += 1
                flags = sum(FIELD_FLAGS.get(word, 0) + ACCESS.get(word, 0) for word in words[:-2])
                blob = self.blob(b"\x06" + self.signature(words[-2]))
                fields += pack("<HHH", flags, self.text(words[-1]), blob)
                for word in words[:-2]:
                    if word.startswith("["):
                        kind = self.constructor(word)
                        attributes += pack("<HHH", count << 5 | 1, kind, self.blob(b"\x01\x00\x00\x00"))
        forwarded = b""
        for full, assembly in self.forwards.items():
            namespace, _, name = full.rpartition(".")
            where = self.assembly(assembly) << 2 | 1
            forwarded += pack("<IIHHH", 0x200000, 0, self.text(name), self.text(namespace), where)
        specs = b"".join(pack("<H", self.blob(spec)) for spec in self.specs)
        constructor = self.blob(b"\x20\x00\x01")
        methods = pack("<IHHHHH", 0, 0, 0x1886, self.text(".ctor"), constructor, 1) * len(self.own_attributes)
        members = b"".join(pack("<HHH", parent, self.text(".ctor"), constructor) for parent in self.members)
        own = pack("<IHHHHIHHH", 0x8004, 0, 0, 0, 0, 0, 0, self.text(self.name), 0)
        others = b"".join(pack("<HHHHIHHHH", 4, 0, 0, 0, 0, 0, self.text(name), 0, 0) for name in self.assemblies)
        refs = b"".join(pack("<HHH", scope, self.text(name), self.text(space)) for scope, space, name in self.refs)
        tables = {
            0x00: (1, pack("<HHHHH", 0, self.text(self.name + ".dll"), 1, 0, 0)),
            0x01: (len(self.refs), refs),
            0x02: (len(self.types), types),
            0x04: (count, fields),
            0x06: (len(self.own_attributes), methods),
            0x0A: (len(self.members), members),
            0x0C: (len(attributes) // 6, attributes),
            0x1B: (len(self.specs), specs),
            0x20: (1, own),
            0x23: (len(self.assemblies), others),
            0x27: (len(self.forwards), forwarded),
            0x29: (len(nested) // 4, nested),
        }
        return _file(self, {table: row for table, row in tables.items() if row[0]})


def _file(writer: _Writer, tables: dict[int, tuple[int, bytes]]) -> bytes:
    valid = sum(1 << table for table in tables)
    counts = b"".join(pack("<I", rows) for rows, _ in tables.values())
    body = _pad(pack("<IBBBBQQ", 0, 2, 0, 0, 1, valid, 0) + counts + b"".join(rows for _, rows in tables.values()))
    heaps = (
        (b"#~\0\0", body),
        (b"#Strings\0\0\0\0", _pad(bytes(writer.strings))),
        (b"#Blob\0\0\0", _pad(bytes(writer.blobs))),
    )
    version = _pad(b"v4.0.30319\0")
    at = 16 + len(version) + 4 + sum(8 + len(name) for name, _ in heaps)
    metadata = pack("<IHHII", 0x424A5342, 1, 1, 0, len(version)) + version + pack("<HH", 0, len(heaps))
    for name, heap in heaps:
        metadata += pack("<II", at, len(heap)) + name
        at += len(heap)
    metadata += b"".join(heap for _, heap in heaps)
    address, offset = 0x2000, 0x200
    section = pack("<IHHII", 72, 2, 5, address + 72, len(metadata)) + b"\0" * 56 + metadata
    directories = bytearray(16 * 8)
    directories[14 * 8 : 15 * 8] = pack("<II", address, 72)
    optional = pack("<H", 0x10B) + b"\0" * 90 + pack("<I", 16) + bytes(directories)
    head = b"PE\0\0" + pack("<HHIIIHH", 0x14C, 1, 0, 0, 0, len(optional), 0x2102) + optional
    head += b".text\0\0\0" + pack("<IIII", len(section), address, len(section), offset) + b"\0" * 16
    start = b"MZ" + b"\0" * 58 + pack("<I", 0x40) + head
    return start + b"\0" * (offset - len(start)) + section


def assembly(name: str, types: dict[str, tuple[str, ...]], forwards: dict[str, str] | None = None) -> bytes:
    """Return a DLL.

    Types are ``serializable Game.Item : Game.Base`` with fields ``public [SerializeField] List<Game.Item> items``;
    ``~`` before a name is a value type, ``Other!Game.Item`` a type of another assembly.
    """
    return _Writer(name, types, forwards or {}).data()


ENGINE = assembly(
    "UnityEngine.CoreModule",
    {
        "UnityEngine.Object": ("private IntPtr m_CachedPtr",),
        "UnityEngine.Component : UnityEngine.Object": (),
        "UnityEngine.Transform : UnityEngine.Component": (),
        "UnityEngine.MonoBehaviour : UnityEngine.Component": (),
        "UnityEngine.ScriptableObject : UnityEngine.Object": (),
        "UnityEngine.Vector3 : System.ValueType": ("public float x", "public float y", "public float z"),
        "UnityEngine.RaycastHit : System.ValueType": ("private int m_FaceID",),
        "UnityEngine.KeyCode : System.Enum": ("public int value__", "public static const ~UnityEngine.KeyCode None"),
        "UnityEngine.Hash128 : System.ValueType": ("private uint m_u32_0",),
    },
)
"""What of UnityEngine the tests need."""
