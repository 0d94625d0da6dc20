"""Owners of GUIDs: folders, and assets that share one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.diagnostics import Diagnostic
from assetdb.state.columns import path_in
from assetdb.state.guid_columns import GuidColumns
from assetdb.state.guid_owners import GuidOwners
from assetdb.state.rows import PlacedRow, rows_in
from assetdb.store.indexes.graph import halves
from assetdb.store.indexes.supplement import Supplement
from tests.assetdb.state.directories import Given, by_path, directory, guid

if TYPE_CHECKING:
    from assetdb.scan.directory import DirectoryFacts

A = directory(b"Assets/A", Given("b.png", 1), Given("a.png", 1), Given("c.png", 2), folders={b"F": 5})
B = directory(b"Assets/B", Given("z.png", 1, references=(2, 5, 77), candidates=(3, 88)))


def owners(*directories: DirectoryFacts, folders: tuple[tuple[bytes, bytes], ...] = ()) -> GuidOwners:
    return GuidOwners(by_path(*directories), folders, None)


def claim(found: GuidOwners, home: DirectoryFacts, number: int) -> list[PlacedRow]:
    """Return the claimants of a GUID in one directory."""
    rows = [row for key, row in rows_in(home, None) if key == guid(number)]
    return [PlacedRow(path_in(row.body, home.path), home.path, row) for row in rows]


def duplicate(path: str, number: int, other: str) -> Diagnostic:
    return Diagnostic("duplicate-guid", path, 0, f"has the GUID {guid(number).hex()} of {other}")


def test_the_entry_of_a_guid_is_the_first_by_path() -> None:
    found = owners(A, B)
    assert found.path_of(guid(1), b"Assets/A") == b"Assets/A/a.png"
    assert found.path_of(guid(2), b"Assets/A") == b"Assets/A/c.png"
    assert found.row_of(guid(1), b"Assets/B").key == b"28:z"


def test_rows_are_read_again_when_they_were_forgotten() -> None:
    directories = by_path(A)
    found = GuidOwners(directories, (), None)
    found.row_of(guid(2), b"Assets/A")
    directories[b"Assets/A"] = directory(b"Assets/A", Given("new.png", 2))
    assert found.path_of(guid(2), b"Assets/A") == b"Assets/A/c.png"
    found.forget_rows()
    assert found.path_of(guid(2), b"Assets/A") == b"Assets/A/new.png"


def test_claimants_and_folders_of_one_guid_are_told() -> None:
    found = owners(A, B, folders=((guid(2), b"Assets/Z"), (guid(7), b"Assets/X"), (guid(7), b"Assets/W")))
    assert found.folders == {guid(2): [b"Assets/Z"], guid(7): [b"Assets/W", b"Assets/X"]}
    found.duplicates[guid(1)] = claim(found, A, 1)[:1] + claim(found, B, 1)
    for number in (1, 2, 7, 9):
        found.check(guid(number), {guid(2): b"Assets/A"})
    assert found.problems == [
        duplicate("Assets/A/b.png", 1, "Assets/B/z.png"),
        duplicate("Assets/A/c.png", 2, "Assets/Z"),
        duplicate("Assets/B/z.png", 1, "Assets/A/b.png"),
        duplicate("Assets/W", 7, "Assets/X"),
        duplicate("Assets/X", 7, "Assets/W"),
        duplicate("Assets/Z", 2, "Assets/A/c.png"),
    ]
    found.folders[guid(7)].pop()
    found.check(guid(7), {})
    found.check(guid(2), {})  # its asset is gone
    assert {problem.path for problem in found.problems} == {"Assets/A/b.png", "Assets/B/z.png"}


def test_an_asset_alone_has_no_problem() -> None:
    found = owners(A, folders=((guid(5), b"Assets/A/F"),))
    found.check(guid(2), {guid(2): b"Assets/A"})
    found.check(guid(5), {})
    assert found.problems == []
    found.rewritten[guid(2)] = [Diagnostic("sanitized-name", "Assets/A/c.png", 0, "x")]
    assert found.problems == found.rewritten[guid(2)]


def test_folders_are_columns_of_the_index() -> None:
    found = owners(folders=((guid(7), b"Assets/X"), (guid(5), b"Assets/A"), (guid(7), b"Assets/W")))
    columns = found.folder_columns()
    assert (columns.folder_count, columns.parts[-1]) == (2, b"Assets/AAssets/W")


def test_a_supplement_has_all_claimants_but_the_first() -> None:
    found = owners(A, B, folders=((guid(5), b"Assets/A/F"),))
    found.duplicates[guid(1)] = [*sorted(claim(found, A, 1)), *claim(found, B, 1)]
    columns = [memoryview(half).cast("Q") for half in halves([guid(1), guid(2), guid(3)])]
    read = Supplement(found.supplement(GuidColumns(*columns), []))
    assert [(duplicate.asset.path, duplicate.targets) for duplicate in read.duplicates] == [
        ("Assets/A/b.png", ()),
        # all certain references, and of the candidates those that are an asset or a folder
        ("Assets/B/z.png", tuple(guid(number).hex() for number in (2, 3, 5, 77))),
    ]
    assert read.unread == ()
    assert owners(A).supplement(GuidColumns(*columns), []) == b""
