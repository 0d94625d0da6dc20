"""Facts of directories side by side, and names that are rewritten."""

from __future__ import annotations

from array import array

import pytest

from assetdb.diagnostics import Diagnostic
from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.known.packed import fields_of
from assetdb.state.columns import (
    Links,
    columns_of,
    duplicate_guid,
    folders_in,
    folders_of,
    homes_of,
    links_from,
    links_of,
    path_in,
    sanitized,
    sanitized_row,
)
from assetdb.state.rows import rows_in
from assetdb.store.entry import read_body
from tests.assetdb.state.directories import Given, directory, guid, packed

ONE = directory(
    b"Assets",
    Given("a.png", 1, subs=((5, 213, "s"), (6, 21, "m")), references=(7, 8), candidates=(9,)),
    Given("b.png", 2),
    folders={b"F": 50, b"\xff": 51},
)
NONE = DirectoryFacts(b"Assets/None")
TWO = directory(b"Assets/F", Given("c.png", 3, b"cd" * 16, references=(1,), candidates=(4, 5)), folders={b"G": 52})
PLAIN = directory(b"Assets/P", Given("d.png", 4))
ALL = [ONE, NONE, TWO, PLAIN]


def scrub(name: str) -> str | None:
    return name.upper() if name in ("a", "s", "c") else None


def test_the_assets_of_directories_lie_side_by_side() -> None:
    found = columns_of(fields_of(ALL))
    assert found.guids == [guid(number) for number in (1, 2, 3, 4)]
    assert found.keys == [b"28:a", b"28:b", b"cd" * 16 + b":c", b"28:d"]
    assert [read_body(found.body(place)).path for place in range(4)] == [
        *("Assets/a.png", "Assets/b.png", "Assets/F/c.png", "Assets/P/d.png")
    ]
    assert found.bodies_in([2, 0]) == [found.body(2), found.body(0)]
    assert (list(found.sub_counts), found.sub_keys) == ([2, 0, 0, 0], [b"213:s", b"21:m"])
    assert list(homes_of(fields_of(ALL))) == [b"Assets", b"Assets", b"Assets/F", b"Assets/P"]


def test_no_assets_are_empty_columns() -> None:
    for directories in ([], [NONE]):
        found = columns_of(fields_of(directories))
        assert (found.guids, found.keys, found.bodies, list(found.starts), found.sub_keys) == ([], [], b"", [0], [])
        assert links_of(fields_of(directories)) == Links(array("I"), b"", {})


def test_some_assets_can_be_kept() -> None:
    whole = columns_of(fields_of([TWO, ONE]))
    kept = whole.only([1, 0])
    assert (kept.guids, kept.keys) == ([guid(1), guid(3)], [b"28:a", b"cd" * 16 + b":c"])
    assert [kept.body(0), kept.body(1)] == [whole.body(1), whole.body(0)]
    assert (kept.sub_counts, kept.sub_keys) == ([2, 0], [b"213:s", b"21:m"])
    assert whole.only([]).guids == []


def test_references_are_counted_and_candidates_kept_apart() -> None:
    found = links_of(fields_of(ALL))
    expected = Links(array("I", [2, 0, 1, 0]), packed((7, 8, 1)), {0: guid(9), 2: packed((4, 5))})
    assert found == expected
    pairs = [(packed((7, 8)), guid(9)), (b"", b""), (guid(1), packed((4, 5))), (b"", b"")]
    assert links_from(pairs) == expected
    assert found.only([2, 1]) == Links(array("I", [1, 0]), guid(1), {0: packed((4, 5))})
    certain = directory(b"Assets/C", Given("x.png", 1, references=(3, 4)), Given("y.png", 2, references=(5,)))
    assert links_of(fields_of([certain])) == Links(array("I", [2, 1]), packed((3, 4, 5)), {})


def test_folders_have_the_path_of_their_directory() -> None:
    first = [(guid(50), b"Assets/F"), (guid(51), "Assets/\ufffd".encode())]
    assert folders_of(ONE) == first
    assert folders_of(NONE) == []
    assert folders_in(fields_of(ALL)) == [*first, (guid(52), b"Assets/F/G")]


@pytest.mark.parametrize("home", [b"Assets", b"Assets/A/B", b"Assets/\xff"])
def test_a_path_is_at_the_end_of_a_body(home: bytes) -> None:
    found = directory(home, Given("a.png", 1, subs=((5, 213, "x/y"),)))
    assert path_in(columns_of(fields_of([found])).body(0), home) == home.replace(b"\xff", b"\xef\xbf\xbd") + b"/a.png"


def test_names_are_rewritten_in_keys_bodies_and_rows() -> None:
    columns, problems = sanitized(columns_of(fields_of(ALL)), scrub)
    assert columns.keys == [b"28:A", b"28:b", b"cd" * 16 + b":C", b"28:d"]
    assert columns.sub_keys == [b"213:S", b"21:m"]
    first = read_body(columns.body(0))
    assert (first.name, [row.name for row in first.sub_assets], first.path) == ("A", ["S", "m"], "Assets/a.png")
    assert read_body(columns.body(3)).name == "d"
    assert problems == {
        guid(1): [
            Diagnostic("sanitized-name", "Assets/a.png", 0, "'a' becomes 'A'"),
            Diagnostic("sanitized-name", "Assets/a.png", 0, "'s' becomes 'S'"),
        ],
        guid(3): [Diagnostic("sanitized-name", "Assets/F/c.png", 0, "'c' becomes 'C'")],
    }


def test_a_row_without_rewritten_names_stays() -> None:
    ((_, row),) = rows_in(directory(b"Assets", Given("x.png", 1, subs=((5, 213, "y"),))), None)
    assert sanitized_row(row.key, row.body, row.sub_keys, scrub) == (row.key, row.body, row.sub_keys, ())


def test_each_claimant_of_a_guid_is_told_of_the_others() -> None:
    number = guid(1).hex()
    assert duplicate_guid(guid(1), [b"Assets/a", b"Assets/b"]) == [
        Diagnostic("duplicate-guid", "Assets/a", 0, f"has the GUID {number} of Assets/b"),
        Diagnostic("duplicate-guid", "Assets/b", 0, f"has the GUID {number} of Assets/a"),
    ]
