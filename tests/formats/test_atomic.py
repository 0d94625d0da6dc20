from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_a_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    replace_file(str(path), [b"af", memoryview(b"ter")])
    assert path.read_bytes() == b"after"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


def test_a_failure_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")

    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace_file(str(path), pieces())
    assert path.read_bytes() == b"before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


def test_the_temporary_file_of_another_is_not_touched(tmp_path: Path) -> None:
    other = tmp_path / f".{os.getpid()}.a.temporary"
    other.write_bytes(b"other")
    with pytest.raises(FileExistsError):
        replace_file(str(tmp_path / "a"), [b"mine"])
    assert other.read_bytes() == b"other"
    assert [entry.name for entry in tmp_path.iterdir()] == [other.name]


def test_a_symbolic_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"target")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    replace_file(str(tmp_path / "link"), [b"new"])
    assert (tmp_path / "target").read_bytes() == b"target"
    assert (tmp_path / "link").read_bytes() == b"new"
    assert not (tmp_path / "link").is_symlink()
