"""Entries that are spliced, beside a dictionary of them; types that are written anew."""

from __future__ import annotations

import random
from array import array
from itertools import accumulate

import pytest

from assetdb.state.entries import Entries, Types, entry, renamed
from assetdb.state.guid_columns import GuidColumns
from assetdb.store.schema import read_entries
from assetdb_formats.codecs import bincode

KEYS = [bytes([number]) * 16 for number in range(1, 20)]
SCRIPTS = [bytes([number]).hex().encode() * 16 for number in range(200)]


def encoded(head: bytes, rows: dict[bytes, bytes]) -> Entries:
    guids = sorted(rows)
    offsets = array("Q", accumulate((len(rows[guid]) for guid in guids), initial=len(head)))
    return Entries(head + b"".join(rows[guid] for guid in guids), GuidColumns.of(b"".join(guids)), offsets)


@pytest.mark.parametrize("seed", range(20))
def test_splicing_is_encoding_afresh(seed: int) -> None:
    draw = random.Random(seed)

    def some() -> dict[bytes, bytes]:
        return {guid: draw.randbytes(draw.randrange(1, 9)) for guid in draw.sample(KEYS, draw.randrange(len(KEYS)))}

    rows, made = some(), some()
    gone = set(draw.sample(sorted(rows), draw.randrange(len(rows) + 1))) - made.keys()
    head = b"h" * draw.randrange(9)
    found = encoded(b"head", rows).spliced(head, gone, made)
    after = {guid: row for guid, row in {**rows, **made}.items() if guid not in gone}
    expected = encoded(head, after)
    assert (found.data, list(found.guids), found.offsets) == (expected.data, sorted(after), expected.offsets)
    for guid in KEYS:
        assert found.entry(guid) == after.get(guid, b"")


def database(scripts: list[bytes], types: list[bytes]) -> tuple[Types, Entries]:
    written = Types(scripts)
    body = bincode.string(b"n") + bincode.unsigned(0) + bincode.string(b"Assets/n.asset")
    rows = {guid: entry(guid, written.code(kind), body) for guid, kind in zip(KEYS, types, strict=False)}
    return written, encoded(written.header(len(rows)), rows)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([SCRIPTS[5], SCRIPTS[7]], [SCRIPTS[5], SCRIPTS[6], SCRIPTS[7]]),
        ([SCRIPTS[5], SCRIPTS[6], SCRIPTS[7]], [SCRIPTS[5], SCRIPTS[7]]),
        ([SCRIPTS[5], SCRIPTS[7]], [*SCRIPTS[:100], SCRIPTS[5]]),
        ([SCRIPTS[5], SCRIPTS[7]], SCRIPTS[::-1]),
    ],
)
def test_types_are_written_for_other_scripts(before: list[bytes], after: list[bytes]) -> None:
    types = [SCRIPTS[5], b"28", SCRIPTS[7], b"114", SCRIPTS[7]]
    old, entries = database(before, types)
    new = Types(set(after))
    found = new.written_in(entries, old.scripts)
    whole = new.header(len(types)) + found.data[found.offsets[0] :]
    kinds = [asset.script.encode() or str(asset.class_id).encode() for asset in read_entries(whole)]
    assert kinds == types
    assert list(found.guids) == list(entries.guids)


def test_types_that_need_more_bytes_are_written_wider() -> None:
    many = sorted({*(f"{number:032x}".encode() for number in range(300)), SCRIPTS[199]})
    old, entries = database([SCRIPTS[199]], [SCRIPTS[199], b"28"])
    new = Types(many)
    found = new.written_in(entries, old.scripts)
    assert len(found.data) > len(entries.data)
    whole = new.header(2) + found.data[found.offsets[0] :]
    assert [asset.script for asset in read_entries(whole)] == [SCRIPTS[199].decode(), ""]


def test_names_are_put_into_a_body() -> None:
    body = bincode.string(b"Old") + bincode.unsigned(0) + bincode.string(b"Assets/Old.mat")
    assert renamed(body, b"21:Old", {}, has_rows=False) == body
    new = renamed(body, b"21:Old", {b"21:Old": b"New"}, has_rows=False)
    assert new == bincode.string(b"New") + body[len(bincode.string(b"Old")) :]
    assert renamed(body, b"21:Old", {b"21:Other": b"New"}, has_rows=True) == body
