"""PE files: the way to their metadata streams, and each offset at its limit."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.dotnet.image import Image, Stream, is_portable_executable, read_image

ADDRESS = 0x2000
SECTION = 0x200  # offset in the file


def streams(*names: bytes, size: int = 8) -> bytes:
    """Return metadata with streams one after another."""
    head = pack("<IHHII", 0x424A5342, 1, 1, 0, 12) + b"v4.0.30319\0\0" + pack("<HH", 0, len(names))
    at = len(head) + sum(8 + len(name) + 4 - len(name) % 4 for name in names)
    table = b""
    for name in names:
        table += pack("<II", at, size) + name + bytes(4 - len(name) % 4)
        at += size
    return head + table + bytes(size * len(names))


GOOD = streams(b"#~", b"#Strings", b"#Blob")


def image(
    metadata: bytes = GOOD,
    *,
    magic: int = 0x10B,
    directories: int = 16,
    cli: int = ADDRESS,
    size: int | None = None,
    root: int = ADDRESS + 72,
    virtual: int | None = None,
    optional_size: int | None = None,
) -> bytes:
    """Return a PE file with one section: the CLI header, and the metadata behind it."""
    body = pack("<IHHII", 72, 2, 5, root, len(metadata) if size is None else size) + bytes(56) + metadata
    optional = pack("<H", magic) + bytes(90 if magic == 0x10B else 106) + pack("<I", directories)
    optional += bytes(14 * 8) + pack("<II", cli, 72)
    optional = optional if optional_size is None else optional[:optional_size]
    head = b"PE\0\0" + pack("<HHIIIHH", 0x14C, 1, 0, 0, 0, len(optional), 0) + optional
    head += b".text\0\0\0" + pack("<IIII", len(body) if virtual is None else virtual, ADDRESS, len(body), SECTION)
    start = b"MZ" + bytes(58) + pack("<I", 0x40) + head + bytes(16)
    return start.ljust(SECTION, b"\0") + body


BEGIN = SECTION + 72


def test_the_streams_of_both_widths_are_found() -> None:
    first = len(GOOD) - 24
    expected = {
        b"#~": Stream(BEGIN + first, BEGIN + first + 8),
        b"#Strings": Stream(BEGIN + first + 8, BEGIN + first + 16),
        b"#Blob": Stream(BEGIN + first + 16, BEGIN + first + 24),
    }
    for magic in (0x10B, 0x20B):
        assert read_image(image(magic=magic)) == Image(expected, expected[b"#~"], expected[b"#Strings"])
    unoptimized = read_image(image(streams(b"#-", b"#Strings")))
    assert unoptimized is not None
    assert unoptimized.tables == unoptimized.streams[b"#-"]
    # Of two streams of one name the first one counts.
    twice = read_image(image(streams(b"#~", b"#Strings", b"#~")))
    assert twice is not None
    assert twice.tables.start < twice.strings.start


def test_a_native_file_has_no_image() -> None:
    assert read_image(image(cli=0)) is None
    assert read_image(image(directories=14)) is None
    assert read_image(image(directories=15)) is not None
    assert [read_image(image(optional_size=size)) for size in (0, 1, 95, 96, 96 + 14 * 8 + 7)] == [None] * 5
    assert read_image(image(optional_size=96 + 14 * 8 + 8)) is not None
    other = bytearray(image())
    other[0x40:0x44] = b"NE\0\0"
    assert read_image(bytes(other)) is None
    assert [is_portable_executable(data) for data in (image(cli=0), bytes(other), b"PK" + image()[2:])] == [
        True,
        False,
        False,
    ]


def test_another_magic_is_refused_with_its_place() -> None:
    data = bytearray(image())
    data[0x58:0x5A] = pack("<H", 0x107)
    with pytest.raises(FormatError, match="has magic 0x107") as caught:
        read_image(bytes(data))
    assert (caught.value.offset, caught.value.field) == (0x58, "pe.magic")


def test_an_address_lies_in_a_section() -> None:
    for address in (ADDRESS - 1, ADDRESS + 72 + len(GOOD)):
        with pytest.raises(FormatError, match=f"address {address:#x} is outside all sections") as caught:
            read_image(image(cli=address))
        assert caught.value.field == "pe.cli"
    with pytest.raises(FormatError, match="outside all sections") as caught:
        read_image(image(root=ADDRESS - 1))
    assert caught.value.field == "cli.metadata"
    # What is in memory alone is not in the file; without a size there, the one in the file counts.
    for virtual, is_found in ((0, True), (72, False), (73, True), (1 << 20, True)):
        if is_found:
            assert read_image(image(virtual=virtual)) is not None
        else:
            with pytest.raises(FormatError, match="outside all sections"):
                read_image(image(virtual=virtual))


def test_metadata_are_whole_and_begin_with_their_mark() -> None:
    with pytest.raises(FormatError, match="does not start with BSJB") as caught:
        read_image(image(b"JSJB" + GOOD[4:]))
    assert (caught.value.offset, caught.value.field) == (BEGIN, "metadata.signature")
    with pytest.raises(FormatError, match=r"bytes, \d+ are left") as caught:
        read_image(image(size=len(GOOD) + 1))
    assert caught.value.field == "cli.metadata_size"
    with pytest.raises(FormatError, match=r"stream \d+\.\.\d+ lies outside the metadata") as caught:
        read_image(image(size=len(GOOD) - 1))
    assert caught.value.field == "metadata.streams[2]"
    for names in ((b"#~", b"#Blob"), (b"#Strings", b"#Blob")):
        with pytest.raises(FormatError, match="has no tables or no strings") as caught:
            read_image(image(streams(*names)))
        assert (caught.value.offset, caught.value.field) == (BEGIN, "metadata.streams")


def test_a_stream_has_a_name_of_at_most_32_bytes() -> None:
    name = b"#" + b"x" * 31
    found = read_image(image(streams(b"#~", b"#Strings", name)))
    assert found is not None
    assert name in found.streams
    with pytest.raises(FormatError, match="has a name of more than 32 bytes") as caught:
        read_image(image(streams(b"#~", b"#Strings", name + b"y" * 5)))
    assert caught.value.field == "metadata.streams[2]"
