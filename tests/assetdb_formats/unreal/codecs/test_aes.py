"""AES against published results."""

from __future__ import annotations

import pytest

from assetdb_formats.unreal.codecs.aes import Cipher


def test_aes_of_the_standard() -> None:
    pytest.importorskip("cryptography", reason="this Python is without cryptography")
    key = bytes(range(32))  # FIPS 197, appendix C.3
    block = bytes.fromhex("8ea2b7ca516745bfeafc49904b496089")
    plain = bytes.fromhex("00112233445566778899aabbccddeeff")
    for count in range(3):  # each block alone
        assert Cipher(key).ecb_decrypt(block * count) == plain * count


def test_the_counter_of_the_standard_begins_anywhere() -> None:
    pytest.importorskip("cryptography", reason="this Python is without cryptography")
    key = bytes.fromhex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")  # SP 800-38A, F.5.5
    block = bytes.fromhex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
    plain = bytes.fromhex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
    stored = bytes.fromhex("601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5")
    start = int.from_bytes(block[12:], "big")
    assert Cipher(key).ctr(plain, block[:12], start) == stored
    assert Cipher(key).ctr(stored[16:], block[:12], start + 1) == plain[16:]
    assert Cipher(key).ctr(stored[:5], block[:12], start) == plain[:5]
    assert Cipher(key).ctr(plain, block[:12]) == Cipher(key).ctr(plain, block[:12], 0) != stored
    assert Cipher(key).ctr(b"", block[:12]) == b""


@pytest.mark.parametrize("size", [0, 16, 31, 33])
def test_a_key_has_32_bytes(size: int) -> None:
    with pytest.raises(ValueError, match=f"32 bytes, this one {size}"):
        Cipher(bytes(size))


@pytest.mark.parametrize("size", [1, 15, 17])
def test_blocks_are_whole(size: int) -> None:
    with pytest.raises(ValueError, match=f"{size} bytes are not whole blocks of 16"):
        Cipher(bytes(32)).ecb_decrypt(bytes(size))


@pytest.mark.parametrize("size", [0, 11, 13, 16])
def test_an_iv_has_12_bytes(size: int) -> None:
    with pytest.raises(ValueError, match=f"12 bytes, this one {size}"):
        Cipher(bytes(32)).ctr(b"123", bytes(size))
