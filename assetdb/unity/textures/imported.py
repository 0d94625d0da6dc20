"""Sizes of textures in a build, estimated from picture and meta.

The importer scales a picture to powers of two where its settings say so, then to the platform's greatest size, and
stores it in the format of the platform. An automatic format depends on the platform, on the quality, and on whether the
picture has an alpha channel. What follows from pixels is not known: crunched bytes, and whether alpha is used at all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.textures.pictures import picture_size

if TYPE_CHECKING:
    from collections.abc import Iterator

STANDALONE: Final = "Standalone"
PLATFORMS: Final = {
    "standalone": STANDALONE,
    "windows": STANDALONE,
    "macos": STANDALONE,
    "linux": STANDALONE,
    "server": "Server",
    "android": "Android",
    "ios": "iPhone",
    "iphone": "iPhone",
    "tvos": "tvOS",
    "webgl": "WebGL",
    "switch": "Switch",
    "ps4": "PS4",
    "ps5": "PS5",
    "xboxone": "XboxOne",
    "visionos": "VisionOS",
}
"""Words for platforms, in lower case, and the platforms as metas call them."""
ALL_PLATFORMS: Final = "DefaultTexturePlatform"
"""The row of settings for platforms that have none of their own."""
_MOBILE: Final = frozenset(("Android", "iPhone", "tvOS", "VisionOS", "Switch"))
_NO_BC7: Final = frozenset(("WebGL",))

AUTOMATIC: Final = -1
"""In place of a format that Unity chooses."""
_AUTOMATIC_16: Final = -2
_AUTOMATIC_TRUE: Final = -3
_CRUNCHED: Final = frozenset((28, 29, 64, 65))
_UNCOMPRESSED, _NORMAL, _HIGH, _LOW = range(4)
_CUBE: Final = 2
_NORMAL_MAP: Final = 1
_SINGLE_CHANNEL: Final = 10
_LARGEST: Final = 1 << 16

# Width and height of a block, and its bytes, by format.
_BLOCKS: Final = {
    **dict.fromkeys((1, 63), (1, 1, 1)),
    **dict.fromkeys((2, 7, 9, 13, 15, 62), (1, 1, 2)),
    3: (1, 1, 3),
    **dict.fromkeys((4, 5, 14, 16, 18, 22, 72), (1, 1, 4)),
    73: (1, 1, 6),
    **dict.fromkeys((17, 19, 74), (1, 1, 8)),
    20: (1, 1, 16),
    **dict.fromkeys((10, 26, 34, 35, 41, 42, 45, 46), (4, 4, 8)),
    **dict.fromkeys((12, 24, 25, 27, 36, 43, 44, 47, 48, 54, 66), (4, 4, 16)),
    **dict.fromkeys((49, 55, 67), (5, 5, 16)),
    **dict.fromkeys((50, 56, 68), (6, 6, 16)),
    **dict.fromkeys((51, 57, 69), (8, 8, 16)),
    **dict.fromkeys((52, 58, 70), (10, 10, 16)),
    **dict.fromkeys((53, 59, 71), (12, 12, 16)),
}
_RGB24, _RGBA32, _RGB565, _ARGB4444, _ALPHA8, _R8 = 3, 4, 7, 13, 1, 63
_DXT1, _DXT5, _BC7, _ETC, _ETC2 = 10, 12, 25, 34, 47
_ASTC: Final = {_NORMAL: 50, _HIGH: 48, _LOW: 51}
_ASTC_SINCE: Final = {"Android": (2021, 2), "iPhone": (2020, 1), "tvOS": (2020, 1)}
_DXT: Final = frozenset((_DXT1, _DXT5, _BC7, 24, 26, 27))

_FIELD: Final = re.compile(rb"^ *(?:- )?(\w+): *(-?\d+|[A-Za-z]\w*(?: \w+)*) *\r?$", re.MULTILINE)
_PLATFORM_LIST: Final = re.compile(
    rb"^  (?:platformSettings|buildTargetSettings):.*\r?\n((?:  (?:-| ) .*\r?\n?)*)", re.MULTILINE
)


class ImportedTexture(NamedTuple):
    """A texture as a platform gets it.

    Attributes:
        format: Unity's number.
        bytes: of all levels; None where it follows from pixels (crunched).
    """

    width: int
    height: int
    format: int
    mips: int
    bytes: int | None


class _Settings(NamedTuple):
    """The settings of one platform."""

    most: int
    format: int
    compression: int
    crunched: bool


def imported_texture(
    head: bytes, extension: str, meta: bytes, platform: str, version: tuple[int, int] = (0, 0)
) -> ImportedTexture | None:
    """Return a texture as a platform gets it, None if unknown.

    Args:
        head: the beginning of the picture.
        extension: its, in lower case.
        meta: beside it.
        platform: as metas call it.
        version: of the editor: mobile platforms have other formats since some release.
    """
    size = picture_size(head, extension)
    if size is None or b"TextureImporter:" not in meta or max(size) > _LARGEST:
        return None
    top = dict(_fields(_PLATFORM_LIST.sub(b"", meta)))
    if top.get("textureShape", 1) == _CUBE or top.get("generateCubemap", 0) not in (0, 6):
        return None
    settings = _settings(meta, top, platform)
    width, height = _scaled(*size, int_of(top, "nPOTScale", 0), settings.most)
    alpha = {0: False, 2: True}.get(int_of(top, "alphaUsage", 1), has_alpha(head, extension))
    number = settings.format if settings.format > 0 else _automatic(settings, top, platform, version, alpha=alpha)
    mips = max(width, height).bit_length() if int_of(top, "enableMipMap", 0) else 1
    if number in _DXT and not _is_compressible(width, height, mips):
        number = _RGBA32 if alpha else _RGB24
    is_crunched = number in _CRUNCHED or (settings.crunched and number in (_DXT1, _DXT5, _ETC, _ETC2))
    if is_crunched:
        return ImportedTexture(width, height, number, mips, None)
    if number not in _BLOCKS:
        return None
    return ImportedTexture(width, height, number, mips, _bytes(width, height, number, mips))


def _is_compressible(width: int, height: int, mips: int) -> bool:
    """Return whether Unity stores blocks of 4 by 4 pixels.

    FarmIcon.psd of Urbanize, 200 by 200 with levels of 100, 50, ... is stored as it is.
    """
    if width & (width - 1) == height & (height - 1) == 0:
        return True
    return mips == 1 and width % 4 == height % 4 == 0


def has_alpha(head: bytes, extension: str) -> bool:
    """Return whether a picture has an alpha channel or transparent colour."""
    if head.startswith(b"\x89PNG") and len(head) > 25:
        return head[25] in (4, 6) or b"tRNS" in head[: max(head.find(b"IDAT"), 0)]
    if head.startswith(b"8BPS") and len(head) > 14:
        return int.from_bytes(head[12:14], "big") > 3
    if head.startswith(b"BM") and len(head) > 29:
        return head[28] == 32
    if extension == "tga" and len(head) > 17:
        return head[16] == 32
    return head.startswith(b"GIF8")


def _fields(meta: bytes) -> Iterator[tuple[str, int | str]]:
    """Yield the values of a block, the first of each key last."""
    for key, value in reversed(_FIELD.findall(meta)):
        text = value.decode("ascii")
        yield key.decode("ascii"), int(text) if text.lstrip("-").isdecimal() and len(text) < 12 else text


def int_of(values: dict[str, int | str], key: str, default: int) -> int:
    """Return a number among settings."""
    found = values.get(key, default)
    return found if isinstance(found, int) else default


def platform_rows(meta: bytes) -> list[dict[str, int | str]]:
    """Return the settings of each platform in a texture's meta, by key."""
    found = _PLATFORM_LIST.search(meta)
    if found is None:
        return []
    return [dict(_fields(b"- " + row)) for row in re.split(rb"^  - ", found[1], flags=re.MULTILINE)[1:]]


