"""AssetBundles and labels of assets, from a scan, a cache or the metas."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.query.graph.assignments import Assigned, of_files, of_metas
from assetdb.query.snapshots.snapshot import open_project
from assetdb.scan.known.cache import FILE_NAME
from tests.assetdb.unity_project import HEAD, write, write_meta

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

NAMES = {"Assets/A/ä.mat": "ui/main", "Assets/A/c.mat": "props", "Assets/one.mat": "ui/main"}
LABELS = {"Assets/one.mat": ("Door", "Two words"), "Assets/B/e.mat": ("Öl",)}
FOUND = {
    **{path: Assigned(name, LABELS.get(path, ())) for path, name in NAMES.items()},
    "Assets/B/e.mat": Assigned("", ("Öl",)),
}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Snapshot]:
    (tmp_path / "ProjectSettings").mkdir()
    body = f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: m\n"
    paths = {**NAMES, "Assets/A/b.mat": "", "Assets/B/d.mat": "", "Assets/B/e.mat": ""}
    for number, (path, name) in enumerate(paths.items(), 1):
        labels = "".join(f"- {label}\n" for label in LABELS.get(path, ()))
        head = f"labels:\n{labels}" if labels else ""
        write(tmp_path, path, number, body, f"{head}NativeFormatImporter:\n  assetBundleName: {name}\n")
    write_meta(tmp_path, "Assets/B", 19, "folderAsset: yes\nDefaultImporter:\n  assetBundleName: whole\n")
    opened = open_project(str(tmp_path), str(tmp_path / "Library"))
    yield opened
    opened.close()


def test_names_of_the_last_bake_are_in_the_cache(project: Snapshot) -> None:
    for path in FOUND:  # the metas are not asked
        os.unlink(os.path.join(project.root, f"{path}.meta"))
    assert of_files(project.root, project.database) == FOUND


def test_without_a_cache_the_metas_are_read(project: Snapshot) -> None:
    os.unlink(os.path.join(project.folder, FILE_NAME))
    assert of_files(project.root, project.database) == FOUND


def test_a_damaged_cache_is_not_believed(project: Snapshot) -> None:
    path = os.path.join(project.folder, FILE_NAME)
    with open(path, "r+b") as file:
        file.seek(-1, os.SEEK_END)
        last = file.read(1)
        file.seek(-1, os.SEEK_END)
        file.write(bytes([last[0] ^ 255]))
    assert of_files(project.root, project.database) == FOUND


def test_metas_of_folders_and_absent_files(project: Snapshot) -> None:
    paths = ["Assets/B", "Assets/A/b.mat", "Assets/A/c.mat", "Assets/gone.mat"]
    assert of_metas(project.root, paths) == {
        "Assets/B": Assigned("whole", ()),
        "Assets/A/c.mat": Assigned("props", ()),
    }
