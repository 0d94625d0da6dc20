"""The test vectors of RFC 1320 and lengths around the block boundary."""

import pytest

from assetdb_formats.codecs.md4 import md4


@pytest.mark.parametrize(
    ("text", "digest"),
    [
        (b"", "31d6cfe0d16ae931b73c59d7e0c089c0"),
        (b"a", "bde52cb31de33e46245e05fbdbd6fb24"),
        (b"abc", "a448017aaf21d8525fc10ae87aa6729d"),
        (b"message digest", "d9130a8164549fe818874806e1c7014b"),
        (b"abcdefghijklmnopqrstuvwxyz", "d79e1c308aa5bbcdeea8ed63df412da9"),
        (b"1234567890" * 8, "e33b4ddc9c38f2199c3e7b164fcc0536"),
    ],
)
def test_digest_of_the_standard(text: bytes, digest: str) -> None:
    assert md4(text).hex() == digest


def test_every_length_around_a_block_gives_its_own_digest() -> None:
    assert len({md4(b"x" * length) for length in range(200)}) == 200
