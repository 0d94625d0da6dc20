"""Hierarchies whose elements are stored apart: with names of their own, compressed or not."""

from __future__ import annotations

from struct import pack
from typing import Any

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.classes.rig_hierarchy import read_rig_hierarchy
from assetdb_formats.unreal.errors import MissingExtraError
from assetdb_formats.unreal.packages.package import Package
from tests.assetdb_formats.unreal.package_writer import Writer

OWN = ["ERigElementType::Bone", "root", "ERigBoneType::Imported", "ERigElementType::None", "None", "Hand"]


def own(text: str) -> bytes:
    return pack("<i", OWN.index(text))


def elements(kind: bytes = own("ERigElementType::Bone"), label: bytes = own("root")) -> bytes:
    """One bone of version 33, behind the count of elements."""
    transform = pack("<10d", *range(10)) + pack("<i", 1)
    bone = kind + label + transform * 4 + own("ERigBoneType::Imported")
    parent = own("ERigElementType::None") + own("None")
    metadata = pack("<i", 1) + kind + label + pack("<i", 1) + own("root") * 3
    return (
        pack("<i", 1) + kind + label + bone + parent + pack("<ii", 0, 0) + metadata + b"\6" + own("Hand")
    )  # fmt: skip


class Decoder:
    def __init__(self, blob: bytes) -> None:
        self._blob = blob

    def decompress(self, data: bytes, size: int) -> bytes:
        assert (data, size) == (b"packed", len(self._blob))
        return self._blob


class Missing:
    def decompress(self, *_: object) -> bytes:
        raise MissingExtraError("no decoder here")


def read(stored: bytes, oodle: Any, *, size: int, packed: bool) -> tuple[dict[str, Any], int, int]:  # noqa: ANN401
    writer = Writer(-8, 522, 1009)
    data = pack("<i", 1) + pack("<i", len(OWN)) + b"".join(map(writer.name, OWN))
    data += pack("<Iii", size, int(packed), len(stored)) + stored
    writer.exports = [(0, 0, "Thing", data, True)]
    package = Package(writer.data())
    summary = package.summary._replace(
        legacy_version=-8,
        custom_version_count=1,
        custom_version_data=pack("<4Ii", 0xA7820CFB, 0x20A74359, 0x8C542C14, 0x9623CF50, 33),
    )
    found, after = read_rig_hierarchy(data, len(data), package.names, summary, oodle)
    return found, after, len(data)


FOUND = {"elements": [{"type": "Bone", "name": "root"}], "metadata": {"Bone root": {"root": "Hand"}}}


def test_elements_stored_apart_have_names_of_their_own() -> None:
    blob = elements()
    assert read(blob, None, size=len(blob), packed=False)[0] == FOUND
    found, after, end = read(b"packed", Decoder(blob), size=len(blob), packed=True)
    assert (found, after) == (FOUND, end)


@pytest.mark.parametrize(("oodle", "why"), [(None, "compressed with Oodle"), (Missing(), "no decoder here")])
def test_without_a_decoder_the_names_are_told(oodle: object, why: str) -> None:
    found, after, end = read(b"packed", oodle, size=400, packed=True)
    assert (found, after) == ({"names": OWN, "elements_not_read": why}, end)


@pytest.mark.parametrize("index", [-1, len(OWN)])
def test_names_that_are_not_there(index: int) -> None:
    blob = elements(label=pack("<i", index))
    with pytest.raises(FormatError, match=f"names number {index} of {len(OWN)}"):
        read(blob, None, size=len(blob), packed=False)


def test_bytes_behind_the_elements_and_sizes_beyond_the_limit() -> None:
    with pytest.raises(FormatError, match="3 bytes are left behind the elements"):
        read(elements() + b"xyz", None, size=0, packed=False)
    with pytest.raises(FormatError, match="bytes of elements; at most"):
        read(b"packed", Decoder(b""), size=0xFFFFFFFF, packed=True)


