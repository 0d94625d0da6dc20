"""The class of the first type: from the beginning of a file alone, and None wherever that is in doubt."""

from __future__ import annotations

from struct import pack

from assetdb_formats.unityfs.serialized_files.mainclass import serialized_file_main_class

REST = pack("<i", 19) + b"\1"


def old(
    version: int = 21,
    *,
    order: int = 0,
    metadata: int = 60,
    size: int = 200,
    data: int = 80,
    text: bytes = b"2019.4.1f1\0",
    types: int = 1,
    kind: int = 238,
) -> bytes:
    """Return the beginning of a file of version 9 to 21."""
    rest = REST if version >= 13 else REST[:4]
    return pack(">IIIIB3x", metadata, size, version, data, order) + text + rest + pack("<ii", types, kind)


def new(version: int = 22, *, metadata: int = 60, size: int = 200, data: int = 108) -> bytes:
    head = pack(">IIIIB3xIqqq", 0, 0, version, 0, 0, metadata, size, data, 0)
    return head + b"2022.3.1f1\0" + REST + pack("<ii", 1, 1120)


def test_the_class_is_behind_the_version_the_platform_and_the_flag() -> None:
    assert [serialized_file_main_class(old(version)) for version in (9, 12, 13, 21)] == [238] * 4
    assert [serialized_file_main_class(new(version)) for version in (22, 23)] == [1120, 1120]
    big = pack(">IIIIB3x", 60, 200, 21, 80, 1) + b"5.6.0f1\0" + pack(">i", 19) + b"\0" + pack(">ii", 1, 238)
    assert serialized_file_main_class(big) == 238
    assert serialized_file_main_class(old(15, kind=-1)) == 114  # scripts have negative numbers before version 16
    assert serialized_file_main_class(old(kind=0)) == 0


def test_other_versions_byte_orders_and_sizes_are_no_serialized_file() -> None:
    assert [serialized_file_main_class(old(version)) for version in (8, 24)] == [None, None]
    assert serialized_file_main_class(old(order=2)) is None
    # 20 bytes of header and 60 of metadata end where the data begin, and these not behind the file.
    assert serialized_file_main_class(old(metadata=61)) is None
    assert [serialized_file_main_class(old(data=data)) for data in (79, 80, 200, 201)] == [None, 238, 238, None]
    assert [serialized_file_main_class(new(data=data)) for data in (107, 108, 200, 201)] == [None, 1120, 1120, None]


def test_a_version_is_text_of_less_than_64_bytes_that_begins_with_a_digit() -> None:
    assert serialized_file_main_class(old(text=b"9" * 63 + b"\0")) == 238
    assert serialized_file_main_class(old(text=b"9" * 64 + b"\0")) is None
    assert serialized_file_main_class(old(text=b"x.1\0")) is None
    assert serialized_file_main_class(old(text=b"\0")) is None


def test_a_file_has_between_one_and_65536_types() -> None:
    found = [serialized_file_main_class(old(types=types)) for types in (-1, 0, 1, 65536, 65537)]
    assert found == [None, None, 238, 238, None]


def test_every_byte_up_to_the_class_is_needed() -> None:
    for head, kind in ((old(), 238), (old(9), 238), (new(), 1120)):
        assert serialized_file_main_class(head) == kind
        assert {serialized_file_main_class(head[:size]) for size in range(len(head))} == {None}
