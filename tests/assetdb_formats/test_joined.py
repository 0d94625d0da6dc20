"""A file in pieces is read as one."""

from __future__ import annotations

import os
from io import BufferedReader
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.files import FileTooLargeError
from assetdb_formats.inputs import Folder, Input, file_input
from assetdb_formats.joined import Joined

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

PIECES = (b"abc", b"", b"defgh", b"i")
WHOLE = b"abcdefghi"


def joined(folder: Path) -> Joined:
    for number, data in enumerate(PIECES):
        (folder / f"level0.split{number}").write_bytes(data)
    inputs = [file_input(str(folder / f"level0.split{number}")) for number in range(len(PIECES))]
    return Joined(str(folder / "level0"), "Data/level0", inputs)


def test_it_is_a_container_of_one_file(tmp_path: Path) -> None:
    found = joined(tmp_path)
    item = found.input()
    assert (item.name, item.member, item.size, item.path) == (str(tmp_path / "level0"), "Data/level0", 9, None)
    assert list(found.names()) == ["Data/level0"]
    assert found.find("Data", "level0") == found.find("", "Data/level0") == "Data/level0"
    assert found.find("", "level0") is found.find("Data", "level1") is None
    assert (item.head(4), item.head(99)) == (b"abcd", WHOLE)
    assert item.read(largest=9) == WHOLE
    with pytest.raises(FileTooLargeError, match="has 9 bytes; at most 8 are read of it") as caught:
        item.read(largest=8)
    assert caught.value.filename == str(tmp_path / "level0")


def test_any_range_is_read_across_its_pieces(tmp_path: Path) -> None:
    with joined(tmp_path).input().open() as stream:
        assert (stream.readable(), stream.seekable()) == (True, True)
        for start in range(10):
            for stop in range(start, 11):
                assert stream.seek(start) == start
                assert stream.read(stop - start) == WHOLE[start:stop]
        assert (stream.seek(-2, os.SEEK_END), stream.read()) == (7, b"hi")
        assert (stream.seek(3), stream.seek(1, os.SEEK_CUR), stream.read(1)) == (3, 4, b"e")
        assert (stream.seek(100), stream.read()) == (100, b"")
        with pytest.raises(OSError, match="Invalid argument"):
            stream.seek(-1)


class Watched(Folder):
    """A folder that keeps the streams that were opened in it."""

    opened: list[BinaryIO]

    def open(self, member: str) -> BinaryIO:
        stream = super().open(member)
        self.opened.append(stream)
        return stream


def test_the_piece_that_was_read_last_stays_open(tmp_path: Path) -> None:
    joined(tmp_path)
    folder = Watched(str(tmp_path))
    folder.opened = []
    names = [f"level0.split{number}" for number in range(len(PIECES))]
    stream = Joined("level0", "level0", [Input(name, folder, name) for name in names]).open("level0")
    assert isinstance(stream, BufferedReader)
    for start, count in ((0, 1), (2, 1), (3, 2), (7, 2), (0, 3)):
        stream.raw.seek(start)
        assert stream.raw.read(1) == WHOLE[start : start + 1]
        assert [piece.closed for piece in folder.opened] == [True] * (count - 1) + [False]
    stream.close()
    assert folder.opened[-1].closed
