"""The package that a project's folder is, seen without the project."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from assetdb.history.git.repository import Repository
from assetdb.query.snapshots.package_view import open_package_at, open_package_of
from assetdb.settings.project import is_package_too
from tests.assetdb.checks.healthy import make_healthy, material, put, put_meta
from tests.assetdb.history.git_project import commit, git
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot


def make_both(folder: Path, name: str = "com.acme.both") -> Path:
    root = make_healthy(folder, 1)
    put(root, "package.json", json.dumps({"name": name}))
    put(root, "Runtime/Deep/Red.mat", material("Red"))
    put_meta(root, "Runtime", "folderAsset: yes\nDefaultImporter:\n  userData: \n")
    (root / "README.md").write_text("without a meta")
    return root


OF_PACKAGE = ["Packages/com.acme.both/package.json", "Packages/com.acme.both/Runtime/Deep/Red.mat"]


def files_of(package: Snapshot) -> list[str]:
    return [asset.path for asset in package.database if asset.path.endswith((".mat", ".json", ".md"))]


@needs_links
def test_the_package_has_what_has_a_meta_and_leaves_nothing_behind(tmp_path: Path) -> None:
    root = make_both(tmp_path / "Both")
    assert is_package_too(str(root))
    before = sorted(os.walk(root))
    with open_package_of(str(root)) as package:
        assert package is not None
        assert files_of(package) == OF_PACKAGE
        view = package.root
    assert not os.path.lexists(os.path.dirname(view))
    assert sorted(os.walk(root)) == before


@needs_links
def test_a_package_without_a_name_is_none(tmp_path: Path) -> None:
    with open_package_of(str(make_both(tmp_path / "Both", "no name"))) as package:
        assert package is None


def test_what_is_no_package(tmp_path: Path) -> None:
    root = make_both(tmp_path / "Both")
    (root / "package.json.meta").unlink()  # npm's
    assert not is_package_too(str(root))


@needs_links
def test_another_side_of_the_package_has_the_files_of_git(tmp_path: Path) -> None:
    root = make_both(tmp_path / "Both")
    git(root, "init", "-q", "-b", "main")
    commit(root)
    (root / "Runtime/Deep/Red.mat").rename(root / "Runtime/Deep/Blue.mat")
    (root / "Runtime/Deep/Red.mat.meta").rename(root / "Runtime/Deep/Blue.mat.meta")
    (root / "package.json.meta").unlink()
    repository = Repository(str(root))
    entries = repository.revision_against_disk(repository.head(), tops=(".",))
    before = sorted(os.walk(root))
    with open_package_at(repository, entries) as package:
        assert package is not None
        assert files_of(package) == OF_PACKAGE
        view = package.root
    assert not os.path.lexists(os.path.dirname(view))
    assert sorted(os.walk(root)) == before
    with open_package_at(repository, {b"package.json.meta": None}) as package:
        assert package is None
