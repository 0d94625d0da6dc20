"""Verification of bundles that write back, and of those that do not."""

from __future__ import annotations

from io import BytesIO

import pytest

from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.queries.verify import Verification, same_bytes, verify_bundle
from tests.assetdb_formats.casset.builder import (
    BUNDLE_TYPE,
    OTHER,
    bundle3,
    bundle_object,
    every_format,
    object3,
    schema_entry,
)


@pytest.mark.parametrize("name", sorted(every_format()))
def test_a_bundle_that_writes_back_to_its_bytes_has_no_findings(name: str) -> None:
    data = every_format()[name]
    bundle = read_bundle(data)
    assert verify_bundle(bundle, BytesIO(data)).findings == ()
    for other in (data + b"\0", data[:-1], b"\1" + data[1:]):
        assert verify_bundle(bundle, BytesIO(other)).findings == ("does not write back to the same bytes",)


def test_the_first_object_is_the_bundle_and_unknown_types_are_noted() -> None:
    unknown = [b"\3x\0", b"\4y\0"]
    data = bundle3([BUNDLE_TYPE, *unknown], [bundle_object()])
    found = verify_bundle(read_bundle(data), BytesIO(data))
    assert found.notes == ("2 schema entries of unknown kinds",)
    assert [finding.partition(": ")[2] for finding in found.findings] == [
        "schema[1]: unknown kind 3", "schema[2]: unknown kind 4"
    ]  # fmt: skip
    data = bundle3([BUNDLE_TYPE, schema_entry(2, "O", None)], [bundle_object(OTHER)])
    assert verify_bundle(read_bundle(data), BytesIO(data)) == Verification(
        ("the first object is not the bundle itself",), ()
    )
    data = bundle3([BUNDLE_TYPE], [bundle_object(), object3(7, 9, "p", "n", b"")])
    (finding,) = verify_bundle(read_bundle(data), BytesIO(data)).findings
    assert "names schema entry 9 of 1" in finding


def test_pieces_are_compared_to_the_end_of_the_stream() -> None:
    large = bytes(1 << 20) + b"x"
    splits: list[list[bytes | memoryview]] = [[large], [large[:5], memoryview(large)[5:]], [b"", large]]
    for pieces in splits:
        assert same_bytes(BytesIO(large), pieces)
        assert not same_bytes(BytesIO(large + b"y"), pieces)
        assert not same_bytes(BytesIO(large[:-1]), pieces)
        assert not same_bytes(BytesIO(large[:-1] + b"y"), pieces)
    assert same_bytes(BytesIO(b""), [])
    assert not same_bytes(BytesIO(b"x"), [])
