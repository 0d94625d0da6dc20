from __future__ import annotations

import hashlib

import pytest

from assetdb_formats.addressables.binary.reader import MAGIC
from assetdb_formats.addressables.hashes import content_hash, fold_hashes, key_hash, mono_hash, spooky_hash
from assetdb_formats.addressables.model import Hash128

# Around every boundary of the short form (16, 32), the change of form (192) and the blocks of the long one (96).
SPOOKY_LENGTHS = (0, 1, 15, 16, 17, 31, 32, 33, 95, 96, 191, 192, 193, 287, 288, 289, 1000)


def test_the_magic_number_is_a_hash_of_the_class_name() -> None:
    assert mono_hash("ContentCatalogData") == MAGIC


def test_a_text_ends_at_its_first_nul() -> None:
    assert mono_hash("a\0b") == mono_hash("a")
    assert mono_hash("") == mono_hash("\0")


def test_hashes_are_signed_and_fold_in_order() -> None:
    assert -(1 << 31) <= mono_hash("x" * 100) < 1 << 31
    assert fold_hashes([]) == 0
    assert fold_hashes([], 17) == 17
    assert fold_hashes([5]) == 5
    assert fold_hashes([5, 7]) == 5 * 31 + 7
    assert fold_hashes([1 << 30, 0]) == -(1 << 30)
    assert key_hash(-3) == -3
    assert key_hash(Hash128("0" * 32)) is None


def test_spooky_of_nothing_is_the_published_value() -> None:
    assert spooky_hash(b"").hex() == "1909f56bfc062723c751e8b465ee728b"


@pytest.mark.parametrize("size", SPOOKY_LENGTHS)
def test_spooky_depends_on_every_byte_and_on_the_length(size: int) -> None:
    data = bytes(number % 251 for number in range(size))
    digest = spooky_hash(data)
    assert len(digest) == 16
    assert spooky_hash(data + b"\0") != digest
    for at in range(0, size, max(1, size // 7)):
        assert spooky_hash(data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :]) != digest


def test_json_with_a_letter_that_is_not_ascii_is_hashed_as_utf_16() -> None:
    text = '{"a":"ä"}'
    assert content_hash(text.encode(), method="md5") == hashlib.md5(text.encode("utf-16-le")).hexdigest()  # noqa: S324 - the format's
    assert content_hash(b"{}", method="md5") == hashlib.md5(b"{}").hexdigest()  # noqa: S324 - the format's
    assert content_hash(b"{}") == spooky_hash(b"{}").hex()


@pytest.mark.parametrize(
    ("size", "value"),
    [
        (1, 0x70DE1D26),
        (15, 0x83EC01F9),
        (16, 0xF274736C),
        (17, 0x7E9AC0DF),
        (24, 0xD0639E68),
        (31, 0x027BCA7C),
        (32, 0xE5CFC8B6),
        (33, 0xCE01D9D7),
        (40, 0x9856C65F),
        (48, 0x390E5FDC),
        (63, 0x09C1AFB4),
        (64, 0x069C8BB7),
        (511, 0xCC1C8250),
    ],
)
def test_spooky_has_the_values_that_its_author_publishes(size: int, value: int) -> None:
    """The lower 32 bits, of the bytes from 128 on."""
    digest = spooky_hash(bytes((number + 128) % 256 for number in range(size)))
    assert int.from_bytes(digest[:4], "little") == value
