"""Encoded GUIDs, made by the rule as it was found: exclusive or of the digits with 3f4a2f851a9d634b."""

from __future__ import annotations

import base64

import pytest

from assetdb.unity.metas.encoded_guid import encoded_guid

MASK = bytes.fromhex("3f4a2f851a9d634b")


def encoded(digits: str, rest: bytes = bytes(33)) -> str:
    head = bytes(one ^ other for one, other in zip(digits.encode(), MASK, strict=True))
    return base64.b64encode(head + rest).decode()


@pytest.mark.parametrize("digits", ["8f8ebe94", "00000000", "ffffffff", "0123abcd"])
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_the_first_digits_are_known(digits: str, end: str) -> None:
    assert encoded_guid(f"fileFormatVersion: 2\nguid: {encoded(digits)}{end}".encode())[1] == digits


@pytest.mark.parametrize(
    "text",
    [
        "guid: 0123456789abcdef0123456789abcdef",
        f"guid: {encoded('8f8ebe94')[:-1]}",
        f"guid: {encoded('8f8ebe94')}=",
        f"guid: {base64.b64encode(bytes(41)).decode()}",  # no digits
        f"  guid: {encoded('8f8ebe94')}",
        f"guid: {encoded('8f8ebe94', bytes(36))}",
        "guid: ",
        "",
    ],
)
def test_other_shapes_are_none(text: str) -> None:
    assert encoded_guid(f"fileFormatVersion: 2\n{text}\n".encode()) == ("", "")
