"""The index of a bundle, read from its beginning and a few places."""

from __future__ import annotations

import pytest

from assetdb_formats.casset.encoding.index import index_of, read_index
from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.model import Format
from tests.assetdb_formats.casset.builder import BUNDLE_TYPE, bundle3, bundle_object, object3, sized, u32


@pytest.mark.parametrize("is_sized", [False, True])
def test_the_index_is_that_of_the_whole_bundle_however_much_was_read_before(*, is_sized: bool) -> None:
    data = sized() if is_sized else bundle3(
        [BUNDLE_TYPE], [bundle_object(), object3(7, 0, "p" * 300, "n", bytes(50_000)), object3(8, 5, "q", "m", b"")]
    )  # fmt: skip
    whole = index_of(read_bundle(data))
    assert whole.format is (Format.SIZED_3 if is_sized else Format.BUNDLE_3)

    def read(position: int, size: int) -> bytes:
        return data[position : position + size]

    for size in (*range(56, min(len(data), 700)), len(data) - 13, len(data) - 12, len(data) - 1, len(data)):
        found = read_index(data[:size], len(data), read)
        assert found == whole, size


def test_headers_that_are_far_too_large_are_refused_before_they_are_read() -> None:
    data = bundle3([BUNDLE_TYPE], [bundle_object()])

    def none(position: int, size: int) -> bytes:
        raise AssertionError((position, size))

    far = data[:32] + (1 << 40).to_bytes(8, "little") + data[40:]
    with pytest.raises(CassetError, match="1099511627776 bytes of header and schema") as caught:
        read_index(far[:60], 1 << 41, none)
    assert (caught.value.offset, caught.value.field) == (32, "data offset")
    entry = bundle_object()
    at = data.index(entry)
    size = len(entry) - 20
    wrong = data[: at + 8] + u32(size + 1) + data[at + 12 :]
    with pytest.raises(CassetError, match=f"declares {size + 1} bytes, {size} are left") as caught:
        read_index(wrong, len(wrong), none)
    assert (caught.value.offset, caught.value.field) == (at + 8, "objects[0].header size")
