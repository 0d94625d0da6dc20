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
