"""Manifests and lock files, compared as packages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from assetdb.cli import main
from assetdb.query.package_differences import PackageDifference, package_differences
from assetdb.unity.settings.packages import LOCK, MANIFEST
from tests.assetdb.history.git_project import commit, git
from tests.assetdb.packages.packages_project import depend, make_root, put

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def packed(**entries: object) -> bytes:
    return json.dumps({"dependencies": entries}).encode()


def test_packages_come_go_and_change() -> None:
    found = package_differences(
        MANIFEST, packed(a="1.0.0", b="1.0.0", c="2.0.0"), packed(b="1.1.0", c="2.0.0", d="file:../d")
    )
    assert found == [
        PackageDifference("a", "1.0.0", ""),
        PackageDifference("b", "1.0.0", "1.1.0"),
        PackageDifference("d", "", "file:../d"),
    ]
    assert [row.note for row in found] == ["1.0.0", "1.0.0 to 1.1.0", "file:../d"]


def test_a_commit_is_a_version_too() -> None:
    url = "https://example.org/a.git"
    sides = [packed(a={"version": url, "source": "git", "hash": digit * 40}) for digit in "12"]
    assert package_differences(LOCK, *sides) == [PackageDifference("a", f"{url} (1111111111)", f"{url} (2222222222)")]


def test_what_is_no_list_is_not_compared() -> None:
    assert package_differences(MANIFEST, b"{", packed(a="1.0.0")) is None
    assert package_differences(MANIFEST, packed(a="1.0.0"), packed(a="1.0.0")) is None
    assert package_differences(LOCK, b"\xff" * 99, b"") is None


def test_diff_prints_packages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_root(tmp_path / "P")
    put(root, "Assets/a.asset", 1)
    depend(root, com_acme_tools="1.0.0", com_acme_old="1.0.0")
    git(root, "init", "-q", "-b", "main")
    commit(root)
    depend(root, com_acme_tools="1.2.0")
    assert main(["diff", "--project", str(root), "--out-dir", str(tmp_path / "out")]) == 0
    out = capsys.readouterr().out
    assert "com.acme.tools" in out
    assert "1.0.0 to 1.2.0" in out
    assert "com.acme.old" in out
