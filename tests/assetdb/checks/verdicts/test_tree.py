from __future__ import annotations

import sys
from array import array

from assetdb.checks.verdicts.tree import NEVER, Row, difference, rows_of, stamp_of, text_files
from assetdb.memo.contents import ABSENT
from assetdb.scan.content_id import content_id
from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.known.content import UNREAD
from assetdb.system.identity import RACY
from assetdb.workspace.workspace import Listing

ONE, TWO, FOLDER = bytes(range(16)), bytes(range(1, 17)), bytes(range(2, 18))


def row(
    *identities: int, files: bytes = b"a.prefab/a.prefab.meta/b.png/b.png.meta/Sub.meta", guids: bytes = ONE + TWO
) -> Row:
    packed = array("q", identities).tobytes()
    stamps = b"".join(map(stamp, identities[:4]))
    return Row(files, packed, stamps, guids, b"Sub", FOLDER, b"", 2)


def stamp(number: int) -> bytes:
    return number.to_bytes(16, "little", signed=True)


def test_nothing_changed() -> None:
    same = {b"Assets": row(1, 2, 3, 4, 5)}
    assert difference(same, {b"Assets": row(1, 2, 3, 4, 5)}) == (set(), [], [], [], {})


def test_a_file_or_its_meta_is_another() -> None:
    before = {b"Assets": row(1, 2, 3, 4, 5)}
    assert difference(before, {b"Assets": row(1, 7, 3, 4, 5)}) == ({ONE}, [], [], [b"Assets"], {})
    changed = difference(before, {b"Assets": row(7, 2, 3, 4, 5)})
    assert changed == ({ONE}, [b"Assets/a.prefab"], [], [b"Assets"], {b"Assets/a.prefab": stamp(1)})
    assert difference(before, {b"Assets": row(1, 2, 7, 4, 5)}) == (
        {TWO},
        [],
        [],
        [b"Assets"],
        {},
    )  # a picture refers to nothing


def test_what_is_too_young_to_tell_is_another() -> None:
    racy = {b"Assets": row(RACY, 2, 3, 4, 5)}
    read = [b"Assets/a.prefab"]
    assert difference(racy, racy) == ({ONE}, read, [], [b"Assets"], {b"Assets/a.prefab": stamp(RACY)})
    assert RACY.to_bytes(8, sys.byteorder, signed=True) in row(RACY, 2).identities


def test_a_directory_is_gone_new_or_moved() -> None:
    here = {b"Assets": row(1, 2, 3, 4, 5)}
    everything = {ONE, TWO, FOLDER}
    was = {b"Assets/a.prefab": stamp(1)}
    assert difference(here, {}) == (everything, [], [b"Assets/a.prefab"], [b"Assets"], was)
    assert difference({}, here) == (everything, [b"Assets/a.prefab"], [], [b"Assets"], {})
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


def test_files_with_other_identities_and_the_same_content_are_the_same() -> None:
    files = b"a.prefab/a.prefab.meta/b.png/b.png.meta/c.fbx/c.fbx.meta"
    ids = [content_id(b"a"), content_id(b"b"), UNREAD, content_id(b"c"), UNREAD, content_id(b"d")]
    models = {"Assets/c.fbx": 5}
    before = DirectoryFacts(b"Assets", 1, b"", b"", files, bytes(48), b"".join(ids), ONE + TWO + FOLDER, pair_count=3)

    def rows(directory: DirectoryFacts) -> dict[bytes, Row]:
        listing = Listing({b"Assets": directory}, lambda known: known, is_whole=True)
        return rows_of(listing, {}, {}, models.__getitem__)

    stamps = b"".join((ids[0], ids[1], bytes(16), ids[3], (5).to_bytes(16, "little"), ids[5]))
    assert rows(before)[b"Assets"].stamps == stamps
    cloned = before._replace(identities=bytes([1]) * 48)
    found = difference(rows(before), rows(cloned))
    assert (found.guids, found.read) == (set(), [])
    with_model = rows(before)
    models["Assets/c.fbx"] = 6
    assert difference(with_model, rows(cloned)).guids == {FOLDER}  # a model's names are in what no scan has read
    models["Assets/c.fbx"] = 5
    for number, guid in ((0, ONE), (1, ONE), (3, TWO), (5, FOLDER)):
        others = [*ids[:number], content_id(b"another"), *ids[number + 1 :]]
        changed = cloned._replace(contents=b"".join(others))
        found = difference(rows(before), rows(changed))
        assert (found.guids, found.read) == ({guid}, [b"Assets/a.prefab"] if number == 0 else [])
    racy = cloned._replace(identities=RACY.to_bytes(8, sys.byteorder, signed=True) * 6)
    assert difference(rows(before), rows(racy)).guids == {ONE, TWO, FOLDER}


def test_a_directory_that_looks_the_same_is_not_completed_again() -> None:
    """To complete those of unitystation takes 40 ms."""
    directory = DirectoryFacts(b"Assets", files=b"a.prefab/a.prefab.meta", identities=bytes(16), pair_count=1)
    completed = []

    def complete(known: DirectoryFacts) -> DirectoryFacts:
        completed.append(known)
        return known._replace(contents=content_id(b"a") + content_id(b"b"), guids=ONE)

    def rows(facts: DirectoryFacts, before: dict[bytes, Row], known: dict[bytes, DirectoryFacts]) -> dict[bytes, Row]:
        return rows_of(Listing({b"Assets": facts}, complete, is_whole=True), before, known, {}.__getitem__)

    first = rows(directory, {}, {})
    equal = directory._replace()
    assert rows(directory, first, {b"Assets": directory}) == rows(equal, first, {b"Assets": directory}) == first
    assert completed == [directory]
    edited = directory._replace(identities=bytes([1]) * 16)
    assert rows(edited, first, {b"Assets": directory}) != first
    assert completed == [directory, edited]


def test_only_assets_with_a_meta_are_text_files_of_a_directory() -> None:
    files = b"a.prefab/a.prefab.meta/b.png/b.png.meta/c.unity/c.unity.meta"
    identities = tuple(range(12))
    own = row(*identities, files=files)._replace(pair_count=2)
    assert [path for path, _, _ in text_files(b"Assets", own)] == [b"Assets/a.prefab"]
    found = list(text_files(b"Assets", own._replace(pair_count=3)))
    assert [(path, guid) for path, _, guid in found] == [(b"Assets/a.prefab", ONE), (b"Assets/c.unity", b"")]


def test_a_file_outside_the_scan_has_a_stamp_if_it_and_its_meta_are_there_and_old_enough() -> None:
    contents = {"a": 5, "a.meta": 6, "b": 5, "b.meta": ABSENT, "c": RACY, "c.meta": 6}
    assert stamp_of("a", contents.__getitem__) == "5 6"
    assert [stamp_of(file, contents.__getitem__) for file in "bc"] == [NEVER, NEVER]
