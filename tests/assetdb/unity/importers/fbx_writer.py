"""Writes small binary FBX files of every version, to the layout that real ones have."""

from __future__ import annotations

import zlib
from struct import pack
from typing import NamedTuple

MAGIC = b"Kaydara FBX Binary  \x00\x1a\x00"


class Record(NamedTuple):
    name: str
    properties: tuple[bytes, ...] = ()
    children: tuple[Record, ...] = ()


def string(text: str | bytes) -> bytes:
    data = text.encode() if isinstance(text, str) else text
    return b"S" + pack("<I", len(data)) + data


def long(number: int) -> bytes:
    return b"L" + pack("<q", number)


def doubles(count: int, *, deflate: bool = True) -> bytes:
    data = pack(f"<{count}d", *range(count))
    packed = zlib.compress(data) if deflate else data
    return b"d" + pack("<III", count, int(deflate), len(packed)) + packed


def _write(record: Record, position: int, *, wide: bool) -> bytes:
    head = 25 if wide else 13
    name = record.name.encode()
    properties = b"".join(record.properties)
    start = position + head + len(name) + len(properties)
    end = start
    children = []
    for child in record.children:
        children.append(_write(child, end, wide=wide))
        end += len(children[-1])
    if record.children:
        children.append(b"\0" * head)
        end += head
    numbers = (end, len(record.properties), len(properties))
    return pack("<QQQB" if wide else "<IIIB", *numbers, len(name)) + name + properties + b"".join(children)


def fbx(version: int, records: list[Record]) -> bytes:
    out = MAGIC + pack("<I", version)
    for record in records:
        out += _write(record, len(out), wide=version >= 7500)
    out += b"\0" * (25 if version >= 7500 else 13)
    return out + b"\xfa\xbc\xab\x09" + b"\0" * 120 + b"\xf8\x5a\x8c\x6a\xde\xf5\xd9\x7e\xec\xe9\x0c\xe3\x75\x8f\x29\x0b"


class Node(NamedTuple):
    """One node of a hierarchy: its subclass, and what hangs from it besides further nodes."""

    name: str
    kind: str = "Null"  # Null, LimbNode, Mesh, Skinned, Camera, Light
    children: tuple[Node, ...] = ()
    materials: tuple[str, ...] = ()


def model(version: int, nodes: tuple[Node, ...], takes: tuple[str, ...] = ()) -> bytes:
    """Write a whole model as the version does: ids and geometries from 7.0 on, names and inline vertices before."""
    return _modern(version, nodes, takes) if version >= 7000 else _named(version, nodes, takes)


def _modern(version: int, nodes: tuple[Node, ...], takes: tuple[str, ...]) -> bytes:
    objects: list[Record] = []
    connections: list[Record] = []
    materials: dict[str, int] = {}
    numbers = iter(range(1000, 1 << 40, 7))

    def add(kind: str, name: str, tag: str, subclass: str, parent: int | None) -> int:
        number = next(numbers)
        content = (Record("Vertices", (doubles(24),)), Record("Edges", (doubles(3, deflate=False),)))
        objects.append(
            Record(
                kind,
                (long(number), string(name.encode() + b"\x00\x01" + tag.encode()), string(subclass)),
                content if kind == "Geometry" else (),
            )
        )
        if parent is not None:
            connections.append(Record("C", (string("OO"), long(number), long(parent))))
        return number

    stack = [(node, 0) for node in reversed(nodes)]
    while stack:
        node, parent = stack.pop()
        subclass = "Mesh" if node.kind in {"Mesh", "Skinned"} else node.kind
        number = add("Model", node.name, "Model", subclass, parent)
        if subclass == "Mesh":
            geometry = add("Geometry", f"{node.name}Shape", "Geometry", "Mesh", number)
            if node.kind == "Skinned":
                add("Deformer", "Skin", "Deformer", "Skin", geometry)
        elif node.kind != "Null":
            add("NodeAttribute", "", "NodeAttribute", node.kind, number)
        for material in node.materials:
            if material not in materials:
                materials[material] = add("Material", material, "Material", "", None)
            connections.append(Record("C", (string("OO"), long(materials[material]), long(number))))
        stack += [(child, number) for child in reversed(node.children)]
    for take in takes:
        add("AnimationStack", take, "AnimStack", "", None)
        add("AnimationCurve", "", "AnimCurve", "", None)
    connections.append(Record("C", (string("OP"), long(5), long(6), string("Lcl Translation"))))
    return fbx(
        version,
        [
            Record("FBXHeaderExtension", (), (Record("FBXVersion", (b"I" + pack("<i", version),)),)),
            Record("Objects", (), tuple(objects)),
            Record("Connections", (), tuple(connections)),
            Record("Takes", (), (Record("Current", (string(""),)), *(Record("Take", (string(t),)) for t in takes))),
        ],
    )


def _named(version: int, nodes: tuple[Node, ...], takes: tuple[str, ...]) -> bytes:
    objects: list[Record] = []
    connections: list[Record] = []
    materials: set[str] = set()

    def full(name: str, tag: str = "Model") -> bytes:
        return string(name.encode() + b"\x00\x01" + tag.encode())

    def animated(take: str) -> Record:
        return Record("Take", (string(take),), tuple(Record("Model", (full(node.name),)) for node in nodes))

    stack = [(node, "Scene") for node in reversed(nodes)]
    while stack:
        node, parent = stack.pop()
        content = (Record("Vertices", (b"D" + pack("<d", 1.0),)),) if node.kind in {"Mesh", "Skinned"} else ()
        subclass = "Mesh" if content else node.kind
        children = (Record("Version", (b"I" + pack("<i", 232),)), *content)
        objects.append(Record("Model", (full(node.name), string(subclass)), children))
        connections.append(Record("Connect", (string("OO"), full(node.name), full(parent))))
        if node.kind == "Skinned":
            objects.append(Record("Deformer", (full(f"Skin {node.name}", "Deformer"), string("Skin"))))
            connections.append(
                Record("Connect", (string("OO"), full(f"Skin {node.name}", "Deformer"), full(node.name)))
            )
        for material in node.materials:
            if material not in materials:
                materials.add(material)
                objects.append(Record("Material", (full(material, "Material"), string(""))))
            connections.append(Record("Connect", (string("OO"), full(material, "Material"), full(node.name))))
        stack += [(child, node.name) for child in reversed(node.children)]
    return fbx(
        version,
        [
            Record("Objects", (), tuple(objects)),
            Record("Connections", (), tuple(connections)),
            Record("Takes", (), (Record("Current", (string(""),)), *map(animated, takes))),
        ],
    )
