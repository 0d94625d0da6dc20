"""UUIDs, predicted UUIDs and logical paths of bundles."""

from __future__ import annotations

from typing import Final

from assetdb_formats.casset.errors import CassetError

SUFFIX: Final = ".casset"

_FIXED: Final = str.maketrans(dict.fromkeys(" .+=:;,[](){}!@#$%^&*\\`~|", "_"))
_DIGITS: Final = (8, 4, 4, 4, 12)


def uuid_text(raw: bytes) -> str:
    """Return a UUID as the engine prints it.

    A UUID of 16 bytes is two little-endian 64-bit numbers, printed one after the other (``Types/UUID.cpp``), which is
    not the byte order of RFC 9562; one of 8 bytes (text and 2.0) is a decimal number.
    """
    if len(raw) != 16:
        return str(int.from_bytes(raw, "little"))
    digits = raw[7::-1].hex() + raw[:7:-1].hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def uuid_from_text(text: str) -> bytes:
    """Parse a UUID, in either of the two widths."""
    if text.isascii() and text.isdecimal():
        if len(text) > 20 or int(text) >= 1 << 64:
            raise CassetError(f"{text[:40]!r} is not a 64-bit number")
        return int(text).to_bytes(8, "little")
    parts = text.split("-")
    if tuple(map(len, parts)) != _DIGITS:
        raise CassetError(f"{text[:40]!r} is not a UUID")
    try:
        digits = bytes.fromhex("".join(parts))
    except ValueError:
        digits = b""
    if len(digits) != 16:  # fromhex takes "12 34 56", too
        raise CassetError(f"{text[:40]!r} is not a UUID")
    return digits[7::-1] + digits[:7:-1]


def predicted_uuid(path: str, path_in_bundle: str = "", number: int = 0) -> bytes:
    """Return the importer's UUID of an asset of ``/Engine`` or ``/Editor``.

    Engine assets lie in ``/Engine`` and ``/Editor``.

    It is XXH3-128 of the logical path (``/Engine/Assets/Textures/Noise/Perlin/Perlin04``), then ``.`` and the path in
    the bundle for an object, then ``_n`` for the n-th of a clash; the low half is the first number
    (``AssetImporter.cpp``). Assets of ``/Game`` get random UUIDs.
    """
    import xxhash  # noqa: PLC0415 - only predictions pay for it

    text = path + (f".{path_in_bundle}" if path_in_bundle else "") + (f"_{number}" if number else "")
    return xxhash.xxh3_128_intdigest(text.encode("utf-8", "surrogateescape")).to_bytes(16, "little")


def fixed_name(name: str) -> str:
    """Replace characters that the engine forbids in object names by ``_``."""
    return name.translate(_FIXED)
