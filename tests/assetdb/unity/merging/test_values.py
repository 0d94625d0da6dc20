"""Values that are one but for their spelling."""

from __future__ import annotations

import pytest

from assetdb.unity.merging.values import either, is_same
from assetdb.unity.yaml.tree import read_tree


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("-0", "0", True),
        ("0.33333334", "0.3333333", True),
        ("1e-05", "0.00001", True),
        ("1.5", "1.50001", False),
        ("9007199254740993", "9007199254740992", False),
        ("'a b'", "a b", True),
        ("1", "2", False),
        ("{x: 0, y: 1}", "{x: -0, y: 1}", True),
        ("{x: 0, y: 1}", "{x: 0, z: 1}", False),
        ("[]", "{}", False),
        ("1.2.3", "1.2.30", False),
    ],
)
def test_same(one: str, other: str, expected: bool) -> None:  # noqa: FBT001 - of the table
    first, second = (read_tree(f"\na: {text}\n".encode()) for text in (one, other))
    assert is_same(first, second) is expected
    assert is_same(second, first) is expected


def test_of_two_spellings_the_shorter() -> None:
    assert either(b"-0", b"0") == either(b"0", b"-0") == b"0"
