"""Contested names, read from the names that their claimants got."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.errors import DatabaseError
from assetdb.store.entry import Asset, SubAsset
from assetdb.workspace.contested import Claimant, ContestedName, contested_in, contested_names

if TYPE_CHECKING:
    from pathlib import Path


def asset(number: int, name: str, path: str, *subs: tuple[int, str], kind: int = 28, script: str = "") -> Asset:
    rows = tuple(SubAsset(file_id, 213, text) for file_id, text in subs)
    return Asset(f"{number:032x}", kind, script, name, rows, path)


def claimant(number: int, name: str, path: str, file_id: int | None = None) -> Claimant:
    return Claimant(name, path, f"{number:032x}", file_id)


def test_the_claimants_of_a_name_are_told_by_path() -> None:
    rows = [asset(2, "Door^B", "Assets/B/Door.png"), asset(1, "Door^A", "Assets/A/Door.png"), asset(3, "Free", "x.png")]
    assert contested_names(rows) == (
        ContestedName(
            "Door", 28, "", (claimant(1, "Door^A", "Assets/A/Door.png"), claimant(2, "Door^B", "Assets/B/Door.png"))
        ),
    )


def test_types_are_told_apart_and_sub_assets_claim_too() -> None:
    script = "ab" * 16
    rows = [
        asset(1, "Door^A", "Assets/A/Door.asset", kind=114, script=script),
        asset(2, "Door^B", "Assets/B/Door.asset", kind=114, script=script),
        asset(3, "Door^C", "Assets/C/Door.png"),
        asset(4, "sheet", "Assets/D/sheet.png", (7, "s^D"), (-5, "s^sheet.png")),
        asset(5, "other", "Assets/E/other.png", (1, "s^E")),
    ]
    first, second = contested_names(rows)
    assert (first.name, first.class_id, first.script, len(first.claimants)) == ("Door", 114, script, 2)
    assert (second.name, second.class_id, [row.file_id for row in second.claimants]) == ("s", 213, [-5, 7, 1])


@pytest.mark.parametrize(
    ("name", "path", "claimed"),
    [
        ("A^Sub", "Assets/Sub/A.png", "A"),
        ("A^Assets/Sub", "Assets/Sub/A.png", "A"),
        ("A^A.png", "Assets/Sub/A.png", "A"),
        ("A^Sub/A.png", "Assets/Sub/A.png", "A"),
        ("A^Sub^^", "Assets/Sub/A.png", "A"),
        ("A^B^Sub", "Assets/Sub/A.png", "A^B"),
        ("A^ub", "Assets/Sub/A.png", ""),
        ("A^", "Assets/Sub/A.png", ""),
        ("^Sub", "Assets/Sub/A.png", ""),
        ("A^Other", "Assets/Sub/A.png", ""),
        ("A^Sub", "Assets/Sub/A^Sub.png", ""),
        ("A^Sub.x", "Assets/Sub/A^Sub.x", ""),
        ("A^Sub", "Assets/Sub/A^Sub", ""),
    ],
)
def test_a_name_tells_what_was_claimed_by_a_run_of_its_path(name: str, path: str, claimed: str) -> None:
    found = contested_names([asset(1, name, path), asset(2, f"{claimed or 'A'}^Z", "Assets/Z/A.png")])
    assert [row.name for row in found] == ([claimed] if claimed else [])


def test_one_asset_alone_contests_nothing() -> None:
    assert contested_names([asset(1, "s", "Assets/A/s.png", (1, "x^A"), (2, "x^s.png"))]) == ()
    assert contested_names([]) == ()


def test_a_file_that_is_no_database_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "asset-db.bin").write_bytes(b"no")
    with pytest.raises(DatabaseError):
        contested_in(str(tmp_path / "asset-db.bin"))
