"""AES-256 as Unreal uses it: ECB, and CTR.

CTR has a 12-byte IV, from TOC version 10 on.

The cipher comes from the ``cryptography`` wheel (the extra ``aes``), imported when the first block is
decrypted: without the extra, what a container does not encrypt can still be read.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from assetdb_formats.extras import import_extra
from assetdb_formats.unreal.errors import MissingExtraError

if TYPE_CHECKING:
    from types import ModuleType

KEY_SIZE: Final = 32
BLOCK_SIZE: Final = 16
IV_SIZE: Final = 12


class Cipher:
    """AES with one 32-byte key.

    Raises:
        ValueError: the key has another size.
    """

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_SIZE:
            raise ValueError(f"an AES-256 key has {KEY_SIZE} bytes, this one {len(key)}")
        self._key = key

    @cached_property
    def _ciphers(self) -> ModuleType:
        module = "cryptography.hazmat.primitives.ciphers"
        return import_extra(module, "aes", "encrypted with AES", field="encryption", error=MissingExtraError)

    def ecb_decrypt(self, data: bytes) -> bytes:
        """Decrypt whole blocks of 16 bytes, each alone.

        Raises:
            ValueError: they are not whole.
            MissingExtraError: the extra ``aes`` is not installed.
        """
        if len(data) % BLOCK_SIZE:
            raise ValueError(f"{len(data)} bytes are not whole blocks of {BLOCK_SIZE}")
        ciphers = self._ciphers
        decryptor = ciphers.Cipher(ciphers.algorithms.AES(self._key), ciphers.modes.ECB()).decryptor()
        return bytes(decryptor.update(data) + decryptor.finalize())

    def ctr(self, data: bytes, iv: bytes, start: int = 0) -> bytes:
        """Encrypt or decrypt bytes of any length (the same operation).

        The counter block is ``iv`` and a big-endian u32 from ``start``.

        Raises:
            ValueError: the IV has not 12 bytes.
            MissingExtraError: the extra ``aes`` is not installed.
        """
        if len(iv) != IV_SIZE:
            raise ValueError(f"an IV has {IV_SIZE} bytes, this one {len(iv)}")
        ciphers = self._ciphers
        counter = ciphers.modes.CTR(iv + start.to_bytes(4, "big"))
        encryptor = ciphers.Cipher(ciphers.algorithms.AES(self._key), counter).encryptor()
        return bytes(encryptor.update(data) + encryptor.finalize())
