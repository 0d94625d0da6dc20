"""Folders of ``Packages/`` that Unity does not import, because they have no ``package.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli import main
from assetdb.diagnostics import Diagnostic
from assetdb.scan.walking.foreign_folders import without_foreign_folders
from tests.assetdb.packages.packages_project import depend, make_root, package

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def missing(*paths: str) -> list[Diagnostic]:
    return [Diagnostic("missing-meta", path, 0, "has no .meta") for path in paths]


def test_only_folders_that_are_no_packages_are_left_out(tmp_path: Path) -> None:
    root = make_root(tmp_path / "P")
    package(root / "Packages/com.acme.own", "com.acme.own")
    (root / "Packages/Some.Lib.1.0.0/lib").mkdir(parents=True)
    kept = missing("Packages/com.acme.own/A.cs", "Packages/com.acme.cached/A.cs", "Assets/Packages/lib/a.dll")
    foreign = missing("Packages/Some.Lib.1.0.0/lib", "Packages/Some.Lib.1.0.0/lib/a.dll")
    assert without_foreign_folders(str(root), [*kept, *foreign]) == kept


def test_a_repository_that_is_a_package_has_no_such_folders(tmp_path: Path) -> None:
    root = package(tmp_path / "Own", "com.acme.own")
    (root / "Packages/com.acme.own").mkdir(parents=True)
    found = missing("Packages/com.acme.own/A.cs")
    assert without_foreign_folders(str(root), found) == found


def test_nothing_is_reported_or_written_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_root(tmp_path / "P")
    depend(root)
    library = root / "Packages/Some.Lib.1.0.0/lib"
    library.mkdir(parents=True)
    (library / "Some.Lib.dll").write_bytes(b"MZ")
    assert main(["check", "--project", str(root), "--fix"]) == 0
    assert not list(root.rglob("*.meta")), capsys.readouterr().out
    (root / "Packages/Some.Lib.1.0.0/package.json").write_text('{"name": "com.acme.lib", "version": "1.0.0"}')
    assert main(["check", "--project", str(root)]) == 1
    assert "Some.Lib.dll" in capsys.readouterr().out
