"""AES-256 keys of games, in the forms that people pass them around."""

from __future__ import annotations

import base64
import binascii
import codecs
import contextlib
from typing import Final

from assetdb_formats.files import read_file
from assetdb_formats.unreal.codecs.aes import KEY_SIZE
from assetdb_formats.unreal.errors import InvalidKeyError

_LARGEST_FILE: Final = 1 << 16  # bytes of a file with a key


def parse_key(text: str) -> bytes:
    """Parse a key: hexadecimal, base64, 32 characters, or @FILE.

    The file has a key in one of the other forms.

    Raises:
        InvalidKeyError: the key has no form that is known.
        OSError: the file cannot be read.
    """
    word = text
    if text.startswith("@"):
        data = read_file(text[1:], largest=_LARGEST_FILE)
        # PowerShell writes UTF-16 with a mark of its byte order, and an editor may put one in front of UTF-8.
        encoding = "utf-16" if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
        word = data.decode(encoding, "replace").strip()
    with contextlib.suppress(ValueError):
        key = bytes.fromhex(word.removeprefix("0x"))
        if len(key) == KEY_SIZE:
            return key
    with contextlib.suppress(binascii.Error, ValueError):
        key = base64.b64decode(word, validate=True)
        if len(key) == KEY_SIZE:
            return key
    if len(word.encode()) == KEY_SIZE:
        return word.encode()
    raise InvalidKeyError(
        "is not a key: give 64 hexadecimal digits, base64 of 32 bytes, or @FILE with either", field="key"
    )
