"""Shares of an export's assets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.export.edges import Share, assets_of
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import make_project, write

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("parts", [1, 2, 3, 50])
def test_each_asset_is_in_one_share_and_shares_follow_each_other(tmp_path: Path, parts: int) -> None:
    root = make_project(tmp_path / "game")
    for name in ("One", "Two", "Three"):
        write(root, f"Assets/{name}.txt", 99, "shares its GUID")
    project = open_project(str(root), str(tmp_path / "out"))
    expected = [asset.path for asset in project.database]
    expected += [duplicate.asset.path for duplicate in project.duplicates]
    assert len(expected) > len(project.database) > 3
    shares = [Share(number, parts) for number in range(parts)]
    assert [asset.path for share in shares for asset, _ in assets_of(project, share)] == expected
    scattered = [asset.path for share in shares for asset, _ in assets_of(project, share, scattered=True)]
    assert sorted(scattered) == sorted(expected)
    assert parts == 1 or scattered != expected
    project.close()
