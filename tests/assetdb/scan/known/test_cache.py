"""The cache: what was written is read, and whatever is no cache is an empty one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.known import cache
from assetdb.scan.known.cache import EMPTY, MANY, PREFIX_SIZE, DamagedCacheError, Facts
from assetdb.system.identity import RACY

if TYPE_CHECKING:
    from pathlib import Path

FILES = (100, 11, 200, -22)


def packed(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(8, "little", signed=True) for number in numbers)


ONE = DirectoryFacts(
    b"Assets/A", 5, files=b"a/a.meta", identities=packed(1, 2), guids=b"g" * 16, keys=b"k", pair_count=1
)
OTHER = DirectoryFacts(b"Assets/B", RACY, b"C", file_diagnostics=b"said", contents=b"c", folders=b"C")


def data() -> bytes:
    return b"".join(cache.encode(b"settings", FILES, 7, b"problems", [ONE, OTHER]))


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / cache.FILE_NAME
    path.write_bytes(data())
    for found in (cache.decode(data()), cache.read(str(path))):
        assert (found.settings, found.files, found.asset_count, found.problems) == (b"settings", FILES, 7, b"problems")
        assert list(found.directories) == [b"Assets/A", b"Assets/B"]
        bare = found.directories[b"Assets/A"]
        assert (bare.identity, bare.files, bare.identities, bare.pair_count) == (5, ONE.files, ONE.identities, 1)
        assert (bare.guids, bare.keys) == (b"", b"")
        assert found.complete(bare) == ONE
        assert found.complete(found.directories[b"Assets/B"]) == OTHER
        assert found.complete(ONE) is ONE  # not from this cache


def test_the_facts_are_read_when_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / cache.FILE_NAME
    path.write_bytes(data())
    held, lazy = cache.read(str(path)), cache.read(str(path))
    held.facts.hold()
    path.unlink()
    assert held.complete(held.directories[b"Assets/A"]) == ONE
    with pytest.raises(DamagedCacheError):
        lazy.complete(lazy.directories[b"Assets/A"])


def test_the_facts_of_one_directory_are_read_alone(tmp_path: Path) -> None:
    many = [ONE._replace(path=b"Assets/%d" % number, bodies=bytes([number]) * 30_000) for number in range(20)]
    whole = b"".join(cache.encode(b"settings", FILES, 7, b"problems", many))
    path = tmp_path / cache.FILE_NAME
    damaged = whole.index(b"\x13" * 1000)  # of the last one
    path.write_bytes(whole[:damaged] + b"?" + whole[damaged + 1 :])
    found = cache.read(str(path))
    for wanted in many[:3]:
        assert found.complete(found.directories[wanted.path]) == wanted
    with pytest.raises(DamagedCacheError):
        found.complete(found.directories[many[-1].path])
    with pytest.raises(DamagedCacheError):
        found.facts.load()
    path.write_bytes(whole)
    found = cache.read(str(path))
    assert [found.complete(found.directories[wanted.path]) for wanted in many] == many


@pytest.mark.parametrize("size", [65_535, 65_536, 65_537, 131_072, 200_000])
def test_facts_of_any_size_have_their_checksums(size: int) -> None:
    one = ONE._replace(bodies=b"b" * size, references=b"r" * (size // 2))
    found = cache.decode(b"".join(cache.encode(b"settings", FILES, 7, b"problems", [one, OTHER])))
    assert found.complete(found.directories[b"Assets/A"]) == one
    found.facts.load()
    assert found.complete(found.directories[b"Assets/B"]) == OTHER


def test_any_damage_is_found() -> None:
    whole = data()
    sound = cache.decode(whole)
    for place in range(len(whole)):
        broken = cache.decode(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        if broken.directories:
            assert broken.directories == sound.directories
            with pytest.raises(DamagedCacheError):
                broken.facts.hold()
        else:
            assert broken is EMPTY
        assert cache.decode(whole[:place]).directories in ({}, sound.directories)


def test_no_cache_is_an_empty_one(tmp_path: Path) -> None:
    assert cache.read(str(tmp_path / "absent")) is EMPTY
    assert cache.read(str(tmp_path)) is EMPTY
    assert cache.decode(b"") is EMPTY


def test_a_cache_belongs_to_the_files_in_its_beginning() -> None:
    prefix = data()[:PREFIX_SIZE]
    moved = cache.belonging_to((1, 2, 3, 4), prefix)
    assert cache.decode(moved + data()[PREFIX_SIZE:])._replace(facts=EMPTY.facts) == cache.decode(data())._replace(
        files=(1, 2, 3, 4), facts=EMPTY.facts, prefix=moved
    )
    for wrong in (prefix[:-1], prefix + b"\0", bytes([prefix[0] ^ 1]) + prefix[1:]):
        with pytest.raises(ValueError, match="not how a cache begins"):
            cache.belonging_to(FILES, wrong)


def test_a_scan_with_the_same_facts_is_told_from_another() -> None:
    known = cache.decode(data())
    one, other = known.directories.values()
    assert known.has_facts_of({ONE.path: one, OTHER.path: other})
    assert known.has_facts_of({ONE.path: ONE._replace(identity=9, identities=packed(3, 4)), OTHER.path: other})
    assert not known.has_facts_of({ONE.path: ONE._replace(keys=b"other"), OTHER.path: other})
    assert not known.has_facts_of({ONE.path: one})
    assert not known.has_facts_of({ONE.path: one, OTHER.path: other, b"New": ONE._replace(path=b"New")})


def test_identities_of_a_moved_project_are_not_believed() -> None:
    found = cache.decode(data()).moved(b"elsewhere")
    assert found.settings == b"elsewhere"
    moved = found.directories[b"Assets/A"]
    assert (moved.identity, moved.identities) == (RACY, packed(RACY, RACY))
    assert moved.files == ONE.files


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ((5, packed(1, 2)), (5, packed(1, 2)), (0, 0)),
        ((5, packed(1, 2)), (6, packed(1, 2)), (MANY + 1, 0)),  # touched
        ((5, packed(1, 2)), (5, packed(1, 3)), (MANY + 1, 0)),
        ((5, packed(RACY, 2)), (5, packed(RACY, 2)), (1, 0)),
        ((5, packed(RACY, RACY)), (5, packed(1, 2)), (2, 2)),
        ((RACY, packed(RACY, 2)), (5, packed(1, 2)), (1, 2)),
        ((RACY, packed(1, 2)), (RACY, packed(1, 2)), (0, 0)),
    ],
)
def test_files_that_would_be_read_again_are_counted(
    old: tuple[int, bytes], new: tuple[int, bytes], expected: tuple[int, int]
) -> None:
    before = ONE._replace(identity=old[0], identities=old[1])
    known = cache.decode(b"".join(cache.encode(b"", FILES, 1, b"", [before])))
    after = ONE._replace(identity=new[0], identities=new[1])
    assert known.files_to_reread({ONE.path: after}) == expected
    assert known.files_to_reread(known.directories) == (0, 0)


def test_facts_of_an_unknown_directory_are_its_own() -> None:
    facts = Facts()
    assert facts.complete(ONE) is ONE
    with pytest.raises(DamagedCacheError, match="checksum"):
        Facts(sums=bytes(4)).hold()
