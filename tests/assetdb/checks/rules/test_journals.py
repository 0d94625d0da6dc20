"""A journal that a killed process left is told until somebody settles it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.rules.journals import find_journal
from assetdb.settings.project import JOURNAL_NAME
from tests.assetdb.checks.healthy import make_healthy
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path


def test_a_journal_is_a_finding_even_if_it_is_empty(tmp_path: Path) -> None:
    root = make_healthy(tmp_path / "Game", 1)
    assert found_by(find_journal, root) == []
    (root / JOURNAL_NAME).parent.mkdir(parents=True, exist_ok=True)
    (root / JOURNAL_NAME).write_text("")
    (found,) = found_by(find_journal, root)
    assert (found.path, found.code) == (JOURNAL_NAME, "left-behind")
