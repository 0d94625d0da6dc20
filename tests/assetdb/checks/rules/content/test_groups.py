"""Groups of Addressables beside each other and beside their settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.rules.content.groups import find_duplicates, find_groups, find_labels
from tests.assetdb.checks.healthy import guid_of, item, make_healthy
from tests.assetdb.checks.rule_cases import DEFAULT, entry, groups
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path


def line_of(root: Path, text: str, number: int = 0) -> int:
    """Return the line of a text in the group, the first or a later one."""
    found = [line for line, row in enumerate((root / DEFAULT).read_text().splitlines(), 1) if text in row]
    return found[number]


def test_an_address_of_two_assets(tmp_path: Path) -> None:
    root = make_healthy(tmp_path / "Game")
    groups(root, entry(item(0), "Items/A") + entry(item(1), "Items/A") + entry(item(2), "Items/B"))
    found = [
        (finding.path, finding.line, finding.message, finding.target) for finding in found_by(find_duplicates, root)
    ]
    said = "{} has the address 'Items/A', too: loading one asset takes any"
    assert found == [
        (DEFAULT, line_of(root, guid_of(item(0))), said.format(item(1)), guid_of(item(0))),
        (DEFAULT, line_of(root, guid_of(item(1))), said.format(item(0)), guid_of(item(1))),
    ]


def test_an_asset_that_is_an_entry_twice(tmp_path: Path) -> None:
    root = make_healthy(tmp_path / "Game")
    groups(root, entry(item(0), "A") + entry(item(0), "B"))
    found = [(finding.line, finding.message) for finding in found_by(find_duplicates, root)]
    assert found == [
        (line_of(root, guid_of(item(0))), "'A' is an entry twice"),
        (line_of(root, guid_of(item(0)), 1), "'B' is an entry twice"),
    ]


def test_an_entry_that_is_there_twice_is_not_told_of_itself(tmp_path: Path) -> None:
    root = make_healthy(tmp_path / "Game")
    groups(root, entry(item(0), "A") * 2 + entry(item(1), "A") + entry(item(2), "A"))
    found = [finding.message for finding in found_by(find_duplicates, root) if "twice" not in finding.message]
    others = [item(1), item(1), item(0), item(0)]
    assert found == [f"{other} has the address 'A', too: loading one asset takes any" for other in others]


def test_a_label_that_the_settings_lack(tmp_path: Path) -> None:
    root = make_healthy(tmp_path / "Game")
    groups(root, entry(item(0), "A", "low") + entry(item(1), "B", "Low"))
    (found,) = found_by(find_labels, root)
    assert (found.path, found.line, found.target) == (DEFAULT, line_of(root, "- Low"), "Low")


def test_a_label_at_the_end_of_a_file_without_a_last_line_end(tmp_path: Path) -> None:
    root = make_healthy(tmp_path / "Game")
    groups(root, entry(item(0), "A", "Low"))
    text = (root / DEFAULT).read_text()
    (root / DEFAULT).write_text(text[: text.index("- Low") + len("- Low")])
    (found,) = found_by(find_labels, root)
    assert (found.line, found.target) == (line_of(root, "- Low"), "Low")


def test_a_group_that_the_settings_do_not_list(tmp_path: Path) -> None:
    root = make_healthy(tmp_path / "Game")
    groups(root, "", listed=())
    assert [finding.path for finding in found_by(find_groups, root)] == [DEFAULT]


def test_without_settings_nothing_is_said(tmp_path: Path) -> None:
    root = make_healthy(tmp_path / "Game")
    assert found_by(find_labels, root) == found_by(find_groups, root) == found_by(find_duplicates, root) == []
