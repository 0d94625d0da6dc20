"""Sizes of pictures of their first bytes, whatever these claim."""

from __future__ import annotations

import struct

import pytest

from assetdb.unity.textures.pictures import picture_size

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480)
JPEG = (
    b"\xff\xd8\xff\xe0"
    + struct.pack(">H", 16)
    + bytes(14)
    + b"\xff\xc2"
    + struct.pack(">HBHH", 17, 8, 480, 640)
    + b"\x03"
)
TGA = bytes(12) + struct.pack("<HH", 640, 480) + bytes(2)
PSD = b"8BPS" + struct.pack(">H6xHII", 1, 3, 480, 640)
BMP = b"BM" + bytes(16) + struct.pack("<ii", 640, -480)
GIF = b"GIF89a" + struct.pack("<HH", 640, 480)


@pytest.mark.parametrize(
    ("head", "extension"),
    [(PNG, "png"), (JPEG, "jpg"), (TGA, "tga"), (PSD, "psd"), (BMP, "bmp"), (GIF, "gif")],
)
def test_each_format_has_its_place(head: bytes, extension: str) -> None:
    assert picture_size(head, extension) == (640, 480)
    assert picture_size(head + bytes(100), extension) == (640, 480)


@pytest.mark.parametrize("head", [PNG, JPEG, TGA, PSD, BMP, GIF])
def test_a_cut_or_empty_head_has_no_size(head: bytes) -> None:
    assert all(picture_size(head[:length], "") in (None, (640, 480)) for length in range(len(head)))
    assert picture_size(b"", "tga") is None


@pytest.mark.parametrize(
    "head", [PNG[:16] + bytes(8), b"\xff\xd8" + b"\xff\xe0\0\0" * 100, b"\xff\xd8" + b"\xff" * 999]
)
def test_a_head_that_lies_has_no_size(head: bytes) -> None:
    assert picture_size(head, "png") is None
