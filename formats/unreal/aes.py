"""AES-256 as Unreal uses it: ECB (each 16 bytes alone) and, from TOC version 10, CTR with a 12-byte IV.

The `aes` extra (the `cryptography` wheel) decrypts at memory speed. Without it the same cipher runs in plain
Python, 15 to 20 us a block: enough for the index of any container, slow for extracting one.
"""

from __future__ import annotations

from importlib import import_module
from struct import Struct
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

KEY_SIZE: Final = 32
BLOCK_SIZE: Final = 16
IV_SIZE: Final = 12
_ROUNDS: Final = 14
_BLOCK: Final = Struct(">4I")
_KEY: Final = Struct(">8I")


class Cipher(Protocol):
    """AES with one key."""

    def ecb_decrypt(self, data: bytes) -> bytes:
        """Decrypt whole blocks of 16 bytes, each alone."""
        ...

    def ctr(self, data: bytes, iv: bytes, start: int = 0) -> bytes:
        """Encrypt or decrypt (the same) any bytes; the counter block is ``iv`` and a big-endian u32 from ``start``."""
        ...


def cipher(key: bytes, *, plain: bool = False) -> Cipher:
    """Return AES with a 32-byte key: of the ``aes`` extra if installed and not ``plain``, else of this module."""
    if len(key) != KEY_SIZE:
        message = f"an AES-256 key has {KEY_SIZE} bytes, this one {len(key)}"
        raise ValueError(message)
    if not plain:
        try:
            return _LibraryCipher(key)
        except ImportError:  # the extra is not installed
            pass
    return PlainCipher(key)


class _LibraryCipher:
    """AES of the `cryptography` wheel."""

    def __init__(self, key: bytes) -> None:
        ciphers: Any = import_module("cryptography.hazmat.primitives.ciphers")
        self._cipher = ciphers.Cipher
        self._modes = ciphers.modes
        self._key = ciphers.algorithms.AES(key)

    def ecb_decrypt(self, data: bytes) -> bytes:
        decryptor = self._cipher(self._key, self._modes.ECB()).decryptor()
        return bytes(decryptor.update(data) + decryptor.finalize())

    def ctr(self, data: bytes, iv: bytes, start: int = 0) -> bytes:
        encryptor = self._cipher(self._key, self._modes.CTR(iv + start.to_bytes(4, "big"))).encryptor()
        return bytes(encryptor.update(data) + encryptor.finalize())


