"""Bytes of assets that are text already, are none, or are of another version."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb.unity.binary.opening import LARGEST, as_text, is_damaged
from assetdb.unity.binary.yaml_form import yaml_form
from tests.assetdb.unity.binary.binary_assets import material


def test_a_binary_asset_is_returned_as_text() -> None:
    assert as_text(material()) == yaml_form(material())
    assert not is_damaged(material())


@pytest.mark.parametrize("data", [b"", b"%YAML 1.1\n", b"\0\1\2", b"\0" * 100])
def test_other_bytes_are_returned_themselves(data: bytes) -> None:
    assert as_text(data) is data


def test_garbage_is_damaged_and_a_newer_version_is_not() -> None:
    assert is_damaged(b"\0\1\2\3" * 40)
    newer = pack(">IIII", 0, 0, 24, 0) + bytes(4) + pack(">Iqqq", 8, 64, 56, 0) + bytes(12)
    newer = newer[:64].ljust(64, b"\0")
    assert as_text(newer) is newer
    assert not is_damaged(newer)


def test_a_file_that_is_too_large_is_neither_read_nor_damaged() -> None:
    data = material().ljust(LARGEST + 1, b"\0")
    assert as_text(data) is data
    assert not is_damaged(data)
