"""Pointers of Git LFS: where their content lies, and whether a file has it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from assetdb.history.lfs import is_content, stored

if TYPE_CHECKING:
    from pathlib import Path

CONTENT = b"content of a texture"
DIGITS = hashlib.sha256(CONTENT).hexdigest()


def pointer(digits: str = DIGITS, size: int = len(CONTENT)) -> bytes:
    return b"version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n" % (digits.encode(), size)


def keep(git: Path) -> Path:
    place = git / "lfs" / "objects" / DIGITS[:2] / DIGITS[2:4] / DIGITS
    place.parent.mkdir(parents=True)
    place.write_bytes(CONTENT)
    return place


def test_a_kept_content_is_found_by_its_digits(tmp_path: Path) -> None:
    assert stored(str(tmp_path), pointer()) == ""
    place = keep(tmp_path)
    assert stored(str(tmp_path), pointer()) == str(place)
    assert stored(str(tmp_path), pointer("0" * 64)) == ""


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"no pointer",
        pointer(DIGITS.upper()),
        pointer(DIGITS[:63]),
        pointer(f"../{DIGITS[:61]}"),
        pointer().replace(b"sha256", b"sha512"),
        pointer().replace(b"\noid", b" oid"),
    ],
)
def test_texts_that_are_no_pointers_have_no_content(tmp_path: Path, text: bytes) -> None:
    place = keep(tmp_path)
    assert stored(str(tmp_path), text) == ""
    assert not is_content(bytes(place), text)


@pytest.mark.parametrize(
    ("content", "text", "same"),
    [
        (CONTENT, pointer(), True),
        (CONTENT, pointer(size=len(CONTENT) + 1), False),
        (CONTENT, pointer(size=len(CONTENT) * 10), False),
        (CONTENT[:-1] + b"!", pointer(), False),
        (CONTENT + b"!", pointer(), False),
        (b"", pointer(hashlib.sha256().hexdigest(), 0), True),
    ],
)
def test_a_content_has_the_size_and_the_digits(tmp_path: Path, content: bytes, text: bytes, same: bool) -> None:  # noqa: FBT001
    (tmp_path / "file").write_bytes(content)
    assert is_content(bytes(tmp_path / "file"), text) is same


def test_a_file_that_is_not_there_has_no_content(tmp_path: Path) -> None:
    assert not is_content(bytes(tmp_path / "absent"), pointer())
