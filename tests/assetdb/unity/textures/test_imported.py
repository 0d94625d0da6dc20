"""Textures as platforms get them: by Unity's rules, and beside real players."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.objects.values import read_values
from assetdb.builds.trace.tracer import Tracer
from assetdb.query.snapshots.snapshot import open_project
from assetdb.unity.textures.imported import ImportedTexture, has_alpha, imported_texture

if TYPE_CHECKING:
    from pathlib import Path

PLATFORM = """  - serializedVersion: 3
    buildTarget: {name}
    maxTextureSize: {most}
    textureFormat: {format}
    textureCompression: {compression}
    crunchedCompression: {crunched}
    overridden: {own}
"""


def png(width: int, height: int, *, alpha: bool = False, palette: bool = False) -> bytes:
    kind = 3 if palette else 6 if alpha else 2
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", width, height, 8, kind, 0, 0, 0) + bytes(4)
    return head + (b"\0\0\0\1tRNS\0" + bytes(4) if palette and alpha else b"") + b"\0\0\0\0IDAT"


def meta(*platforms: str, mips: int = 0, power: int = 0, more: str = "") -> bytes:
    rows = "".join(platforms)
    return (
        f"fileFormatVersion: 2\nguid: 0\nTextureImporter:\n  mipmaps:\n    enableMipMap: {mips}\n  nPOTScale: {power}\n"
        f"  textureType: 0\n  textureShape: 1\n  alphaUsage: 1\n  maxTextureSize: 2048\n{more}"
        f"  platformSettings:\n{rows}  spriteSheet:\n    serializedVersion: 2\n"
    ).encode()


def typed(kind: int, row: str, more: str = "") -> bytes:
    """Return a meta of a normal map (1), of one channel (10), and so on."""
    return meta(row, more=more).replace(b"textureType: 0", b"textureType: %d" % kind)


def platform(
    name: str = "DefaultTexturePlatform",
    *,
    most: int = 2048,
    number: int = -1,
    compression: int = 1,
    crunched: int = 0,
    own: int = 0,
) -> str:
    return PLATFORM.format(name=name, most=most, format=number, compression=compression, crunched=crunched, own=own)


def of(
    head: bytes, settings: bytes, target: str = "Standalone", version: tuple[int, int] = (2022, 3)
) -> ImportedTexture:
    found = imported_texture(head, "png", settings, target, version)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("head", "settings", "expected"),
    [
        # 64 x 64 pixels in blocks of 4 x 4: 256 of 8 bytes, or of 16 with alpha.
        (png(64, 64), meta(platform()), (64, 64, 10, 1, 2048)),
        (png(64, 64, alpha=True), meta(platform()), (64, 64, 12, 1, 4096)),
        (png(64, 64, alpha=True, palette=True), meta(platform()), (64, 64, 12, 1, 4096)),
        (png(64, 64), meta(platform(compression=0)), (64, 64, 3, 1, 64 * 64 * 3)),
        (png(64, 64, alpha=True), meta(platform(compression=0)), (64, 64, 4, 1, 64 * 64 * 4)),
        (png(64, 64), meta(platform(compression=2)), (64, 64, 25, 1, 4096)),
        # Levels of 64, 32, 16, 8, 4, 2 and 1: 256 + 64 + 16 + 4 + 1 + 1 + 1 blocks.
        (png(64, 64), meta(platform(), mips=1), (64, 64, 10, 7, 343 * 8)),
        (png(4000, 1000), meta(platform(most=512)), (512, 128, 10, 1, 128 * 32 * 8)),
        # What is no multiple of 4, and levels of what is no power of two, are not compressed.
        (png(66, 64), meta(platform()), (66, 64, 3, 1, 66 * 64 * 3)),
        (png(200, 200), meta(platform()), (200, 200, 10, 1, 50 * 50 * 8)),
        (png(12, 12), meta(platform(), mips=1), (12, 12, 3, 4, (144 + 36 + 9 + 1) * 3)),
        (png(100, 70), meta(platform(), power=1), (128, 64, 10, 1, 32 * 16 * 8)),
        (png(100, 70), meta(platform(), power=2), (128, 128, 10, 1, 32 * 32 * 8)),
        (png(100, 70), meta(platform(), power=3), (64, 64, 10, 1, 16 * 16 * 8)),
        # The platform's own settings count where they are switched on.
        (png(64, 64), meta(platform(), platform("Standalone", most=32, own=1)), (32, 32, 10, 1, 512)),
        (png(64, 64), meta(platform(), platform("Standalone", most=32)), (64, 64, 10, 1, 2048)),
        (png(64, 64), meta(platform(), platform("Android", most=32, own=1)), (64, 64, 10, 1, 2048)),
        (png(64, 64), meta(platform(number=7)), (64, 64, 7, 1, 64 * 64 * 2)),
        (png(64, 64), meta(platform(crunched=1)), (64, 64, 10, 1, None)),
        (png(64, 64), meta(platform(most=0)), (64, 64, 10, 1, 2048)),
        (png(64, 1), meta(platform(most=32), power=3), (32, 1, 10, 1, 8 * 8)),
        # 16 bits, as Unity before 5.5 wrote it: RGB565, or ARGB4444; then truecolor, a normal map, and one channel.
        (png(64, 64), meta(platform(number=-2)), (64, 64, 7, 1, 64 * 64 * 2)),
        (png(64, 64, alpha=True), meta(platform(number=-2)), (64, 64, 13, 1, 64 * 64 * 2)),
        (png(64, 64), meta(platform(number=-3)), (64, 64, 3, 1, 64 * 64 * 3)),
        (png(64, 64), typed(1, platform(compression=0)), (64, 64, 4, 1, 64 * 64 * 4)),
        (png(64, 64), typed(10, platform(compression=0)), (64, 64, 1, 1, 64 * 64)),
        (png(64, 64), typed(10, platform(number=-3), "  singleChannelComponent: 1\n"), (64, 64, 63, 1, 64 * 64)),
    ],
)
def test_a_texture_of_a_desktop(head: bytes, settings: bytes, expected: tuple[int | None, ...]) -> None:
    assert tuple(of(head, settings)) == expected


@pytest.mark.parametrize(
    ("target", "version", "alpha", "number", "size"),
    [
        # ETC: 8 bytes a block of 4 x 4, with alpha 16; ASTC: 16 bytes a block of 6 x 6.
        ("Android", (2020, 3), False, 34, 2048),
        ("Android", (2020, 3), True, 47, 4096),
        ("Android", (2022, 3), True, 50, 11 * 11 * 16),
        ("iPhone", (2022, 3), False, 50, 11 * 11 * 16),
        ("WebGL", (2022, 3), False, 10, 2048),
    ],
)
def test_other_platforms(target: str, version: tuple[int, int], alpha: bool, number: int, size: int) -> None:  # noqa: FBT001 - a case
    found = of(png(64, 64, alpha=alpha), meta(platform()), target, version)
    assert (found.format, found.bytes) == (number, size)


def test_what_is_not_known() -> None:
    cube = meta(platform()).replace(b"textureShape: 1", b"textureShape: 2")
    assert imported_texture(png(64, 64), "png", cube, "Standalone") is None
    assert imported_texture(b"", "png", meta(platform()), "Standalone") is None
    assert imported_texture(png(1 << 30, 1), "png", meta(platform()), "Standalone") is None
    assert imported_texture(png(64, 64), "png", b"ModelImporter:\n", "Standalone") is None
    assert imported_texture(png(64, 64), "png", meta(platform(number=999)), "Standalone") is None
    assert imported_texture(png(64, 64), "png", b"TextureImporter:\n" + b"  platformSettings:\n" * 50_000, "WebGL")


def test_alpha() -> None:
    assert not has_alpha(b"\xff\xd8", "jpg")
    assert has_alpha(bytes(16) + b"\x20\0", "tga")
    assert not has_alpha(bytes(16) + b"\x18\0", "tga")
    assert has_alpha(b"8BPS\0\1" + bytes(6) + b"\0\4" + bytes(20), "psd")
    assert not has_alpha(b"8BPS\0\1" + bytes(6) + b"\0\3" + bytes(20), "psd")
    assert has_alpha(b"BM" + bytes(26) + b"\x20\0", "bmp")
    assert not has_alpha(b"BM" + bytes(26) + b"\x18\0", "bmp")
    assert not has_alpha(b"BM", "bmp")
    assert has_alpha(b"GIF89a", "gif")
    grey = png(8, 8).replace(b"\x08\x02", b"\x08\x04")
    assert (has_alpha(grey, "png"), has_alpha(png(8, 8), "png")) == (True, False)


@pytest.mark.long
@pytest.mark.corpus("builds", "players", "buildreports")
def test_the_estimate_is_within_5_percent_of_95_percent_of_built_textures(corpus: Path, tmp_path: Path) -> None:
    """52 textures of five players; two of the three others are opaque pictures with an alpha channel."""
    near = known = 0
    for place, (project, version) in {
        "pixel-adventure/Build/My project_Data": ("pixel-adventure", (2022, 3)),
        "Urbanize/Build_Data": ("Urbanize", (2017, 2)),
        "Pong/Build/Pong_Data": ("Pong", (2020, 3)),
        "Arkanoid/xd/Arkanoid_Data": ("Arkanoid", (2018, 3)),
        "Arkanoid/Library/PlayerDataCache/Win64/Data": ("Arkanoid", (2018, 3)),
    }.items():
        root = corpus / "builds" / project
        build = open_build(corpus / "builds" / place, remember=False)
        snapshot = open_project(str(root), str(tmp_path / project))
        snapshot.refresh()
        for row in Tracer(build, snapshot).all():
            path = root / row.sources[0].path if len(row.sources) == 1 else root
            extension = path.suffix[1:].lower()
            if build.class_ids[row.number] != 28 or extension not in ("png", "jpg", "jpeg", "tga", "psd"):
                continue
            settings = path.with_name(f"{path.name}.meta").read_bytes()
            found = imported_texture(path.read_bytes()[: 1 << 16], extension, settings, "Standalone", version)
            value = read_values(build, row.number)
            assert isinstance(value, dict)
            size = value["m_CompleteImageSize"]
            assert isinstance(size, int)
            known += 1
            near += found is not None and found.bytes is not None and abs(found.bytes - size) <= 0.05 * size
        snapshot.close()
    assert known > 50
    assert near / known >= 0.95
