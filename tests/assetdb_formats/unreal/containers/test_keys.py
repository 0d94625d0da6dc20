"""Keys in the forms that people pass them around."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.containers.keys import parse_key
from assetdb_formats.unreal.errors import InvalidKeyError

if TYPE_CHECKING:
    from pathlib import Path

KEY = bytes(range(200, 232))
WORD = "CUE4ParseFixtureAESKey0123456789"
FORMS = (
    *((KEY.hex(), KEY), (f"0x{KEY.hex().upper()}", KEY)),
    *((base64.b64encode(KEY).decode(), KEY), (WORD, WORD.encode())),
)
WRONG = ("", "abc", KEY.hex()[2:], KEY.hex() + "00", base64.b64encode(KEY[1:]).decode(), "é" * 17)


@pytest.mark.parametrize(("text", "key"), FORMS)
def test_a_key_in_every_form_and_in_a_file(tmp_path: Path, text: str, key: bytes) -> None:
    assert parse_key(text) == key
    (tmp_path / "key.txt").write_text(f"\t{text}\n")
    assert parse_key(f"@{tmp_path / 'key.txt'}") == key


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_key(text: str) -> None:
    with pytest.raises(InvalidKeyError, match="is not a key"):
        parse_key(text)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        parse_key(f"@{tmp_path / 'key.txt'}")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_with_a_key_may_have_a_byte_order_mark(tmp_path: Path, encoding: str) -> None:
    """A key that PowerShell or an editor of Windows wrote was no key."""
    path = tmp_path / "key.txt"
    path.write_bytes(f"{KEY.hex()}\r\n".encode(encoding))
    assert parse_key(f"@{path}") == KEY
