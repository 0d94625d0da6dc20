"""Compression of textures by platform."""

from __future__ import annotations

import pytest

from assetdb.unity.textures.compression import compression_of, fits


def row(platform: str, form: int, quality: int, overridden: int) -> str:
    return (
        f"  - serializedVersion: 3\n    buildTarget: {platform}\n    maxTextureSize: 2048\n    textureFormat: {form}\n"
        f"    textureCompression: {quality}\n    compressionQuality: 50\n    overridden: {overridden}\n"
    )


def meta(*rows: str) -> bytes:
    return (
        f"TextureImporter:\n  textureFormat: 4\n  platformSettings:\n{''.join(rows)}  spriteSheet:\n    x: 1\n".encode()
    )


@pytest.mark.parametrize(
    ("android", "expected"),
    [
        (row("Android", -1, 0, 1), "none"),
        (row("Android", -1, 1, 1), "normal"),
        (row("Android", -1, 2, 1), "high"),
        (row("Android", -1, 3, 1), "low"),
        (row("Android", -1, 3, 0), "high"),  # the default's
        ("", "high"),
        (row("Android", 4, 1, 1), "none"),  # RGBA32
        (row("Android", 50, 0, 1), "compressed"),  # ASTC
        (row("Android", -1, 9, 1), ""),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_platform(android: str, expected: str, end: str) -> None:
    data = meta(row("DefaultTexturePlatform", -1, 2, 0), android).replace(b"\n", end.encode())
    assert compression_of(data, "Android") == expected
    assert compression_of(data, "default") == "high"


def test_metas_of_2018_begin_a_row_with_its_platform() -> None:
    rows = b"  - buildTarget: DefaultTexturePlatform\n    textureFormat: -1\n    textureCompression: 2\n"
    assert compression_of(b"TextureImporter:\n  platformSettings:\n" + rows + b"  spriteSheet:\n", "Android") == "high"


@pytest.mark.parametrize("data", [b"", b"ModelImporter:\n", meta(), meta(row("Android", -1, 1, 0))])
def test_nothing_is_known(data: bytes) -> None:
    assert compression_of(data, "Android") == ""


@pytest.mark.parametrize(
    ("found", "wanted", "expected"),
    [
        ("none", "none", True),
        ("high", "low", False),
        ("high", "compressed", True),
        ("none", "compressed", False),
        ("compressed", "high", True),
        ("compressed", "none", False),
    ],
)
def test_what_fits(found: str, wanted: str, expected: bool) -> None:  # noqa: FBT001 - a row
    assert fits(found, wanted) == expected
