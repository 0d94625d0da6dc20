"""Unresolved merges in texts that no bake reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.content.conflicts import find_conflicts
from tests.assetdb.checks.healthy import guid_of, put
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

BEGIN, MIDDLE, END = "<" * 7 + " HEAD\n", "=" * 7 + "\n", ">" * 7 + " theirs\n"
MERGE = f"{BEGIN}a\n{MIDDLE}b\n{END}"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.json", MERGE, 1),
        ("a.json", f"one\ntwo\n{MERGE}", 3),
        ("a.json", f"one\n{MERGE}".replace("\n", "\r\n"), 2),
        *((f"a.{ending}", MERGE, 1) for ending in ("txt", "xml", "csv", "yaml", "rsp", "jslib", "shader", "hlsl")),
        ("a.md", MERGE, 0),  # it may be about merges
        ("a.json", BEGIN + MIDDLE, 0),
        ("a.json", BEGIN + END, 0),
        ("a.json", MIDDLE + END, 0),
        ("a.json", f" {MERGE}", 0),
        ("a.json", MERGE.replace("=" * 7, "=" * 9), 0),
        ("a.json", MERGE.replace(" theirs", ""), 0),
    ],
)
def test_a_merge_with_all_its_marks_is_told_at_its_first(tmp_path: Path, name: str, text: str, line: int) -> None:
    put(tmp_path, f"Assets/{name}", text)
    found = [(row.path, row.line, row.asset) for row in found_by(find_conflicts, tmp_path)]
    assert found == ([(f"Assets/{name}", line, guid_of(f"Assets/{name}"))] if line else [])


@pytest.mark.parametrize(("size", "is_found"), [(1 << 24, True), ((1 << 24) + 1, False)])
def test_a_large_text_is_not_read(tmp_path: Path, size: int, is_found: bool) -> None:  # noqa: FBT001 - a row
    put(tmp_path, "Assets/a.json", MERGE + " " * (size - len(MERGE)))
    assert bool(found_by(find_conflicts, tmp_path)) is is_found
