"""Objects with unknown fields: a reference that leads to a pair is no change, any other word is one."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.objects.difference import different
from assetdb.builds.objects.pairing import PartPair, pair_objects
from tests.assetdb.builds.making import GAME_OBJECT, MONO_BEHAVIOUR, VERSION, fill, text
from tests.assetdb_formats.unityfs.builder import Kind, Thing, serialized_file

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.builds import Build


def build(folder: Path, first: int, fields: bytes) -> Build:
    """Return a level with two GameObjects from a PathID on, and a behaviour of the first."""
    head = pack("<iq", 0, first) + b"\1\0\0\0" + pack("<iq", 0, 0) + text("")
    things = [
        Thing(first, GAME_OBJECT, fill(GAME_OBJECT, "Tree", ((0, first + 2),))),
        Thing(first + 1, GAME_OBJECT, fill(GAME_OBJECT, "Leaf")),
        Thing(first + 2, MONO_BEHAVIOUR, head + fields),
    ]
    folder.mkdir()
    kinds = [Kind(number, ()) for number in (GAME_OBJECT, MONO_BEHAVIOUR)]
    (folder / "level0").write_bytes(serialized_file(things, kinds, trees=False, unity_version=VERSION))
    return open_build(folder, remember=False)


@pytest.mark.parametrize(
    ("before", "after", "is_different"),
    [
        (pack("<iq", 0, 2), pack("<iq", 0, 8), False),  # Leaf in both
        (pack("<iq", 0, 2), pack("<iq", 0, 7), True),  # Leaf, then Tree
        (pack("<iiq", 5, 0, 2), pack("<iiq", 5, 0, 8), False),
        (pack("<iiq", 5, 0, 2), pack("<iiq", 6, 0, 8), True),
        (pack("<iiq", 5, 0, 2), pack("<iiq", 5, 0, 99), True),  # which is nothing
        (pack("<iq", 0, 2)[:-2], pack("<iq", 0, 8)[:-2], True),  # no room for a reference
    ],
)
def test_only_references_may_have_other_numbers(
    tmp_path: Path, before: bytes, after: bytes, *, is_different: bool
) -> None:
    one, two = build(tmp_path / "before", 1, before), build(tmp_path / "after", 7, after)
    pairs = pair_objects(one, two, [PartPair(0, 0, is_same=False)])
    assert [*pairs.after] == [0, 1, 2]
    assert bool(different(one, two, pairs, [(2, 2)])) == is_different
    assert not different(one, two, pairs, [(0, 0), (1, 1)])
