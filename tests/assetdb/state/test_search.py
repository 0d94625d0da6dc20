"""Searches in the facts of directories: GUIDs, scripts, candidates and claimed names."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from assetdb.state.columns import path_in
from assetdb.state.rows import PLACE, PlacedRow, rows_in
from assetdb.state.search import FactSearch
from tests.assetdb.state.directories import Given, by_path, directory, guid

if TYPE_CHECKING:
    from assetdb.scan.directory import DirectoryFacts
    from assetdb.state.columns import Sanitize

SCRIPT, OTHER = b"cd" * 16, b"ef" * 16
A = directory(
    b"Assets/A",
    Given("one.png", 1, subs=((5, 213, "sub"), (6, 213, "one^x"))),
    Given("two.asset", 2, SCRIPT, references=(7,), candidates=(8, 9)),
)
B = directory(b"Assets/B", Given("one.png", 3), Given("shared.asset", 4, SCRIPT, candidates=(8,)))
C = directory(b"Assets/C", Given("shared.asset", 4, OTHER, ((5, 213, "sub"),), candidates=(9,)))
EMPTY = directory(b"Assets/D")


def search(*directories: DirectoryFacts, few: int = 4, sanitize: Sanitize | None = None) -> FactSearch:
    """Make a search that knows who shares the GUID 4."""
    claimants = [
        PlacedRow(path_in(row.body, each.path), each.path, row)
        for each in directories
        for number, row in rows_in(each, sanitize)
        if number == guid(4)
    ]
    shared = {guid(4): sorted(claimants, key=PLACE)} if len(claimants) > 1 else {}
    found = FactSearch(by_path(*directories), shared, sanitize)
    found.few = few
    return found


@pytest.mark.parametrize("few", [0, 1, 4])
def test_the_directory_of_each_guid_is_found(few: int) -> None:
    found = search(A, B, EMPTY, few=few)
    assert found.homes([guid(1), guid(3), guid(99)]) == {guid(1): b"Assets/A", guid(3): b"Assets/B"}
    assert found.homes([guid(2)]) == {guid(2): b"Assets/A"}
    assert found.homes([]) == {}
    assert found.homes([guid(1)[1:] + b"\0"]) == {}  # bytes over two GUIDs are none


def test_directories_that_share_a_guid_are_found() -> None:
    found = search(A, B, C, EMPTY)
    assert list(found.sharing([guid(4), guid(99)])) == [B, C]
    assert list(found.sharing([])) == list(found.sharing([guid(99)])) == []


@pytest.mark.parametrize("few", [0, 4])
def test_a_script_is_in_use_if_an_entry_has_it(few: int) -> None:
    found = search(A, B, C, EMPTY, few=few)
    assert found.scripts_in_use([SCRIPT, OTHER]) == {SCRIPT}  # the entry of 4 is that in B
    assert found.scripts_in_use([OTHER]) == set()
    assert found.scripts_in_use([]) == set()
    assert search(C, few=few).scripts_in_use([OTHER]) == {OTHER}


def test_entries_with_candidates_are_found() -> None:
    found = search(A, B, C, EMPTY)
    assert found.holders([guid(8)]) == {guid(2): (guid(7), guid(8) + guid(9)), guid(4): (b"", guid(8))}
    assert found.holders([guid(9)]) == {guid(2): (guid(7), guid(8) + guid(9))}
    assert found.holders([guid(7)]) == found.holders([]) == {}


def test_candidates_of_a_directory_that_came_or_went_are_known() -> None:
    found = search(A, B)
    found.holders([guid(8)])
    found.directories[b"Assets/E"] = new = directory(b"Assets/E", Given("e.asset", 9, candidates=(8,)))
    found.take(new)
    del found.directories[b"Assets/A"]
    assert found.holders([guid(8)]).keys() == {guid(4), guid(9)}


@pytest.mark.parametrize("few", [0, 4])
def test_the_owners_of_a_name_are_found(few: int) -> None:
    found = search(A, B, C, EMPTY, few=few)
    assert found.claims([b"28:one", b"213:sub", SCRIPT + b":shared", OTHER + b":shared", b"1:none"]) == {
        b"28:one": {guid(1): b"Assets/A", guid(3): b"Assets/B"},
        b"213:sub": {guid(1): b"Assets/A"},  # the other one's owner has no entry
        SCRIPT + b":shared": {guid(4): b"Assets/B"},
    }
    assert found.claims([]) == {}
    assert found.claims([b"28:on"]) == {}


def test_all_claims_are_those_of_entries() -> None:
    assert sorted(search(A, C).all_claims()) == sorted(
        [
            *((b"28:one", guid(1), b"Assets/A"), (b"213:sub", guid(1), b"Assets/A")),
            *((b"213:one^x", guid(1), b"Assets/A"), (SCRIPT + b":two", guid(2), b"Assets/A")),
            *((OTHER + b":shared", guid(4), b"Assets/C"), (b"213:sub", guid(4), b"Assets/C")),
        ]
    )
    assert {key for key, _, home in search(B, C).all_claims() if home == b"Assets/C"} == set()


def test_claims_in_a_folder_of_shared_guids_are_found_at_once() -> None:
    names = [f"a{number:05}.png" for number in range(30_000)]
    first = directory(b"Assets/First", *(Given(name, number) for number, name in enumerate(names, 1)))
    rows = [PlacedRow(path_in(row.body, first.path), first.path, row) for _, row in rows_in(first, None)]
    copies = [row._replace(home=b"Assets/Second") for row in rows]
    shared = {guid(number): [row, copy] for number, (row, copy) in enumerate(zip(rows, copies, strict=True), 1)}
    found = FactSearch(by_path(first), shared, None)
    began = time.process_time()
    assert sum(1 for _ in found.all_claims()) == len(names)
    assert time.process_time() - began < 1  # 3 s where the sizes before each were added up


def test_the_text_before_a_caret_may_be_a_name() -> None:
    found = search(A, B)
    assert found.stems([]) == {b"213:one"}
    assert found.stems([b"28:a^b^c", b"28:x"]) == {b"213:one", b"28:a", b"28:a^b"}
    found.take(directory(b"Assets/E", Given("p^q.png", 9)))
    assert found.stems([]) == {b"213:one", b"28:p"}


def rewrite(name: str) -> str | None:
    return {"one": "new", "two": "two^2"}.get(name)


def test_rewritten_names_are_claimed_as_they_are_written() -> None:
    found = search(A, B, sanitize=rewrite)
    owners = {guid(1): b"Assets/A", guid(3): b"Assets/B"}
    assert found.claims([b"28:new"]) == {b"28:new": owners}
    assert found.claims([b"28:one"]) == {}
    assert (b"28:new", guid(3), b"Assets/B") in set(found.all_claims())
    assert found.stems([]) == {b"213:one", SCRIPT + b":two"}
    found.directories[b"Assets/E"] = more = directory(b"Assets/E", Given("one.mat", 9, b"21"))
    found.take(more)
    assert found.claims([b"21:new"]) == {b"21:new": {guid(9): b"Assets/E"}}