class PlainCipher:
    """AES of FIPS 197 in plain Python, over tables of 256 words.

    Not for secrets of one's own: its time depends on the data. Here the key is published with the game.
    """

    def __init__(self, key: bytes) -> None:
        self._encryption = _expand(key)
        self._decryption = _invert(self._encryption)

    def ecb_decrypt(self, data: bytes) -> bytes:
        """Decrypt whole blocks of 16 bytes, each alone."""
        if len(data) % BLOCK_SIZE:
            message = f"{len(data)} bytes are not whole blocks of {BLOCK_SIZE}"
            raise ValueError(message)
        result = bytearray(len(data))
        t0, t1, t2, t3 = _DECRYPT
        inverse = _INVERSE
        keys = self._decryption
        for start in range(0, len(data), BLOCK_SIZE):
            w0, w1, w2, w3 = _BLOCK.unpack_from(data, start)
            a, b, c, d = w0 ^ keys[0], w1 ^ keys[1], w2 ^ keys[2], w3 ^ keys[3]
            for at in range(4, 4 * _ROUNDS, 4):
                a, b, c, d = (
                    t0[a >> 24] ^ t1[d >> 16 & 255] ^ t2[c >> 8 & 255] ^ t3[b & 255] ^ keys[at],
                    t0[b >> 24] ^ t1[a >> 16 & 255] ^ t2[d >> 8 & 255] ^ t3[c & 255] ^ keys[at + 1],
                    t0[c >> 24] ^ t1[b >> 16 & 255] ^ t2[a >> 8 & 255] ^ t3[d & 255] ^ keys[at + 2],
                    t0[d >> 24] ^ t1[c >> 16 & 255] ^ t2[b >> 8 & 255] ^ t3[a & 255] ^ keys[at + 3],
                )
            _BLOCK.pack_into(
                result,
                start,
                _last(inverse, a, d, c, b) ^ keys[56],
                _last(inverse, b, a, d, c) ^ keys[57],
                _last(inverse, c, b, a, d) ^ keys[58],
                _last(inverse, d, c, b, a) ^ keys[59],
            )
        return bytes(result)

    def ctr(self, data: bytes, iv: bytes, start: int = 0) -> bytes:
        """Encrypt or decrypt (the same) any bytes; the counter block is ``iv`` and a big-endian u32 from ``start``."""
        if len(iv) != IV_SIZE:
            message = f"an IV has {IV_SIZE} bytes, this one {len(iv)}"
            raise ValueError(message)
        blocks = -(-len(data) // BLOCK_SIZE)
        stream = bytearray(blocks * BLOCK_SIZE)
        i0, i1, i2, _ = _BLOCK.unpack(iv + bytes(4))
        t0, t1, t2, t3 = _ENCRYPT
        keys = self._encryption
        for number in range(blocks):
            a, b, c, d = i0 ^ keys[0], i1 ^ keys[1], i2 ^ keys[2], (start + number & 0xFFFFFFFF) ^ keys[3]
            for at in range(4, 4 * _ROUNDS, 4):
                a, b, c, d = (
                    t0[a >> 24] ^ t1[b >> 16 & 255] ^ t2[c >> 8 & 255] ^ t3[d & 255] ^ keys[at],
                    t0[b >> 24] ^ t1[c >> 16 & 255] ^ t2[d >> 8 & 255] ^ t3[a & 255] ^ keys[at + 1],
                    t0[c >> 24] ^ t1[d >> 16 & 255] ^ t2[a >> 8 & 255] ^ t3[b & 255] ^ keys[at + 2],
                    t0[d >> 24] ^ t1[a >> 16 & 255] ^ t2[b >> 8 & 255] ^ t3[c & 255] ^ keys[at + 3],
                )
            _BLOCK.pack_into(
                stream,
                number * BLOCK_SIZE,
                _last(_SUBSTITUTION, a, b, c, d) ^ keys[56],
                _last(_SUBSTITUTION, b, c, d, a) ^ keys[57],
                _last(_SUBSTITUTION, c, d, a, b) ^ keys[58],
                _last(_SUBSTITUTION, d, a, b, c) ^ keys[59],
            )
        size = len(data)
        mixed = int.from_bytes(data, "little") ^ int.from_bytes(stream[:size], "little")
        return mixed.to_bytes(size, "little")


def _last(box: bytes, a: int, b: int, c: int, d: int) -> int:
    return box[a >> 24] << 24 | box[b >> 16 & 255] << 16 | box[c >> 8 & 255] << 8 | box[d & 255]


def _double(value: int) -> int:
    return (value << 1) ^ (0x11B if value & 0x80 else 0)


def _times(value: int, factor: int) -> int:
    product = 0
    while factor:
        if factor & 1:
            product ^= value
        value = _double(value)
        factor >>= 1
    return product


def _boxes() -> tuple[bytes, bytes]:
    forward = bytearray(256)
    power = inverse = 1
    while True:  # 3 generates the field, 0xF6 is its inverse: walk both ways round
        power ^= _double(power)
        inverse = _times(inverse, 0xF6)
        spread = inverse ^ _turn(inverse, 1) ^ _turn(inverse, 2) ^ _turn(inverse, 3) ^ _turn(inverse, 4)
        forward[power] = spread ^ 0x63
        if power == 1:
            break
    forward[0] = 0x63
    backward = bytearray(256)
    for value, substituted in enumerate(forward):
        backward[substituted] = value
    return bytes(forward), bytes(backward)


def _turn(value: int, shift: int) -> int:
    return (value << shift | value >> (8 - shift)) & 255


def _tables(box: bytes, factors: Sequence[int]) -> list[list[int]]:
    column = []
    for value in box:
        w, x, y, z = (_times(value, factor) for factor in factors)
        column.append(w << 24 | x << 16 | y << 8 | z)
    return [[(word >> 8 * turn | word << 32 - 8 * turn) & 0xFFFFFFFF for word in column] for turn in range(4)]


_SUBSTITUTION, _INVERSE = _boxes()
_ENCRYPT: Final = _tables(_SUBSTITUTION, (2, 1, 1, 3))
_DECRYPT: Final = _tables(_INVERSE, (14, 9, 13, 11))


def _substitute(word: int) -> int:
    return _last(_SUBSTITUTION, word, word, word, word)


def _expand(key: bytes) -> list[int]:
    words = list(_KEY.unpack(key))
    constant = 1
    for number in range(8, 4 * (_ROUNDS + 1)):
        word = words[-1]
        if number % 8 == 0:
            word = _substitute((word << 8 | word >> 24) & 0xFFFFFFFF) ^ constant << 24
            constant = _double(constant)
        elif number % 8 == 4:
            word = _substitute(word)
        words.append(words[number - 8] ^ word)
    return words


def _invert(words: list[int]) -> list[int]:
    """Return the round keys of the inverse cipher: reversed, the inner ones through the inverse column mix."""
    inverse: list[int] = []
    t0, t1, t2, t3 = _DECRYPT
    box = _SUBSTITUTION
    for start in range(4 * _ROUNDS, -1, -4):
        for word in words[start : start + 4]:
            if 0 < start < 4 * _ROUNDS:
                mixed = t0[box[word >> 24]] ^ t1[box[word >> 16 & 255]] ^ t2[box[word >> 8 & 255]] ^ t3[box[word & 255]]
                inverse.append(mixed)
            else:
                inverse.append(word)
    return inverse
