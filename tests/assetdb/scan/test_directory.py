"""The columns of a directory, taken apart again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.diagnostics import Diagnostic, encode
from assetdb.scan.directory import (
    DirectoryFacts,
    all_diagnostics,
    asset_rows,
    facts_of,
    has_failed_files,
    reference_columns,
    unread_files,
)
from assetdb.scan.fast_path import Columns

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.scan.directory import AssetRow

ROWS: list[AssetRow] = [
    (b"0" * 31 + b"1", b"key", b"body", (b"one", b"two"), b"detail", b"r" * 32, b"c" * 16),
    (b"0" * 31 + b"2", b"other", b"", (), b"", b"", b""),
    (b"0" * 31 + b"3", b"third", b"longer body", (b"three",), b"", b"", b"d" * 16),
]


def directory(rows: list[AssetRow]) -> DirectoryFacts:
    columns = Columns()
    for row in rows:
        columns.add(row)
    names = DirectoryFacts._fields[DirectoryFacts._fields.index("guids") : DirectoryFacts._fields.index("folder_guids")]
    return DirectoryFacts(b"Assets", **dict(zip(names, columns.packed(), strict=True)))


@pytest.mark.parametrize("rows", [[], ROWS[:1], ROWS[1:2], ROWS[::2], ROWS])
def test_rows_are_those_that_were_added(rows: list[AssetRow]) -> None:
    found = directory(rows)
    assert asset_rows(found) == rows
    assert reference_columns(found) == [row[-2:] for row in rows]


def test_facts_are_all_but_identities() -> None:
    found = directory(ROWS)._replace(children=b"Sub", links=b"L", files=b"a/b", identities=b"12345678", contents=b"c")
    same = found._replace(path=b"Other", identity=9, identities=b"87654321", contents=b"d")
    assert facts_of(found) == facts_of(same)
    for field in ("children", "links", "files", "guids", "references", "folders", "file_diagnostics"):
        assert facts_of(found) != facts_of(found._replace(**{field: b"other"})), field


@pytest.mark.parametrize(
    ("code", "name", "expected"),
    [
        ("empty-asset", "a.txt", True),
        ("unreadable", "a.png", True),
        ("too-large", "a.unity", True),
        ("not-a-file", "a.txt", True),
        ("lfs-pointer", "a.prefab", True),
        ("lfs-pointer", "a.png", False),
        ("lfs-pointer", "a.odd", True),
        ("no-guid", "a.prefab.meta", True),
        ("no-guid", "a.png.meta", False),
        ("missing-meta", "a.odd", False),
        ("missing-meta", "a.mat", True),
        ("conflict-markers", "a.mat", False),
    ],
)
def test_files_with_unknown_references(code: str, name: str, expected: bool) -> None:  # noqa: FBT001 - a column
    packed = encode([Diagnostic(code, f"Assets/{name}", 0, "is odd")])
    rows = [(f"Assets/{name}".encode(), code.encode())] if expected else []
    assert unread_files([DirectoryFacts(b"Assets", file_diagnostics=packed)]) == rows
    assert unread_files([DirectoryFacts(b"Assets"), DirectoryFacts(b"Assets", listing_diagnostics=packed)]) == rows


def test_files_that_could_not_be_read() -> None:
    failed = encode([Diagnostic(code, "Assets/a", 0, "is odd") for code in ("no-guid", "unreadable")])
    assert has_failed_files(DirectoryFacts(b"Assets", file_diagnostics=failed))
    other = encode([Diagnostic("no-guid", "Assets/unreadable", 0, "is odd")])
    assert not has_failed_files(DirectoryFacts(b"Assets", file_diagnostics=other, listing_diagnostics=failed))


def test_diagnostics_are_in_order(tmp_path: Path) -> None:
    one, two, three = (Diagnostic("no-guid", f"Assets/{name}", 0, "is odd") for name in "abc")
    directories = {
        b"Assets": DirectoryFacts(b"Assets", listing_diagnostics=encode([three]), file_diagnostics=encode([one])),
        b"Assets/B": DirectoryFacts(b"Assets/B"),
    }
    assert all_diagnostics(str(tmp_path), directories, [two]) == [one, two, three]
    assert all_diagnostics(str(tmp_path), {}, []) == []
