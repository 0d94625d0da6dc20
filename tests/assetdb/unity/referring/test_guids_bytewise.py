"""GUIDs found byte by byte, at each bound of a run of digits."""

from __future__ import annotations

import pytest

from assetdb.unity.referring.guids_bytewise import ended_runs, text_guids

GUID = b"0123456789abcdefABCDEF9876543210"


@pytest.mark.parametrize("before", [b"", b" ", b"x", b"x" * 30, b"x" * 31, b"x" * 32, b"x" * 33, b"-" * 63])
@pytest.mark.parametrize("end", [b"", b"\n", b" ", b'"', b"'", b"\\"])
def test_a_run_of_32_digits_may_be_anywhere_and_ends_the_text_or_a_word(before: bytes, end: bytes) -> None:
    data = before + GUID + end
    assert text_guids(data) == (set(), [len(before)])
    assert ended_runs(data) == [len(before)]


@pytest.mark.parametrize("data", [b"", GUID[:31], GUID + b"0", GUID + b"g", GUID + b",", b"0" + GUID, GUID * 2])
def test_other_runs_are_none(data: bytes) -> None:
    assert text_guids(data) == (set(), [])


@pytest.mark.parametrize(
    ("before", "is_key"),
    [
        *((b"guid: ", True), (b"guid:\n", True), (b"guid: \t\r\n\v\f", True), (b"x guid: ", True), (b"xguid: ", True)),
        *((b"guid:", False), (b"uid: ", False), (b"guid; ", False), (b"gujd: ", False), (b"guie: ", False)),
        *((b"fuid: ", False), (b"gvid: ", False), (b"GUID: ", False), (b" ", False)),
    ],
)
def test_a_guid_behind_its_key_ends_where_its_value_does(before: bytes, is_key: bool) -> None:  # noqa: FBT001 - a row
    for end in (b",", b"}", b"\n", b" ", b""):
        assert text_guids(before + GUID + end)[0] == ({GUID} if is_key else set())
    for more in (b"0,", b"0" * 32 + b",", b"-,", b"z}", b"', "):
        assert text_guids(before + GUID + more)[0] == set()


def test_all_guids_of_a_text_are_found() -> None:
    other = GUID[::-1]
    data = b"{guid: " + GUID + b"} " + other + b" guid: " + other + b", " + GUID + b"\n"
    behind, ended = text_guids(data)
    assert behind == {GUID, other}
    assert [data[start : start + 32] for start in ended] == [other, GUID]
