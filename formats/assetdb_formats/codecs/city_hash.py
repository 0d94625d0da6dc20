"""CityHash64 (version 1.1), and the ids that Unreal makes with it.

Package ids, container ids, name hashes and script object ids are all this hash of a lower-cased text. The
algorithm is Google's published one (MIT); written here because the only maintained wheel is rarely installed
and an id takes 5 to 15 microseconds.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

_U64: Final = Struct("<Q")
_U32: Final = Struct("<I")
_MASK: Final = (1 << 64) - 1
_K0: Final = 0xC3A5C85C97CB3127
_K1: Final = 0xB492B66FBE98F273
_K2: Final = 0x9AE16A3B2F90404F
_MULTIPLIER: Final = 0x9DDFEA08EB382D69
_UPPER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def city_hash_64(data: bytes) -> int:
    """Return the 64-bit CityHash of ``data``."""
    size = len(data)
    if size <= 16:
        return _up_to_16(data, size)
    if size <= 32:
        return _up_to_32(data, size)
    if size <= 64:
        return _up_to_64(data, size)
    return _longer(data, size)


def package_id(name: str) -> int:
    """Return the id of a package such as ``/Game/Maps/Arena``."""
    return city_hash_64(name.translate(_UPPER).encode("utf-16-le", "surrogatepass"))


def name_hash(name: str) -> int:
    """Return the hash of a name's ASCII bytes, or of its UTF-16."""
    lower = name.translate(_UPPER)
    return city_hash_64(lower.encode("ascii") if lower.isascii() else lower.encode("utf-16-le", "surrogatepass"))


def object_path_hash(path: str) -> int:
    """Return the 62-bit hash of an object path, with ``/`` for ``.:``."""
    return package_id(path.replace(".", "/").replace(":", "/")) & ~(3 << 62)


def _rotate(value: int, shift: int) -> int:
    return ((value >> shift) | (value << (64 - shift))) & _MASK


def _mix(value: int) -> int:
    return value ^ (value >> 47)


def _hash_16(low: int, high: int, multiplier: int = _MULTIPLIER) -> int:
    first = ((low ^ high) * multiplier) & _MASK
    first ^= first >> 47
    second = ((high ^ first) * multiplier) & _MASK
    second ^= second >> 47
    return (second * multiplier) & _MASK


def _swap(value: int) -> int:
    return int.from_bytes(value.to_bytes(8, "little"), "big")


def _fetch(data: bytes, position: int) -> int:
    value: int = _U64.unpack_from(data, position)[0]
    return value


def _fetch_32(data: bytes, position: int) -> int:
    value: int = _U32.unpack_from(data, position)[0]
    return value


def _up_to_16(data: bytes, size: int) -> int:
    if size >= 8:
        multiplier = (_K2 + size * 2) & _MASK
        a = (_fetch(data, 0) + _K2) & _MASK
        b = _fetch(data, size - 8)
        c = (_rotate(b, 37) * multiplier + a) & _MASK
        d = ((_rotate(a, 25) + b) * multiplier) & _MASK
        return _hash_16(c, d, multiplier)
    if size >= 4:
        multiplier = (_K2 + size * 2) & _MASK
        return _hash_16((size + (_fetch_32(data, 0) << 3)) & _MASK, _fetch_32(data, size - 4), multiplier)
    if size:
        y = data[0] + (data[size >> 1] << 8)
        z = size + (data[size - 1] << 2)
        return (_mix(((y * _K2) ^ (z * _K0)) & _MASK) * _K2) & _MASK
    return _K2


def _up_to_32(data: bytes, size: int) -> int:
    multiplier = (_K2 + size * 2) & _MASK
    a = (_fetch(data, 0) * _K1) & _MASK
    b = _fetch(data, 8)
    c = (_fetch(data, size - 8) * multiplier) & _MASK
    d = (_fetch(data, size - 16) * _K2) & _MASK
    return _hash_16(
        (_rotate((a + b) & _MASK, 43) + _rotate(c, 30) + d) & _MASK,
        (a + _rotate((b + _K2) & _MASK, 18) + c) & _MASK,
        multiplier,
    )


def _up_to_64(data: bytes, size: int) -> int:
    multiplier = (_K2 + size * 2) & _MASK
    a = (_fetch(data, 0) * _K2) & _MASK
    b = _fetch(data, 8)
    c = _fetch(data, size - 24)
    d = _fetch(data, size - 32)
    e = (_fetch(data, 16) * _K2) & _MASK
    f = (_fetch(data, 24) * 9) & _MASK
    g = _fetch(data, size - 8)
    h = (_fetch(data, size - 16) * multiplier) & _MASK
    u = (_rotate((a + g) & _MASK, 43) + (_rotate(b, 30) + c) * 9) & _MASK
    v = (((a + g) ^ d) + f + 1) & _MASK
    w = (_swap(((u + v) * multiplier) & _MASK) + h) & _MASK
    x = (_rotate((e + f) & _MASK, 42) + c) & _MASK
    y = ((_swap(((v + w) * multiplier) & _MASK) + g) * multiplier) & _MASK
    z = (e + f + c) & _MASK
    a = (_swap(((x + z) * multiplier + y) & _MASK) + b) & _MASK
    b = (_mix(((z + a) * multiplier + d + h) & _MASK) * multiplier) & _MASK
    return (b + x) & _MASK


def _weak_32(data: bytes, position: int, a: int, b: int) -> tuple[int, int]:
    w, x, y, z = (_fetch(data, position + step) for step in (0, 8, 16, 24))
    a += w
    b = _rotate((b + a + z) & _MASK, 21)
    c = a
    a += x + y
    b += _rotate(a & _MASK, 44)
    return (a + z) & _MASK, (b + c) & _MASK


def _longer(data: bytes, size: int) -> int:
    x = _fetch(data, size - 40)
    y = (_fetch(data, size - 16) + _fetch(data, size - 56)) & _MASK
    z = _hash_16((_fetch(data, size - 48) + size) & _MASK, _fetch(data, size - 24))
    v0, v1 = _weak_32(data, size - 64, size, z)
    w0, w1 = _weak_32(data, size - 32, (y + _K1) & _MASK, x)
    x = (x * _K1 + _fetch(data, 0)) & _MASK
    for position in range(0, (size - 1) & ~63, 64):
        x = (_rotate((x + y + v0 + _fetch(data, position + 8)) & _MASK, 37) * _K1) & _MASK
        y = (_rotate((y + v1 + _fetch(data, position + 48)) & _MASK, 42) * _K1) & _MASK
        x ^= w1
        y = (y + v0 + _fetch(data, position + 40)) & _MASK
        z = (_rotate((z + w0) & _MASK, 33) * _K1) & _MASK
        v0, v1 = _weak_32(data, position, (v1 * _K1) & _MASK, (x + w0) & _MASK)
        w0, w1 = _weak_32(data, position + 32, (z + w1) & _MASK, (y + _fetch(data, position + 16)) & _MASK)
        z, x = x, z
    return _hash_16(
        (_hash_16(v0, w0) + _mix(y) * _K1 + z) & _MASK,
        (_hash_16(v1, w1) + x) & _MASK,
    )