def _settings(meta: bytes, top: dict[str, int | str], platform: str) -> _Settings:
    """Return the settings of a platform, else of all platforms."""
    rows = platform_rows(meta)
    own = next((row for row in rows if row.get("buildTarget") == platform and int_of(row, "overridden", 1)), None)
    default = next((row for row in rows if row.get("buildTarget") == ALL_PLATFORMS), top)
    row = own or default
    return _Settings(
        int_of(row, "maxTextureSize", 2048),
        int_of(row, "textureFormat", AUTOMATIC),
        int_of(row, "textureCompression", _NORMAL),
        bool(int_of(row, "crunchedCompression", 0)),
    )


def _scaled(width: int, height: int, to_power: int, most: int) -> tuple[int, int]:
    """Return width and height as imported."""
    if to_power:
        width, height = _power(width, to_power), _power(height, to_power)
    greatest = max(width, height)
    if greatest > most > 0:
        width, height = max(1, round(width * most / greatest)), max(1, round(height * most / greatest))
    return width, height


def _power(size: int, how: int) -> int:
    """Return the nearest (1), next (2) or previous (3) power of two."""
    above = 1 << (size - 1).bit_length()
    below = 1 << (size.bit_length() - 1)
    return above if how == 2 else below if how == 3 else (above if above - size <= size - below else below)


def _automatic(
    settings: _Settings, top: dict[str, int | str], platform: str, version: tuple[int, int], *, alpha: bool
) -> int:
    """Return the format that Unity takes for a platform."""
    kind = int_of(top, "textureType", 0)
    if settings.format == _AUTOMATIC_TRUE or settings.compression == _UNCOMPRESSED:
        if kind == _SINGLE_CHANNEL:
            return _ALPHA8 if int_of(top, "singleChannelComponent", 0) == 0 else _R8
        return _RGBA32 if alpha or kind == _NORMAL_MAP else _RGB24
    if settings.format == _AUTOMATIC_16:
        return _ARGB4444 if alpha else _RGB565
    if platform in _MOBILE:
        since = _ASTC_SINCE.get(platform, (0, 0))
        if version >= since or platform not in _ASTC_SINCE:
            return _ASTC.get(settings.compression, _ASTC[_NORMAL])
        return _ETC2 if alpha else _ETC
    if settings.compression == _HIGH and platform not in _NO_BC7:
        return _BC7
    return _DXT5 if alpha or kind == _NORMAL_MAP else _DXT1


def _bytes(width: int, height: int, number: int, mips: int) -> int:
    """Return the bytes of all levels."""
    across, down, size = _BLOCKS[number]
    return sum(
        -(-max(1, width >> level) // across) * -(-max(1, height >> level) // down) * size for level in range(mips)
    )
