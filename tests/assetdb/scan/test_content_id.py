"""The content id."""

from __future__ import annotations

import sys
from hashlib import blake2b

import pytest
from xxhash import xxh3_128_digest

from assetdb.scan.content_id import SIZE, content_id, content_id_of, digest_state, hasher
from tests.forged import forged_metas


@pytest.mark.parametrize(
    ("data", "expected"),  # of the reference implementation of BLAKE3
    [(b"", "af1349b9f5f9a1a6a0404dea36dcc949"), (b"abc", "6437b3ac38465133ffb63b75273a8db5")],
)
def test_it_begins_as_blake3_does(data: bytes, expected: str) -> None:
    assert SIZE == len(content_id(data)) == 16
    assert content_id(data).hex() == hasher()(memoryview(data)).hex() == expected
    assert content_id_of([data[:1], memoryview(data)[1:], b""]).hex() == expected


def test_files_that_were_made_for_a_fast_hash_have_different_ids() -> None:
    first, second = forged_metas()
    assert xxh3_128_digest(first) == xxh3_128_digest(second)
    assert content_id(first) != content_id(second)


def test_a_digest_of_facts_needs_no_openssl(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = blake2b(b"facts", digest_size=16).digest()
    assert digest_state(b"facts", size=16).digest() == expected
    monkeypatch.setitem(sys.modules, "_blake2", None)  # as where Python was built without its own hash functions
    assert digest_state(b"facts", size=16).digest() == expected
