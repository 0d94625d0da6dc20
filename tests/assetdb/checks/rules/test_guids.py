"""Typed GUIDs are told at the metas that have them: of assets, duplicates and folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.rules.guids import find_placeholders
from tests.assetdb.checks.healthy import FOLDER, NATIVE, material, put, put_meta
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

ONES, COUNTED, OTHER = "1" * 32, "0123456789abcdef" * 2, "2" * 32


def test_each_meta_with_a_typed_guid_is_told_at_its_line(tmp_path: Path) -> None:
    for name, guid in (("a", ONES), ("b", ONES), ("c", COUNTED), ("d", "")):
        put(tmp_path, f"Assets/{name}.mat", material(name), NATIVE)
        put_meta(tmp_path, f"Assets/{name}.mat", NATIVE, guid)
    (tmp_path / "Assets/Folder").mkdir()
    put_meta(tmp_path, "Assets/Folder", FOLDER, OTHER)
    meta = tmp_path / "Assets/c.mat.meta"
    meta.write_text(meta.read_text().replace("guid:", "timeCreated: 1\nguid:"))
    found = {(row.path, row.line, row.target_guid) for row in found_by(find_placeholders, tmp_path)}
    assert found == {
        ("Assets/a.mat.meta", 2, ONES),
        ("Assets/b.mat.meta", 2, ONES),
        ("Assets/c.mat.meta", 3, COUNTED),
        ("Assets/Folder.meta", 2, OTHER),
    }
    assert all(row.target_guid in row.message for row in found_by(find_placeholders, tmp_path))


def test_a_project_without_assets_has_none(tmp_path: Path) -> None:
    (tmp_path / "Assets").mkdir()
    assert found_by(find_placeholders, tmp_path) == []
