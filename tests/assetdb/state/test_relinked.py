"""An index after an edit of references is the index of all directories, byte for byte."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from assetdb.state.project_state import ProjectState
from assetdb.state.relinked import index_after
from tests.assetdb.state.directories import Given, directory

if TYPE_CHECKING:
    from assetdb.scan.directory import DirectoryFacts

ASSETS = 12
UNIVERSE = 20
FOLDER = 17


def project(chance: random.Random | None = None, *, changed: int = ASSETS) -> list[DirectoryFacts]:
    """Return two directories, of which some assets refer to others, to a folder and to what is nowhere."""
    found = []
    for number in range(ASSETS):
        source = random.Random(number) if chance is None or number >= changed else chance
        references = tuple(sorted(source.sample(range(UNIVERSE), source.randrange(5))))
        candidates = tuple(sorted(source.sample(range(UNIVERSE), source.randrange(3))))
        found.append(Given(f"{number}.asset", number, b"114", references=references, candidates=candidates))
    return [
        directory(b"Assets", *found[:5], folders={b"F": FOLDER}),
        directory(b"Assets/F", *found[5:]),
    ]


def index_of(directories: list[DirectoryFacts]) -> bytes:
    return ProjectState(directories).index()


@pytest.mark.parametrize("seed", range(40))
def test_it_is_the_index_of_all_directories(seed: int) -> None:
    chance = random.Random(seed)
    before, after = project(), project(chance, changed=chance.randrange(1, ASSETS))
    assert index_after(index_of(before), zip(before, after, strict=True)) == index_of(after)


def test_an_index_that_stays_is_the_same_object() -> None:
    data = index_of(project())
    assert index_after(data, zip(project(), project(), strict=True)) is data
    one, other = directory(b"A", Given("a", 1)), directory(b"A", Given("a", 1, candidates=(FOLDER,)))
    data = index_of([one])
    assert index_after(data, [(one, other)]) is data  # a candidate that is nowhere


def test_first_and_last_references() -> None:
    without, one = (
        directory(b"A", Given("a", 1), Given("b", 2)),
        directory(b"A", Given("a", 1), Given("b", 2, references=(1,))),
    )
    assert index_after(index_of([without]), [(without, one)]) == index_of([one])
    assert index_after(index_of([one]), [(one, without)]) == index_of([without])


def test_references_of_an_asset_that_shares_its_guid_are_not_followed() -> None:
    twin = directory(b"Assets/F", Given("twin.asset", 1, references=(3,)))
    before = [directory(b"Assets", Given("a.asset", 1), Given("b.asset", 2)), twin]
    other = directory(b"Assets", Given("a.asset", 1), Given("b.asset", 2, references=(3,)))
    data = index_of(before)
    assert index_after(data, [(before[0], other)]) == index_of([other, twin])
    assert index_after(data, [(twin, directory(b"Assets/F", Given("twin.asset", 1, references=(4,))))]) is None


def test_an_asset_without_an_entry_is_not_followed() -> None:
    one, other = directory(b"A", Given("a", 1)), directory(b"A", Given("a", 1, references=(2,)))
    assert index_after(index_of([directory(b"A", Given("b", 2))]), [(one, other)]) is None
