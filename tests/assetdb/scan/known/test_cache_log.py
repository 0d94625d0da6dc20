"""The log of a cache: edits are read up to the first that is damaged, and only beside their own cache."""

from __future__ import annotations

import zlib

import pytest

from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.known import cache
from assetdb.scan.known.cache_log import MOST_RECORDS, followed, is_damaged, most_bytes, record

FILES = (100, 11, 200, -22)
LATER = (100, 12, 200, -23)
ONE = DirectoryFacts(b"Assets/A", 5, files=b"a/a.meta", identities=b"1" * 16, guids=b"g" * 16, keys=b"k", pair_count=1)
OTHER = DirectoryFacts(b"Assets/B", 6, contents=b"c", folders=b"C")
EDITED = ONE._replace(identities=b"2" * 16, keys=b"other", contents=b"content")


def base(settings: bytes = b"settings") -> cache.Cache:
    return cache.decode(b"".join(cache.encode(settings, FILES, 2, b"", [ONE, OTHER], 7)))


def log_of(known: cache.Cache) -> bytes:
    """Return a log of two edits: of one directory, then of the other."""
    first = record(known, LATER, 3, b"problems", [EDITED], 8)
    after = followed(known, first)
    return first + record(after, FILES, 4, b"", [OTHER._replace(identity=9)], 9)


def test_the_last_edit_counts() -> None:
    known = base()
    found = followed(known, log_of(known))
    assert (found.files, found.asset_count, found.problems, found.rows_checksum) == (FILES, 4, b"", 9)
    assert (found.log_size, found.log_records) == (len(log_of(known)), 2)
    assert list(found.directories) == [b"Assets/A", b"Assets/B"]
    assert found.complete(found.directories[b"Assets/A"]) == EDITED
    assert found.complete(found.directories[b"Assets/B"]) == OTHER._replace(identity=9)


def test_directories_without_edits_have_the_facts_of_the_cache() -> None:
    known = base()
    found = followed(known, record(known, LATER, 3, b"problems", [EDITED], 8))
    assert (found.files, found.problems, found.log_records) == (LATER, b"problems", 1)
    assert found.complete(found.directories[b"Assets/B"]) == OTHER
    assert found.directories[b"Assets/B"] is known.directories[b"Assets/B"]


def test_a_log_that_is_cut_ends_with_its_last_whole_edit() -> None:
    known = base()
    log = log_of(known)
    sizes = {followed(known, log[:place]).log_size for place in range(len(log) + 1)}
    first = len(record(known, LATER, 3, b"problems", [EDITED], 8))
    assert sizes == {0, first, len(log)}
    assert followed(known, log + b"half of a rec").log_size == len(log)


def test_a_damaged_edit_ends_the_log() -> None:
    known = base()
    log = log_of(known)
    first = len(record(known, LATER, 3, b"problems", [EDITED], 8))
    for place in range(len(log)):
        found = followed(known, log[:place] + bytes([log[place] ^ 1]) + log[place + 1 :])
        assert found.log_size == (0 if place < first else first)


def test_a_log_that_is_not_read_to_its_end_is_damaged() -> None:
    known = base()
    log = log_of(known)
    assert not is_damaged(followed(known, log), log)
    assert is_damaged(followed(known, log[:-1]), log[:-1])
    assert is_damaged(followed(known, log + b"x"), log + b"x")
    assert is_damaged(followed(known, b"x" + log), b"x" + log)
    other = base(b"other settings")
    assert not is_damaged(followed(other, log), log)


def test_an_edit_with_a_right_checksum_and_wrong_facts_ends_the_log() -> None:
    known = base()
    log = record(known, LATER, 3, b"problems", [EDITED], 8)
    start = len(b"UADBEDIT") + len(known.prefix)
    payload = log[start + 12 : -1] + bytes([log[-1] ^ 1])
    forged = log[: start + 8] + zlib.crc32(payload, 0).to_bytes(4, "little") + payload
    assert followed(known, log) is not known
    assert followed(known, forged) is known


def test_no_more_edits_are_read_than_are_written() -> None:
    known = base()
    log, found = b"", known
    for _ in range(MOST_RECORDS + 1):
        log += record(found._replace(log_size=len(log)), LATER, 3, b"", [OTHER], 8)
        found = found._replace(log_records=found.log_records + 1)
    assert followed(known, log).log_records == MOST_RECORDS


def test_edits_have_their_order() -> None:
    known = base()
    second = log_of(known)[len(record(known, LATER, 3, b"problems", [EDITED], 8)) :]
    begun = len(b"UADBEDIT") + len(known.prefix)
    assert followed(known, log_of(known)[:begun] + second) is known


@pytest.mark.parametrize("other", [base(b"other settings"), base()._replace(prefix=b""), cache.EMPTY])
def test_the_log_of_another_cache_counts_as_absent(other: cache.Cache) -> None:
    assert followed(other, log_of(base())) is other


def test_a_log_has_a_share_of_its_cache() -> None:
    assert most_bytes(0) == most_bytes(1 << 20) == 1 << 18
    assert most_bytes(1 << 24) == 1 << 21
