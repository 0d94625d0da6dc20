"""The files of an archive: ranges, names and their size together, at each limit and one beyond."""

from __future__ import annotations

import pytest

from assetdb_formats.unityfs.archives.directory import Directory, Node
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.reader import BigEndianReader


def directory(*nodes: tuple[int, int, str]) -> Directory:
    found = Directory(BigEndianReader(b"12345", 3), 100)
    for number, (offset, size, path) in enumerate(nodes):
        found.add(Node(offset, size, 0, path), f"nodes[{number}]")
    return found


def test_a_file_lies_in_the_decoded_data() -> None:
    nodes = directory((0, 100, "a"), (100, 0, "b"), (99, 1, "c"), (0, 0, "d")).nodes
    assert [node.path for node in nodes] == ["a", "b", "c", "d"]
    for offset, size in ((0, 101), (100, 1), (101, 0), (-1, 1), (5, -1)):
        with pytest.raises(UnityFSError, match=f"bytes {offset} to {offset + size} of 100") as caught:
            directory((0, 1, "a"), (offset, size, "b"))
        assert (caught.value.offset, caught.value.field) == (3, "nodes[1]")


def test_a_file_has_a_name_of_its_own() -> None:
    assert len(directory((0, 1, "a"), (0, 1, "A")).nodes) == 2
    for name in ("a", ""):
        with pytest.raises(UnityFSError, match="two files of one name, or one without"):
            directory((0, 1, "a"), (1, 1, name))


def test_files_have_at_most_twice_the_data_together() -> None:
    assert len(directory((0, 100, "a"), (0, 100, "b"), (0, 0, "c")).nodes) == 3
    with pytest.raises(UnityFSError, match="together they have 201 bytes of 100") as caught:
        directory((0, 100, "a"), (0, 100, "b"), (0, 1, "c"))
    assert caught.value.field == "nodes[2]"


def test_a_flag_marks_a_serialized_file() -> None:
    assert [Node(0, 0, flags, "a").serialized for flags in (0, 3, 4, 5, 8)] == [False, False, True, True, False]
