"""FileIDs that importers make by hashing names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xxhash import xxh64_intdigest

from assetdb.unity.engine import file_ids
from assetdb.unity.engine.file_ids import HashedNames, ImportedObject, LaterObjects, hashed_id

if TYPE_CHECKING:
    import pytest


def test_a_hash_is_a_signed_number_of_64_bits() -> None:
    assert hashed_id("Transform", "//RootNode") == -4216859302048453862  # as scenes of public projects have it
    found = {hashed_id("Mesh", f"m{number}") for number in range(64)}
    assert min(found) < 0 < max(found)
    assert all(-(1 << 63) <= number < 1 << 63 for number in found)
    whole = xxh64_intdigest(b"Type:Mesh->m00")
    assert hashed_id("Mesh", "m0") == (whole if whole < 1 << 63 else whole - (1 << 64))


def test_a_second_object_of_one_name_has_the_next_number() -> None:
    names = HashedNames()
    for path in ("first", "second"):
        names.add("Mesh", "m", path, certain=True)
    names.add("Mesh", "other", "third", certain=True)
    assert names.found == {
        hashed_id("Mesh", "m"): ImportedObject("Mesh", "first", certain=True),
        hashed_id("Mesh", "m", 1): ImportedObject("Mesh", "second", certain=True),
        hashed_id("Mesh", "other"): ImportedObject("Mesh", "third", certain=True),
    }


def test_guesses_are_not_counted_and_replace_nothing() -> None:
    names = HashedNames()
    names.add("Mesh", "m", "guess", certain=False)
    names.add("Mesh", "m", "again", certain=False)
    names.add("Mesh", "m", "sure", certain=True)
    names.add("Mesh", "m", "next", certain=True)
    assert names.found == {
        hashed_id("Mesh", "m"): ImportedObject("Mesh", "guess", certain=False),
        hashed_id("Mesh", "m", 1): ImportedObject("Mesh", "next", certain=True),
    }


def test_nodes_are_taken_off_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_ids, "_BUDGET", 2 * 256 + 5)
    names = HashedNames()
    assert [names.spend(path) for path in ("ab", "abc", "")] == [True, True, False]


def test_guesses_are_made_once_an_object_is_not_among_the_known() -> None:
    made: list[int] = []
    known = {7: ImportedObject("Mesh", "a", certain=True), 5: ImportedObject("Mesh", "b", certain=True)}
    whole = {**known, 1: ImportedObject("Mesh", "guess", certain=False)}

    def later() -> dict[int, ImportedObject]:
        made.append(1)
        return whole

    objects = LaterObjects(known, later, 9)
    assert objects[5].path == "b"
    assert 7 in objects
    assert next(iter(objects)) == 7
    assert objects.held == 11
    assert not made
    assert objects.get(1) == whole[1]
    assert 2 not in objects
    assert objects.get(3) is None
    assert (list(objects), len(objects), dict(objects)) == ([7, 5, 1], 3, whole)
    assert (dict(objects.items()), list(objects.values())) == (whole, list(whole.values()))
    assert made == [1]
    assert list(LaterObjects(known, later, 9)) == [7, 5, 1]
