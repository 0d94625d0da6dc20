"""Files of our own are read as they were written, or not at all."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.verdicts.sealed import read_sealed, strings_of, texts, write_sealed

if TYPE_CHECKING:
    from pathlib import Path

MAGIC = b"UADTESTS"


@pytest.mark.parametrize("parts", [[], [b""], [b"one"], [b"", b"two", b"", bytes(range(256))]])
def test_parts_are_what_was_written(tmp_path: Path, parts: list[bytes]) -> None:
    path = os.path.join(tmp_path, "file")
    assert write_sealed(path, MAGIC, 3, parts)
    assert read_sealed(path, MAGIC, 3) == parts
    for magic, version in ((MAGIC, 4), (b"UADOTHER", 3)):
        with pytest.raises(ValueError, match="another's, or of another version"):
            read_sealed(path, magic, version)


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    assert not write_sealed(os.path.join(tmp_path, "no folder", "file"), MAGIC, 1, [b""])
    with pytest.raises(FileNotFoundError):
        read_sealed(os.path.join(tmp_path, "file"), MAGIC, 1)


def test_whatever_is_damaged_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_sealed(str(path), MAGIC, 1, [b"some", b"", b"bytes" * 20])
    whole = path.read_bytes()
    chosen = random.Random(3)
    for number in range(2000):
        data = bytearray(whole)
        if number % 3 == 0:
            del data[chosen.randrange(len(data)) :]
        elif number % 3 == 1:
            data[chosen.randrange(len(data))] ^= 1 << chosen.randrange(8)
        else:
            data += chosen.randbytes(chosen.randrange(1, 9))
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"no header|another's|damaged|fill"):
            read_sealed(str(path), MAGIC, 1)


@pytest.mark.parametrize("strings", [[], [""], ["", ""], ["a", "", "ü\n\u2028\x1f"]])
def test_strings_are_what_they_were(strings: list[str]) -> None:
    assert strings_of(texts(strings)) == strings


@pytest.mark.parametrize("string", ["a\0b", "\udc80"])
def test_what_is_no_text_is_refused(string: str) -> None:
    with pytest.raises(ValueError, match=r"end of a string|surrogates"):
        texts(["a", string])
