"""Changes of assets between two databases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.state.project_state import ProjectState
from assetdb.store.database import open_bytes
from assetdb.workspace.changes import Change, changes_between
from tests.assetdb.state.directories import Given, directory, guid

if TYPE_CHECKING:
    from assetdb.scan.directory import DirectoryFacts
    from assetdb.store.database import Database


def database(*directories: DirectoryFacts) -> Database:
    state = ProjectState(directories)
    return open_bytes("x", state.database, state.index())


def digits(number: int) -> str:
    return guid(number).hex()


SCRIPT = guid(9).hex().encode()
BEFORE = (
    directory(
        b"Assets",
        *(
            Given("same.png", 1),
            Given("named.png", 2),
            Given("moved.png", 3),
            Given("typed.png", 4),
            Given("gone.png", 5),
        ),
    ),
    directory(b"Assets/Code", Given("Item.cs", 9, b"115")),
)
AFTER = (
    directory(
        b"Assets",
        *(Given("same.png", 1), Given("other.png", 2), Given("typed.png", 4, SCRIPT), Given("new.asset", 6, SCRIPT)),
    ),
    directory(b"Assets/Code", Given("Item.cs", 9, b"115")),
    directory(b"Assets/F", Given("moved.png", 3)),
)


def test_each_changed_asset_has_one_kind_of_change() -> None:
    before, after = database(*BEFORE), database(*AFTER)
    expected = (
        Change("renamed", digits(2), "other", "Assets/other.png", "Texture2D", "named", "Assets/named.png"),
        Change("moved", digits(3), "moved", "Assets/F/moved.png", "Texture2D", "moved", "Assets/moved.png"),
        Change("changed", digits(4), "typed", "Assets/typed.png", "Item", "typed", "Assets/typed.png"),
        Change("removed", digits(5), "gone", "Assets/gone.png", "Texture2D", "gone", "Assets/gone.png"),
        Change("added", digits(6), "new", "Assets/new.asset", "Item", "", ""),
    )
    assert changes_between(before, after) == expected
    assert changes_between(before, after, {guid(number) for number in (2, 3, 4, 5, 6)}) == expected
    assert changes_between(before, after, {guid(5), guid(99)}) == expected[3:4]
    assert changes_between(before, before) == ()
    assert changes_between(before, after, set()) == ()


def test_an_asset_that_was_touched_is_told_even_if_its_entry_is_the_same() -> None:
    one = database(*BEFORE)
    assert [(change.kind, change.path) for change in changes_between(one, one, {guid(1)})] == [
        ("changed", "Assets/same.png")
    ]
