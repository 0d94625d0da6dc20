"""Directories that are laid side by side are those that were laid down, and each is made when it is asked for."""

from __future__ import annotations

import random

import pytest

from assetdb.diagnostics import Diagnostic, encode
from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.known.packed import LooseDirectories, PackedDirectories
from assetdb.system.free_memory import give_back

NUMBERS = ("identity", "pair_count")
BUFFERS = [name for name in DirectoryFacts._fields if name not in NUMBERS]


def directories_of(count: int) -> dict[bytes, DirectoryFacts]:
    chosen = random.Random(count)
    found = {}
    for number in range(count):
        facts = {name: chosen.randbytes(chosen.choice((0, 0, 1, 40))) for name in BUFFERS[1:-2]}
        problems = [Diagnostic("lfs-pointer", f"Assets/{number}.asset", 0, "")] * (chosen.random() < 0.1)
        path = b"Assets/%d" % number
        found[path] = DirectoryFacts(
            path=path,
            identity=chosen.randrange(-(1 << 60), 1 << 60),
            pair_count=chosen.randrange(5),
            file_diagnostics=encode(problems),
            **facts,
        )
    return found


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 300])
def test_they_are_what_they_were(count: int) -> None:
    expected = directories_of(count)
    given = dict(expected)
    packed = PackedDirectories(given, lambda directory: directory)
    assert not given
    assert len(packed) == count
    assert list(packed.items()) == list(expected.items())
    assert b"none" not in packed
    assert packed.diagnosed() == [item for item in expected.values() if item.file_diagnostics]
    loose = LooseDirectories(list(expected.values()))
    for name in BUFFERS:
        assert list(packed.each(name)) == list(loose.each(name))
        assert packed.sizes(name) == loose.sizes(name)
        assert packed.joined(name) == b"".join(packed.parts(name)) == b"".join(loose.parts(name)) == loose.joined(name)
    for name in NUMBERS:
        assert packed.numbers(name) == loose.numbers(name)


def test_facts_that_are_missing_are_filled_in() -> None:
    expected = directories_of(3)
    listed = {path: directory._replace(bodies=b"") for path, directory in expected.items()}
    packed = PackedDirectories(listed, lambda directory: expected[directory.path])
    assert dict(packed) == expected


@pytest.mark.parametrize("given_up", [0, 1 << 30])
def test_memory_is_given_back_where_it_can_be(given_up: int) -> None:
    give_back(given_up)
