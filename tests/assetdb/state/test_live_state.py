"""A database that follows edits: the entries that change, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.errors import DatabaseError
from assetdb.state.live_state import LiveState
from assetdb.state.project_state import ProjectState
from assetdb.store.indexes.reader import Index
from assetdb.store.indexes.supplement import Supplement
from assetdb.store.schema import read_entries
from tests.assetdb.state.directories import Given, by_path, directory, guid

if TYPE_CHECKING:
    from assetdb.scan.directory import DirectoryFacts
    from assetdb.state.columns import Sanitize

A = directory(b"Assets/A", Given("one.png", 1, references=(2,)), Given("two.png", 2), folders={b"F": 50})
B = directory(b"Assets/B", Given("three.png", 3))


class Live:
    """A state, and the directories that it was told of; each step is compared with a fresh one."""

    def __init__(self, *directories: DirectoryFacts, sanitize: Sanitize | None = None) -> None:
        self.directories = by_path(*directories)
        self.sanitize = sanitize
        bulk = ProjectState(directories, sanitize)
        self.state = LiveState(directories, (bulk.database, bulk.index()), sanitize)
        self.compare()

    def compare(self) -> None:
        bulk = ProjectState([self.directories[path] for path in sorted(self.directories)], self.sanitize)
        assert (self.state.database, self.state.index()) == (bulk.database, bulk.index())
        assert (self.state.problems, self.state.shared_names()) == (bulk.problems, bulk.shared_names())
        assert self.state.asset_count == bulk.asset_count

    def update(self, *changes: DirectoryFacts | bytes) -> set[int]:
        """Replace directories, or remove those of which only the path is given; return the changed GUIDs."""
        pairs = []
        for change in changes:
            path = change if isinstance(change, bytes) else change.path
            old, new = self.directories.pop(path, None), None if isinstance(change, bytes) else change
            if new is not None:
                self.directories[path] = new
            pairs.append((old, new))
        found = self.state.update(pairs)
        self.compare()
        return {int.from_bytes(each, "big") for each in found}

    def names(self) -> dict[str, str]:
        return {asset.path: asset.name for asset in read_entries(self.state.database)}


def test_assets_come_and_go() -> None:
    live = Live(A, B)
    assert live.update(directory(b"Assets/C", Given("four.png", 4), Given("five.png", 5))) == {4, 5}
    assert live.update(b"Assets/B") == {3}
    assert live.update(b"Assets/A", b"Assets/C") == {1, 2, 4, 5}
    assert live.names() == {}
    assert live.update(A) == {1, 2}


def test_other_references_change_the_index_alone() -> None:
    live = Live(A, B)
    before = live.state.database
    more = directory(b"Assets/A", Given("one.png", 1, references=(2, 3)), Given("two.png", 2), folders={b"F": 50})
    index = live.state.index()
    assert live.update(more) == set()
    assert live.state.database is before
    assert live.state.index() != index
    assert live.update(more) == set()


def test_a_name_that_two_claim_is_neithers() -> None:
    live = Live(A, B)
    assert live.update(directory(b"Assets/C", Given("one.png", 4))) == {1, 4}
    assert live.names()["Assets/A/one.png"] == "one^A"
    assert live.update(directory(b"Assets/D/A", Given("one.png", 5))) == {1, 5}
    assert live.names()["Assets/A/one.png"] == "one^Assets/A"
    assert live.update(b"Assets/C", b"Assets/D/A") == {1, 4, 5}
    assert live.names()["Assets/A/one.png"] == "one"


def test_a_chosen_name_may_be_that_of_another() -> None:
    live = Live(A, directory(b"Assets/C", Given("one^A.png", 4)))
    live.update(directory(b"Assets/B", Given("one.png", 3)))
    names = live.names()
    assert names["Assets/C/one^A.png"] == "one^A"
    assert names["Assets/A/one.png"] != "one^A"
    live.update(b"Assets/B")
    assert live.names()["Assets/A/one.png"] == "one"


def test_the_first_by_path_has_the_entry_of_a_shared_guid() -> None:
    live = Live(B, directory(b"Assets/Z", Given("late.png", 1)))
    assert live.update(A) == {1, 2}
    assert "Assets/Z/late.png" not in live.names()
    assert [problem.path for problem in live.state.problems] == ["Assets/A/one.png", "Assets/Z/late.png"]
    supplement = Supplement(Index(memoryview(live.state.index())).supplement_bytes)
    assert [duplicate.asset.path for duplicate in supplement.duplicates] == ["Assets/Z/late.png"]
    assert live.update(b"Assets/A") == {1, 2}
    assert live.names()["Assets/Z/late.png"] == "late"
    assert live.state.problems == []


def test_one_of_two_that_share_a_guid_in_a_folder_goes() -> None:
    p, a, b, q = Given("p.png", 5), Given("s.png", 6), Given("t.png", 6), Given("z.png", 7)
    live = Live(directory(b"Assets/A", p, a, b, q))
    assert live.update(directory(b"Assets/A", p._replace(kind=b"21"), a, q._replace(kind=b"21"))) == {5, 7}
    assert live.state.problems == []
    assert live.update(directory(b"Assets/A", p, a, b, q)) == {5, 7}
    assert live.update(directory(b"Assets/A", p._replace(kind=b"21"), b, q._replace(kind=b"21"))) == {5, 6, 7}


def test_a_state_begins_with_the_problems_of_its_files() -> None:
    shared = directory(b"Assets/Z", Given("late.png", 1), Given("more.png", 50), folders={b"G": 60, b"H": 60})
    live = Live(A, B, shared)
    assert {problem.path for problem in live.state.problems} == {
        *("Assets/A/one.png", "Assets/Z/late.png"),
        *("Assets/A/F", "Assets/Z/more.png", "Assets/Z/G", "Assets/Z/H"),
    }


def test_folders_move_in_the_index() -> None:
    live = Live(A, B)
    live.update(directory(b"Assets/A", Given("one.png", 1, references=(2,)), Given("two.png", 2), folders={b"G": 50}))
    assert list(Index(memoryview(live.state.index())).folders()) == [(guid(50).hex(), "Assets/A/G")]
    live.update(directory(b"Assets/B", Given("three.png", 3), folders={b"X": 50}))
    assert [problem.path for problem in live.state.problems] == ["Assets/A/G", "Assets/B/X"]
    live.update(directory(b"Assets/A", Given("one.png", 1)), directory(b"Assets/B", Given("three.png", 3)))
    assert list(Index(memoryview(live.state.index())).folders()) == []


def test_types_of_scripts_come_and_go() -> None:
    script, other = b"cd" * 16, b"ef" * 16
    live = Live(A, B)
    assert live.update(directory(b"Assets/S", Given("item.asset", 9, script))) == {9}
    assert live.update(directory(b"Assets/S", Given("item.asset", 9, other))) == {9}
    assert live.update(directory(b"Assets/S", Given("item.asset", 9, other), Given("two.asset", 10, script))) == {10}
    assert live.update(b"Assets/S") == {9, 10}


def test_a_candidate_is_a_reference_while_the_project_has_its_target() -> None:
    holder = directory(b"Assets/H", Given("h.asset", 9, candidates=(3, 50)))
    live = Live(holder)
    live.update(B)
    live.update(A)
    live.update(b"Assets/B")
    live.update(b"Assets/A")


def test_rewritten_names_are_told_while_they_are_there() -> None:
    live = Live(A, B, sanitize=lambda name: "new" if name in ("one", "four") else None)
    assert [problem.message for problem in live.state.problems] == ["'one' becomes 'new'"]
    assert live.update(directory(b"Assets/C", Given("four.png", 4))) == {1, 4}
    assert live.names()["Assets/C/four.png"] == "new^C"
    assert live.update(b"Assets/C") == {1, 4}
    assert [problem.path for problem in live.state.problems] == ["Assets/A/one.png"]


def test_names_in_one_folder_are_told_apart_by_file_names() -> None:
    live = Live(B)
    live.update(directory(b"Assets/A", Given("one.png", 1), Given("one.jpg", 2)))
    paths = ["Assets/A/one.jpg", "Assets/A/one.png"]
    assert {live.names()[f"Assets/A/one.{end}"] for end in ("png", "jpg")} == {"one^one.png", "one^one.jpg"}
    assert [[problem.path for problem in each] for each in live.state.shared_names()] == [paths]
    live.update(directory(b"Assets/A", Given("one.png", 1)))
    assert live.state.shared_names() == []


def test_damaged_contents_are_refused() -> None:
    bulk = ProjectState([A, B])
    with pytest.raises(DatabaseError, match="the index is cut short"):
        LiveState([A, B], (bulk.database, bulk.index()[:-1]))
