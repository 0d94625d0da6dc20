"""The users of packages: assets by GUID, settings, and assembly definitions by name."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.package_use import PackageReference, used_packages
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.packages.packages_project import TEXT, TMP, body, cached, depend, make_root, package, put, text_user
from tests.assetdb.unity_project import HEAD, guid, write

if TYPE_CHECKING:
    from pathlib import Path


def used(root: Path) -> dict[str, tuple[PackageReference, ...]]:
    project = open_project(str(root))
    try:
        project.refresh()
        return {row.name: row.references for row in used_packages(project)}
    finally:
        project.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_root(tmp_path / "P")


def test_users_refer_by_guid_to_packages_here_and_elsewhere(root: Path) -> None:
    put(cached(root), "Runtime/a.asset", 12)
    put(root, "Assets/user.asset", 40, 12)
    put(root, "Assets/nobody.asset", 41)
    text_user(root)
    depend(root, com_acme_tools="1.0.0", com_unity_textmeshpro="3.0.6", com_acme_private="1.0.0")
    found = used(root)
    tools = PackageReference("Assets/user.asset", "Packages/com.acme.tools/Runtime/a.asset", guid(12))
    assert found["com.acme.tools"] == (tools,)
    assert found["com.unity.textmeshpro"] == (PackageReference("Assets/Text.asset", TEXT, TMP),)
    assert found["com.acme.private"] == ()


def test_users_of_an_embedded_package_are_outside_of_it(root: Path) -> None:
    own = package(root / "Packages/Own", "com.acme.own")
    put(own, "a.asset", 12)
    put(own, "b.asset", 13, 12)
    put(root, "Assets/user.asset", 40, 12)
    depend(root)
    assert used(root) == {"com.acme.own": (PackageReference("Assets/user.asset", "Packages/Own/a.asset", guid(12)),)}


def test_settings_use_packages(root: Path) -> None:
    settings = f"{HEAD}--- !u!30 &1\nGraphicsSettings:\n  a: {{fileID: 11500000, guid: {TMP}, type: 3}}\n"
    (root / "ProjectSettings/GraphicsSettings.asset").write_text(settings)
    depend(root, com_unity_textmeshpro="3.0.6")
    users = {row.user for row in used(root)["com.unity.textmeshpro"]}
    assert users == {"ProjectSettings/GraphicsSettings.asset"}


@pytest.mark.parametrize("name", ["Odd.asmdef", "Odd.AsmDef"])
def test_assemblies_are_used_by_name(root: Path, name: str) -> None:
    definition = json.dumps({"name": "Game", "references": ["Unity.TextMeshPro", "Acme.Tools", "Gone"]})
    write(root, "Assets/Game.asmdef", 40, definition, "AssemblyDefinitionImporter:\n")
    folder = cached(root)
    write(folder, name, 12, '{"name": "Acme.Tools"}', "AssemblyDefinitionImporter:\n")
    depend(root, com_acme_tools="1.0.0", com_unity_textmeshpro="3.0.6")
    found = used(root)
    by_name = (PackageReference("Assets/Game.asmdef", "", ""),)
    assert (found["com.acme.tools"], found["com.unity.textmeshpro"]) == (by_name, by_name)


def test_a_folder_without_package_json_is_no_package_on_this_machine(root: Path) -> None:
    (root.parent / "Tools").mkdir()
    (root / "Packages/manifest.json").write_text('{"dependencies": {"com.acme.tools": "file:../../Tools"}}')

    def folders() -> list[str]:
        project = open_project(str(root))
        try:
            return [row.folder and os.path.normpath(row.folder) for row in used_packages(project)]
        finally:
            project.close()

    assert folders() == [""]
    (root.parent / "Tools/package.json").write_text('{"name": "com.acme.tools"}')
    assert folders() == [str(root.parent / "Tools")]


def test_only_a_reference_to_code_is_a_script() -> None:
    rows = [PackageReference("a", path, "") for path in ("Packages/a/A.cs", "Packages/a/A.mat", "")]
    assert [row.is_script for row in rows] == [True, False, False]
    assert body(1)
