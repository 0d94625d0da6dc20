from __future__ import annotations

import sys
from array import array

from assetdb.checks.verdicts.tree import Row, difference
from assetdb.scan.directory import DirectoryFacts
from assetdb.system.identity import RACY

ONE, TWO, FOLDER = bytes(range(16)), bytes(range(1, 17)), bytes(range(2, 18))


def row(
    *identities: int, files: bytes = b"a.prefab/a.prefab.meta/b.png/b.png.meta/Sub.meta", guids: bytes = ONE + TWO
) -> Row:
    return Row(files, array("q", identities).tobytes(), guids, b"Sub", FOLDER, b"", 2)


def test_nothing_changed() -> None:
    same = {b"Assets": row(1, 2, 3, 4, 5)}
    assert difference(same, {b"Assets": row(1, 2, 3, 4, 5)}) == (set(), [], [], [])


def test_a_file_or_its_meta_is_another() -> None:
    before = {b"Assets": row(1, 2, 3, 4, 5)}
    assert difference(before, {b"Assets": row(1, 7, 3, 4, 5)}) == ({ONE}, [], [], [b"Assets"])
    assert difference(before, {b"Assets": row(7, 2, 3, 4, 5)}) == ({ONE}, [b"Assets/a.prefab"], [], [b"Assets"])
    assert difference(before, {b"Assets": row(1, 2, 7, 4, 5)}) == (
        {TWO},
        [],
        [],
        [b"Assets"],
    )  # a picture refers to nothing


def test_what_is_too_young_to_tell_is_another() -> None:
    racy = {b"Assets": row(RACY, 2, 3, 4, 5)}
    assert difference(racy, racy) == ({ONE}, [b"Assets/a.prefab"], [], [b"Assets"])
    assert RACY.to_bytes(8, sys.byteorder, signed=True) in row(RACY, 2).identities


def test_a_directory_is_gone_new_or_moved() -> None:
    here = {b"Assets": row(1, 2, 3, 4, 5)}
    everything = {ONE, TWO, FOLDER}
    assert difference(here, {}) == (everything, [], [b"Assets/a.prefab"], [b"Assets"])
    assert difference({}, here) == (everything, [b"Assets/a.prefab"], [], [b"Assets"])
    moved = difference(here, {b"Other": here[b"Assets"]})
    assert moved[:3] == (everything, [b"Other/a.prefab"], [b"Assets/a.prefab"])
    assert sorted(moved.folders) == [b"Assets", b"Other"]


def test_two_files_with_one_guid_are_both_told() -> None:
    both = {b"Assets": row(1, 2, 3, 4, 5, guids=ONE + ONE)}
    assert difference(both, {b"Assets": row(1, 2, 9, 4, 5, guids=ONE + ONE)}).guids == {ONE}
    assert difference(both, {b"Assets": row(9, 2, 3, 4, 5, guids=ONE + ONE)}).guids == {ONE}


def test_a_row_is_of_a_directory_that_looks_the_same() -> None:
    known = row(1, 2, 3, 4, 5)
    same = DirectoryFacts(b"Assets", files=known.files, identities=known.identities)
    assert known.is_of(same)
    assert not known.is_of(same._replace(files=known.files.replace(b"a.", b"c.")))
    assert not known.is_of(same._replace(identities=row(1, 2, 3, 4, 6).identities))
    assert not known.is_of(same._replace(listing_diagnostics=b"missing-directory\x1fAssets/Sub.meta"))  # it was there
    racy = row(1, 2, RACY, 4, 5)
    assert not racy.is_of(same._replace(identities=racy.identities))
