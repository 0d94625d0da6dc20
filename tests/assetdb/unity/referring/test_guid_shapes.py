"""References whose GUIDs are not 32 hexadecimal digits."""

from __future__ import annotations

import time

import pytest

from assetdb.unity.referring.guid_shapes import UnreadGuid, unread_guids, unread_in_json_and_urls, written_guid
from assetdb.unity.yaml.objects import NO_GUID, is_guid

GUID = "0123456789abcdef0123456789abcdef"
SHAPES = {
    "sixteen zeros": "0" * 16,
    "16 digits": GUID[:16],
    "31 digits": GUID[:31],
    "34 digits": f"{GUID}00",
    "64 digits": GUID * 2,
    "dashes": "01234567-89ab-cdef-0123-456789abcdef",
    "a wrong letter": f"zz{'1' * 30}",
    "base64": "BywX4Hj4Wn8k26s4UW653cGXmW+gw/b5Q1qLocuHiItaNtzbCvwy3ok=",
    "null": "~",
    "double quotes": f'"{GUID}"',
    "single quotes": f"'{GUID}'",
    "not ASCII": "0123456789abcdef0123456789abcdé\u0664",
    "other digits": "\u0660" * 32,
}
"""Texts in place of a GUID that Unity cannot read."""


@pytest.mark.parametrize("text", [GUID, GUID.upper(), NO_GUID, "0" * 16 + "e" + "0" * 15])
def test_32_hexadecimal_digits_are_a_guid(text: str) -> None:
    assert is_guid(text)
    assert written_guid(text) == text.lower()
    assert list(unread_guids(f"  a: {{fileID: 5, guid: {text}, type: 2}}\n".encode())) == []


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_any_other_text_is_not_read(text: str) -> None:
    assert not is_guid(text)
    assert written_guid(text) == text
    before = f"--- !u!114 &1\nX:\n  ok: {{fileID: 7, guid: {GUID}, type: 2}}\n  a: {{fileID: -5, guid: "
    data = f"{before}{text}, type: 2}}\n".encode()
    assert list(unread_guids(data)) == [UnreadGuid(len(before.encode()), -5, text)]


def test_quotes_are_part_of_what_is_written() -> None:
    assert written_guid(GUID, quoted=True) == f"'{GUID}'"


@pytest.mark.parametrize(
    "reference",
    [
        *("{fileID: 5, guid: , type: 2}", "{fileID: 5, guid:, type: 2}", "{fileID: 0, guid: xyz, type: 2}"),
        *("{fileID: 5}", "{fileID: 5, type: 2}", "{m_guid: xyz}", "{guid: xyz}", "{fileID: x, guid: xyz}"),
        f"{{fileID: 5, guid: {GUID},\n    type: 2}}",
        "{fileID: 5, guid: xyz, name: a}",
    ],
)
def test_no_asset_and_other_mappings_are_no_fault(reference: str) -> None:
    assert list(unread_guids(f"  a: {reference}\n".encode())) == []


def test_a_reference_over_two_lines_is_found() -> None:
    data = b"  a: {fileID: 5, guid: 0123456789abcdef,\n    type: 2}\n"
    assert list(unread_guids(data)) == [UnreadGuid(data.index(b"0123"), 5, "0123456789abcdef")]


def test_a_long_text_is_shortened() -> None:
    found = list(unread_guids(b"{fileID: 5, guid: " + b"z" * 300 + b"}"))
    assert [len(row.text) for row in found] == [81]


def test_time_is_proportional_to_size() -> None:
    start = time.process_time()
    assert list(unread_guids(b"{fileID: 5, guid: " * 200_000)) == []
    assert list(unread_guids(b"{" * 2_000_000)) == []
    assert time.process_time() - start < 10


@pytest.mark.parametrize("shape", SHAPES)
def test_other_forms_have_guids_that_unity_cannot_read(shape: str) -> None:
    text = SHAPES[shape].replace('"', "").replace("'", "")
    if is_guid(text):
        return
    for extension, form in (
        ("shadergraph", '{{"fileID":{1},"guid":"{0}","type":3}}'),
        ("uss", 'a {{ b: url("project://database/Assets/a.png?fileID={1}&guid={0}&type=3#a"); }}'),
    ):
        data = form.format(text, 46).encode()
        (found,) = unread_in_json_and_urls(data, extension)
        assert found.file_id == 46
        assert data[found.offset :].startswith(text[:20].encode())
        for other, file_id in ((GUID, 46), (text, 0), ("", 46)):
            assert list(unread_in_json_and_urls(form.format(other, file_id).encode(), extension)) == []
