from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.mending import draft
from assetdb.checks.mending.draft import Draft
from tests.assetdb.history.git_project import make_repository

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

TAKEN, GIVEN, FREE = (bytes.fromhex(f"{digit}1c0de5{digit}7a9b3f24d6e8021f5a9c3b") for digit in "abc")


def test_a_drawn_guid_that_an_asset_has_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([TAKEN, GIVEN, TAKEN, GIVEN, FREE])
    monkeypatch.setattr(draft.os, "urandom", lambda _: next(drawn))
    plan = Draft("", lambda guid: guid == TAKEN.hex())
    assert plan.new_guid() == GIVEN.hex()
    assert plan.new_guid() == FREE.hex()
    assert plan.is_given(FREE.hex())
    assert not plan.is_given(TAKEN.hex())


def test_a_new_meta_that_git_ignores_mends_nothing(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository")
    (root / "Assets/a.ignored").write_text("x")
    (root / "Assets/b.txt").write_text("x")
    draft = Draft(str(root))
    for path in ("Assets/a.ignored", "Assets/b.txt"):
        draft.write(f"{path}.meta", b"fileFormatVersion: 2\n")
        draft.mend("missing-meta", path, "gets a meta with a new GUID")
    plan = draft.plan()
    assert [edit.path for edit in plan.edits] == ["Assets/a.ignored.meta", "Assets/b.txt.meta"]
    assert [fix.path for fix in plan.fixes] == ["Assets/b.txt"]
    said = "gets a meta with a new GUID, which git ignores: no clone has it until the rule goes"
    assert [(row.path, row.message) for row in plan.proposals] == [("Assets/a.ignored", said)]
