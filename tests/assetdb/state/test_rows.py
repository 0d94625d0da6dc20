"""Assets one by one, before names are decided."""

from __future__ import annotations

from assetdb.diagnostics import Diagnostic
from assetdb.scan.directory import DirectoryFacts
from assetdb.state.rows import PLACE, PlacedRow, Row, rows_in, type_of
from assetdb.store.entry import read_body
from tests.assetdb.state.directories import Given, directory, guid, packed

HOME = directory(
    b"Assets",
    Given("a.png", 1, subs=((5, 213, "s"),), references=(7,), candidates=(8, 9)),
    Given("b:c.asset", 2, b"cd" * 16),
)


def test_each_asset_of_a_directory_is_a_row() -> None:
    (first, one), (second, two) = rows_in(HOME, None)
    assert (first, second) == (guid(1), guid(2))
    assert (one.key, one.sub_keys, one.links, one.problems) == (b"28:a", (b"213:s",), (guid(7), packed((8, 9))), ())
    assert (two.sub_keys, two.links, read_body(two.body).path) == ((), (b"", b""), "Assets/b:c.asset")
    assert rows_in(DirectoryFacts(b"Assets"), None) == []


def test_a_row_claims_its_names_and_has_a_type() -> None:
    (_, one), (_, two) = rows_in(HOME, None)
    assert (one.claims, two.claims) == ((b"28:a", b"213:s"), (b"cd" * 16 + b":b:c",))
    assert (one.type, two.type, type_of(b"1:")) == (b"28", b"cd" * 16, b"1")


def test_names_are_sanitized_if_that_is_asked_for() -> None:
    (_, one), (_, two) = rows_in(HOME, lambda name: "new" if name == "a" else None)
    assert (one.key, read_body(one.body).name) == (b"28:new", "new")
    assert one.problems == (Diagnostic("sanitized-name", "Assets/a.png", 0, "'a' becomes 'new'"),)
    assert two == rows_in(HOME, None)[1][1]


def test_claimants_are_in_the_order_of_paths() -> None:
    row = Row(b"28:a", b"", (), (b"", b""), ())
    claimants = [
        PlacedRow(b"Assets/b", b"Assets", row),
        PlacedRow(b"Assets/a", b"Z", row),
        PlacedRow(b"Assets/a", b"A", row),
    ]
    assert sorted(claimants, key=PLACE) == claimants[::-1]
