"""Groups as rows of plain data: counts of what is in them, the player last."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from assetdb.builds.groups.implicit import PlannedContent, PlannedDuplicate, Pulled
from assetdb.builds.groups.plan import Member, MissingEntry, PlannedBundle, PlannedGroup
from assetdb.builds.groups.rows import bundle_rows, duplicate_rows, entry_rows, group_rows

if TYPE_CHECKING:
    from assetdb.builds.groups.plan import Plan
    from assetdb.unity.settings.addressables import BundledSchema

A, B = (Member(letter * 32, f"Assets/{letter}.mat", letter, ("x",), f"Assets/{letter}.mat") for letter in "ab")
PULLED = Pulled("c" * 32, "Assets/c.png", 7, (A.path,))
SCHEMA = cast("BundledSchema", SimpleNamespace(packing="together", compression="LZ4"))
BUNDLE = PlannedBundle("g_all", "G", (A, B))
GROUP = PlannedGroup("G", "1" * 32, "Assets/G.asset", 5, (A, B), "", SCHEMA, "build", "load", None, (BUNDLE,))
PLAYER_GROUP = PlannedGroup("P", "2" * 32, "Assets/P.asset", 0, (), "the player's", None, "", "", None, ())
HELD = [
    PlannedContent("g_all", "G", (A, B), (10, None), (PULLED, PULLED._replace(guid="d" * 32, size=None))),
    PlannedContent("g_more", "G", (A,), (10,), (PULLED,)),
    PlannedContent("player", "", (B,), (3,), ()),
]


def lacking(group: PlannedGroup, digit: str) -> MissingEntry:
    return MissingEntry(group.name, digit * 32, digit, group.path)


def test_a_group_has_a_row_with_its_counts_and_the_player_one_behind_them() -> None:
    missing = (lacking(GROUP, "e"), lacking(GROUP, "f"), lacking(PLAYER_GROUP, "0"))
    plan = SimpleNamespace(groups=(GROUP, PLAYER_GROUP), missing=missing, profile="Default", player=(B,))
    first, second, player = group_rows(cast("Plan", plan), HELD)
    assert first == {
        "group": "G",
        "guid": "1" * 32,
        "path": "Assets/G.asset",
        "skipped": "",
        "packing": "together",
        "compression": "LZ4",
        "build_path": "build",
        "load_path": "load",
        "remote": None,
        "profile": "Default",
        "entries": 5,
        "assets": 2,
        "implicit": 3,
        "source_bytes": 34,
        "missing": 2,
        "bundles": ["g_all"],
    }
    names = ("packing", "compression", "implicit", "source_bytes", "missing", "bundles", "skipped")
    assert [second[name] for name in names] == [None, None, 0, 0, 1, [], "the player's"]
    assert player == {"group": "", "holder": "player", "assets": 1, "implicit": 0, "source_bytes": 3}


def test_a_group_that_is_not_built_has_nothing_of_another_of_its_name() -> None:
    copy = GROUP._replace(path="Assets/G 1.asset", skipped="the settings do not list it", bundles=())
    plan = SimpleNamespace(groups=(GROUP, copy), missing=(lacking(GROUP, "e"),), profile="Default", player=())
    rows = list(group_rows(cast("Plan", plan), HELD))
    assert [(row["implicit"], row["source_bytes"], row["missing"]) for row in rows[:2]] == [(3, 34, 1), (0, 0, 0)]


def test_a_bundle_has_its_members_and_what_comes_along() -> None:
    (row, *_) = bundle_rows(HELD)
    assert (row["bundle"], row["group"], row["source_bytes"]) == ("g_all", "G", 17)
    assert [asset["path"] for asset in row["assets"]] == [A.path, B.path]
    assert row["implicit"][0] == {"guid": "c" * 32, "path": "Assets/c.png", "size": 7, "way": (A.path,)}


def test_every_member_of_a_group_is_a_row_and_a_duplicate_tells_what_it_wastes() -> None:
    assert [(row["group"], row["path"]) for row in entry_rows([GROUP, PLAYER_GROUP])] == [("G", A.path), ("G", B.path)]
    (row,) = duplicate_rows([PlannedDuplicate("g", A.path, 10, "", ("x", "y"))])
    assert (row["path"], row["wasted"], row["holders"]) == (A.path, 10, ("x", "y"))
