from __future__ import annotations

import random

import pytest

from assetdb.errors import DatabaseError
from assetdb.store import schema
from assetdb.store.schema import header, in_order, read_header


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


@pytest.mark.parametrize("alike", range(17))
def test_guids_in_order_where_they_begin_alike(alike: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven bytes tell most apart: those that agree in more are compared as a whole."""
    chooser = random.Random(alike)
    beginnings = [chooser.randbytes(alike) for _ in range(3)]
    guids = [chooser.choice(beginnings) + chooser.randbytes(16 - alike) for _ in range(200)]
    guids += [bytes(alike) + chooser.randbytes(16 - alike), b"\xff" * 16, bytes(16)]
    chooser.shuffle(guids)
    for at_once in (1, 7, 1000):
        monkeypatch.setattr(schema, "AT_ONCE", at_once)
        order, found, distinct = in_order(b"".join(guids))
        assert found == b"".join(sorted(guids))
        assert order.tolist() == sorted(range(len(guids)), key=guids.__getitem__)
        assert distinct == (len(set(guids)) == len(guids))


@pytest.mark.parametrize("guids", [[], [bytes(16)], [b"\x01" * 16, b"\x01" * 16]])
def test_few_guids_in_order(guids: list[bytes]) -> None:
    order, found, distinct = in_order(b"".join(guids))
    assert (order.tolist(), found, distinct) == (list(range(len(guids))), b"".join(guids), len(guids) < 2)
