"""``assetdb git-setup``: steps as a table and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from assetdb.cli import main
from tests.assetdb.history.git_project import git, make_repository

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_merges_are_set_up_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_repository(tmp_path)
    assert main(["git-setup", "--project", str(root), "--no-hook"]) == 0
    assert "merge" not in capsys.readouterr().out
    assert main(["git-setup", "--project", str(root), "--no-hook", "--merge", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["state"], row["what"]) for row in rows] == [
        ("is there", "diff.unity.textconv"),
        ("is there", "diff=unity"),
        ("added", "merge.assetdb.driver"),
        ("added", "merge=assetdb"),
    ]
    assert git(root, "check-attr", "merge", "--", "Assets/a.unity").strip() == "Assets/a.unity: merge: assetdb"


def test_all_of_it_is_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_repository(tmp_path)
    main(["git-setup", "--project", str(root), "--merge"])
    capsys.readouterr()
    assert main(["git-setup", "--project", str(root), "--remove"]) == 0
    assert capsys.readouterr().out.count("removed") == 5
    assert main(["git-setup", "--project", str(root), "--remove"]) == 0
    assert "git-setup has changed nothing here" in capsys.readouterr().err
