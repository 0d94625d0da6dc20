"""UUIDs as text, and read again."""

from __future__ import annotations

import pytest

from assetdb_formats.casset.identity import uuid_from_text, uuid_text


def test_uuids_are_two_little_endian_numbers() -> None:
    raw = (0x0123456789ABCDEF).to_bytes(8, "little") + (0xFEDCBA9876543210).to_bytes(8, "little")
    assert uuid_text(raw) == "01234567-89ab-cdef-fedc-ba9876543210"
    assert uuid_from_text(uuid_text(raw)) == raw
    assert uuid_text((8385831137116481649).to_bytes(8, "little")) == "8385831137116481649"
    assert uuid_from_text("8385831137116481649") == (8385831137116481649).to_bytes(8, "little")
    spaced = "01 34 67-89ab-cdef-fedc-ba9876543210"
    for wrong in ("", "1" * 21, str(1 << 64), "x" * 36, "0123456789ab-cdef-fedc-ba98-765432100000", spaced):
        with pytest.raises(ValueError, match=r"not a|non-hexadecimal"):
            uuid_from_text(wrong)