class Elements:
    """One element of every kind, as a version of Control Rig writes them, with the names of a package."""

    def __init__(self, writer: Writer, version: int, *, real: str = "d") -> None:
        self._name = writer.name
        self._version = version
        self._real = real

    def _since(self, version: int, data: bytes) -> bytes:
        return data if self._version >= version else b""

    def _until(self, version: int, data: bytes) -> bytes:
        return data if self._version < version else b""

    def _key(self, kind: str, name: str) -> bytes:
        return self._name(f"ERigElementType::{kind}") + self._name(name)

    def _numbers(self, count: int) -> bytes:
        return pack(f"<{count}{self._real}", *range(count))

    def _pose(self) -> bytes:
        """Four transforms: local and global, now and at first."""
        whole = self._numbers(10) + FALSE
        packed = (FALSE + b"\0", FALSE + b"\2" + bytes(12), FALSE + b"\x0c" + self._numbers(10), TRUE)
        return b"".join(packed) if self._version >= 35 else whole * 4

    def _control(self) -> bytes:
        names = self._since(17, self._name("Animation")) + self._name("Type") + self._name("Label") + self._name("Axis")
        limits = FALSE * 3 if self._version < 13 else pack("<i", 2) + (TRUE + FALSE) * 2
        ends = 2 * (bytes(128) if self._version >= 10 else self._numbers(10))
        data = names + FALSE + self._until(17, FALSE) + limits + FALSE + ends + self._until(17, FALSE) + TRUE
        data += self._since(17, self._name("Shown")) + self._name("Shape") + bytes(16) + FALSE + pack("<i", 3) + b"ab\0"
        spaces = pack("<i", 1) + self._key("Bone", "root") + self._since(37, self._name("Near"))
        data += self._since(9, spaces) + self._since(17, pack("<i", 1) + self._key("Bone", "root") + FALSE)
        data += self._since(22, TRUE) + self._since(23, pack("<i", 3) + bytes(3)) + self._since(26, b"\1")
        data += self._since(27, TRUE) + self._pose() * 2
        return data + self._since(19, self._name("Order") + self._numbers(6))

    def _static(self, kind: str, name: str) -> bytes:
        several = self._until(14, self._pose()) + pack("<i", 2)
        connector = pack("<i", 2) + b"x\0" + self._since(29, b"\1" + TRUE) + self._since(36, TRUE)
        connector += self._since(39, FALSE) + pack("<i", 1) + pack("<i", 2) + b"k\0" + pack("<i", 2) + b"v\0"
        bodies = {
            "Bone": self._pose() + self._name("ERigBoneType::User"),
            "Null": self._pose() + several,
            "Control": self._pose() + several + self._control(),
            "Curve": self._since(16, TRUE) + pack("<f", 0.5),
            "RigidBody": self._pose() + pack("<f", 2.0),
            "Connector": connector,
            "Socket": self._pose(),
        }
        in_element = pack("<i", 0) if 20 <= self._version < 28 else b""
        return self._key(kind, name) + in_element + bodies[kind]

    def _parents(self, kind: str) -> bytes:
        if kind in ("Curve", "Connector"):
            return b""
        if kind not in ("Null", "Control"):
            return self._key("Bone", "root") if kind == "Socket" else self._key("None", "None")
        weights = bytes(24 if self._version >= 8 else 8) + self._since(37, self._name("Weight"))
        return self._key("Bone", "root") + weights + self._key("Bone", "tip") + weights

    def _previous(self, *names: str) -> bytes:
        def key(name: str) -> bytes:  # since 38 of an element, or of a component of one
            key = self._key("Bone", name)
            if self._version < 38:
                return key
            return TRUE + key + FALSE if name == "old" else FALSE + TRUE + key + self._name("Part")

        return pack("<i", len(names) // 2) + b"".join(map(key, names))

    def data(self) -> bytes:
        statics = [self._key(kind, name) + self._static(kind, name) for kind, name in ALL]
        if self._version >= 32:
            statics = [self._key(kind, name) for kind, name in ALL] + [self._static(*row) for row in ALL]
        data = pack("<i", len(ALL)) + b"".join(statics) + b"".join(self._parents(kind) for kind, _ in ALL)
        data += self._since(25, self._previous("old", "new") + self._previous())
        values = (b"\1" + pack("<i", 2) + bytes(8), b"\6" + self._name("tip"), b"\x08" + self._numbers(3))
        values += (
            b"\x0e" + self._numbers(10),
            b"\x13" + pack("<i", 1) + self._key("Bone", "root"),
            b"\x10" + bytes(16),
        )
        rows = b"".join(self._name(f"m{n}") + self._name("T") * 2 + value for n, value in enumerate(values))
        data += self._since(28, pack("<i", 1) + self._key("Bone", "root") + pack("<i", len(values)) + rows)
        return data + self._since(34, pack("<i", 0))


TRUE, FALSE = pack("<i", 1), pack("<i", 0)
ALL = (
    *(("Bone", "root"), ("Null", "space"), ("Control", "hand"), ("Curve", "blink"), ("RigidBody", "hull")),
    *(("Connector", "plug"), ("Socket", "grip")),
)


def read_package(
    version: int, data: bytes, writer: Writer, ue5: int = 1009, **more: object
) -> tuple[dict[str, Any], int]:
    """Read a hierarchy of a version whose names are those of a package."""
    writer.exports = [(0, 0, "Thing", data, True)]
    summary = Package(writer.data()).summary
    summary = summary._replace(
        legacy_version=-8,
        version=summary.version._replace(ue5=ue5),
        custom_version_count=1,
        custom_version_data=pack("<4Ii", 0xA7820CFB, 0x20A74359, 0x8C542C14, 0x9623CF50, version),
    )
    return read_rig_hierarchy(data, len(data), Package(writer.data()).names, summary, None)


def settings_of(version: int, *, flags: tuple[bool, ...] = (True, True, True, True)) -> bytes:
    """What a hierarchy says of itself before its elements: not compressed, and the transforms that it stores."""
    if version >= 35:
        return pack("<8i", version, 0, 0, 0, *flags) + bytes(4)
    return FALSE if version >= 33 else b""


@pytest.mark.parametrize("real", ["f", "d"])
@pytest.mark.parametrize("version", range(7, 40))
def test_elements_of_every_kind_by_the_version_that_wrote_them(version: int, real: str) -> None:
    writer = Writer(-8, 522, 1009)
    data = settings_of(version) + Elements(writer, version, real=real).data()
    found, after = read_package(version, data, writer, ue5=1004 if real == "d" else 1003)
    assert after == len(data)
    expected: list[dict[str, Any]] = [{"type": kind, "name": name} for kind, name in ALL]
    expected[1]["parents"] = expected[2]["parents"] = ["root", "tip"]
    expected[6]["parent"] = "root"
    assert found["elements"] == expected
    pair = (("Bone", "old"), ("Bone", "new", "Part") if version >= 38 else ("Bone", "new"))
    assert found.get("previous_names") == ([pair] if version >= 25 else None)
    assert "previous_parents" not in found
    numbers = [pack(f"<{count}{real}", *range(count)) for count in (3, 10)]
    values = [[bytes(4)] * 2, "tip", numbers[0], numbers[1], [("Bone", "root")], bytes(16)]
    metadata = {"Bone root": {f"m{number}": value for number, value in enumerate(values)}}
    assert found.get("metadata") == (metadata if version >= 28 else None)


@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize("world", [False, True])
@pytest.mark.parametrize("initial", [False, True])
@pytest.mark.parametrize("current", [False, True])
def test_only_transforms_that_a_hierarchy_stores_are_passed_over(
    *, local: bool, world: bool, initial: bool, current: bool
) -> None:
    writer = Writer(-8, 522, 1009)
    key = writer.name("ERigElementType::Bone") + writer.name("root")
    pose = (FALSE + b"\1" + bytes(4)) * ((local + world) * (initial + current))
    bone = key + key + pose + writer.name("User") + writer.name("ERigElementType::None") + writer.name("None")
    data = settings_of(35, flags=(local, world, initial, current)) + pack("<i", 1) + bone + bytes(16)
    assert read_package(35, data, writer) == ({"elements": [{"type": "Bone", "name": "root"}]}, len(data))


@pytest.mark.parametrize(
    ("representation", "size"),
    [(0, 0), (1, 4), (2, 12), (3, 16), (4, 20), (5, 28), (6, 12), (7, 16), (8, 24), (9, 28), (10, 32), (11, 40)],
)
def test_compact_transforms_have_sizes_of_their_own(representation: int, size: int) -> None:
    writer = Writer(-8, 522, 1009)
    key = writer.name("ERigElementType::Socket") + writer.name("root")
    pose = FALSE + bytes((representation,)) + bytes(size)
    data = settings_of(35, flags=(True, False, True, False)) + pack("<i", 1) + key + key + pose
    data += writer.name("ERigElementType::None") + writer.name("None") + bytes(16)
    assert read_package(35, data, writer)[1] == len(data)


@pytest.mark.parametrize(
    ("version", "tail", "why"),
    [
        (6, b"", "Control Rig version 6 wrote no hierarchy like this"),
        (33, pack("<i", 2), "a flag of 2"),
        (34, FALSE + bytes(16) + pack("<i", 3), "3 components, whose layout is not known"),
    ],
)
def test_what_is_not_known_is_said(version: int, tail: bytes, why: str) -> None:
    with pytest.raises(FormatError, match=why):
        read_package(version, tail, Writer(-8, 522, 1009))


def test_kinds_of_values_and_transforms_that_are_not_known() -> None:
    writer = Writer(-8, 522, 1009)
    key = writer.name("ERigElementType::Bone") + writer.name("root")
    value = key + pack("<i", 1) + key + writer.name("T") + b"\x18"
    with pytest.raises(FormatError, match="metadata of type 24"):
        read_package(28, pack("<4i", 0, 0, 0, 1) + value, writer)
    transform = settings_of(35) + pack("<i", 1) + key + key + FALSE + b"\x0d"
    with pytest.raises(FormatError, match="a transform of representation 13"):
        read_package(35, transform, writer)
    inner = pack("<i", 1) + key + key + pack("<i", 1) + key * 2
    for version in (20, 27):
        with pytest.raises(FormatError, match="metadata of type root in an element"):
            read_package(version, inner, writer)
