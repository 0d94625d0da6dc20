from __future__ import annotations

import random

import pytest

from assetdb.errors import DatabaseError
from assetdb.store.schema import header, read_header


@pytest.mark.parametrize("small", [0, 1, 3])
def test_scripts_are_read_alike_whatever_their_width(small: int) -> None:
    chooser = random.Random(small)
    guids = [f"{chooser.getrandbits(128) | 1 << 127:032x}" for _ in range(50)]
    guids += [f"{chooser.getrandbits(60):032x}" for _ in range(small)]  # fewer bytes than 17
    chooser.shuffle(guids)
    data = header([guid.encode() for guid in guids], 0)
    found = read_header(data)
    assert found.scripts == tuple(sorted(guids))
    assert [found.scripts[place] for place in range(len(guids))] == sorted(guids)
    assert found.scripts[3:7] == tuple(sorted(guids)[3:7])
    assert found.scripts.index(guids[9]) == sorted(guids).index(guids[9])
    with pytest.raises(IndexError):
        found.scripts[len(guids)]
    assert (found.entry_count, found.start) == (0, len(data))
    assert read_header(memoryview(data)) == found
    for end in range(8, len(data)):
        with pytest.raises(DatabaseError):
            read_header(data[:end])
