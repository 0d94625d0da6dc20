"""Values of Unity's objects in one line: two sides, and where they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.cli.bundle.kinds.unityfs_values import shown_sides

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb_formats.unityfs.serialized_files.tree_values import Value


class Whole(bytes):
    """Bytes that are compared in pieces: one by one, 16 MB of a texture took 3 s."""

    __slots__ = ()

    def __iter__(self) -> Iterator[int]:
        pytest.fail("each byte was looked at")


@pytest.mark.parametrize("place", [0, 1, 499, 500, 998, 999])
def test_the_place_where_long_values_differ_is_told(place: int) -> None:
    told = f" (first difference at [{place}])"
    data = bytearray(1000)
    data[place] = 1
    assert shown_sides(Whole(1000), Whole(data), str) == ("1000 bytes", f"1000 bytes{told}")
    old, new = "a" * 1000, "a" * place + "b" + "a" * (999 - place)
    if place > 200:
        assert shown_sides(old, new, str)[1] == shown_sides(old, old, str)[0] + told
    numbers: list[list[Value]] = [[0.0] * 1000, [0.0] * 1000]
    numbers[1][place] = -0.0
    if place > 200:
        assert shown_sides(*numbers, str)[1].endswith(f"1000 in all]{told}")


def test_sides_that_are_printed_differently_are_told_no_place() -> None:
    assert shown_sides("a", "b", str) == ('"a"', '"b"')
    assert shown_sides(None, bytes(20), str) == ("(none)", "20 bytes")
