"""Unused assets, and the first reason that keeps each other one."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from assetdb.query.graph.unused import Kept, Unused, UsageReport, find_unused, has_build_scenes, lacking, root_matcher
from assetdb.query.snapshots.snapshot import open_project
from assetdb.store.indexes.supplement import Unread
from assetdb.unity.settings.addressables import GROUP_SCRIPT
from tests.assetdb.unity_project import HEAD, guid, write, write_meta

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

FOLDER = "folderAsset: yes\nDefaultImporter:\n  userData: \n"
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"


def body(*targets: int, script: str = "", kind: int = 114) -> str:
    own = f"  m_Script: {{fileID: 11500000, guid: {script}, type: 3}}\n" if script else ""
    rows = "".join(f"  f{number}: {{fileID: 11400000, guid: {guid(number)}, type: 2}}\n" for number in targets)
    return f"{HEAD}--- !u!{kind} &11400000\nObject:\n{own}{rows}"


def put(root: Path, path: str, number: int, *targets: int) -> None:
    write(root, f"Assets/{path}", number, body(*targets), "NativeFormatImporter:\n")


def settings(root: Path, name: str, text: str) -> None:
    (root / "ProjectSettings").mkdir(exist_ok=True)
    (root / "ProjectSettings" / name).write_text(text)


@contextmanager
def opened(root: Path) -> Iterator[Snapshot]:
    for name in ("Assets", "ProjectSettings"):
        (root / name).mkdir(exist_ok=True)
    project = open_project(str(root))
    try:
        yield project
    finally:
        project.close()


def report(root: Path, more_roots: Sequence[str] = ()) -> UsageReport:
    with opened(root) as project:
        return find_unused(project, more_roots)


def reasons(root: Path, more_roots: Sequence[str] = ()) -> dict[str, str]:
    return {row.path: row.reason for row in report(root, more_roots).kept}


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("Assets/Code/a.cs", "code"),
        ("Assets/Code/a.HLSL", "code"),
        ("Assets/link.xml", "code"),
        ("Assets/other.xml", None),
        ("Assets/Editor/icon.png", "editor"),
        ("Assets/Plugin/Gizmos/icon.png", "editor"),
        ("Assets/MyEditor/icon.png", None),
        ("Assets/Presets/a.preset", "editor"),
        ("Assets/UI/Resources/a.png", "Resources"),
        ("Assets/Resources.png", None),
        ("Assets/StreamingAssets/a.png", "StreamingAssets"),
        ("Assets/Sub/StreamingAssets/a.png", None),
        ("Packages/com.acme.own/a.png", "package"),
        ("Packages/com.acme.own/Editor/a.cs", "package"),
    ],
)
def test_a_path_alone_may_keep_an_asset(tmp_path: Path, path: str, reason: str | None) -> None:
    write(tmp_path, path, 1, b"x")
    if path.startswith("Packages/"):
        (tmp_path / "Packages/com.acme.own/package.json").write_text('{"name": "com.acme.own", "version": "1.0.0"}')
    found = report(tmp_path)
    assert {row.path: row.reason for row in found.kept}.get(path) == reason
    assert found.roots == ({reason: 1} if reason else {})
    assert [row.path for row in found.unused] == ([] if reason else [path])


def test_what_is_reached_from_a_root_is_used_by_the_first_that_reaches_it(tmp_path: Path) -> None:
    put(tmp_path, "Resources/root.asset", 1, 2, 3)
    put(tmp_path, "near.asset", 2, 4)
    put(tmp_path, "other.asset", 3, 4)
    put(tmp_path, "far.asset", 4, 2)
    put(tmp_path, "lonely.asset", 5, 4)
    found = report(tmp_path)
    assert found.unused == (Unused("Assets/lonely.asset", 114, guid(5), ""),)
    assert found.kept == (
        Kept("Assets/Resources/root.asset", 114, guid(1), "Resources", ""),
        Kept("Assets/far.asset", 114, guid(4), "", "Assets/near.asset"),
        Kept("Assets/near.asset", 114, guid(2), "", "Assets/Resources/root.asset"),
        Kept("Assets/other.asset", 114, guid(3), "", "Assets/Resources/root.asset"),
    )
    assert found.roots == {"Resources": 1}


def test_what_only_one_root_leads_to_is_kept_by_it_alone(tmp_path: Path) -> None:
    put(tmp_path, "Resources/one.asset", 1, 3, 4, 6)
    put(tmp_path, "Resources/two.asset", 2, 4)
    put(tmp_path, "only.asset", 3, 5)
    put(tmp_path, "shared.asset", 4, 7)
    put(tmp_path, "deep.asset", 5, 3)
    put(tmp_path, "Resources/inner.asset", 6, 8)
    put(tmp_path, "below_shared.asset", 7)
    put(tmp_path, "below_inner.asset", 8)
    with opened(tmp_path) as project:
        found = find_unused(project, alone=True)
        assert find_unused(project).alone == {}
    # The inner root is a root and used by the first, so without either it stays.
    assert found.alone == {
        "Assets/Resources/one.asset": ("Assets/Resources/one.asset", "Assets/deep.asset", "Assets/only.asset"),
        "Assets/Resources/two.asset": ("Assets/Resources/two.asset",),
    }
    for root in ("one", "two"):
        with opened(tmp_path) as project:
            without = {row.path for row in find_unused(project).kept}
        (tmp_path / f"Assets/Resources/{root}.asset").rename(tmp_path / f"Assets/{root}.asset")
        (tmp_path / f"Assets/Resources/{root}.asset.meta").rename(tmp_path / f"Assets/{root}.asset.meta")
        gone = f"Assets/Resources/{root}.asset"
        left = without - {row.path for row in report(tmp_path).kept}
        assert left == {*found.alone[gone]}
        (tmp_path / f"Assets/{root}.asset").rename(tmp_path / gone)
        (tmp_path / f"Assets/{root}.asset.meta").rename(tmp_path / f"{gone}.meta")


def test_patterns_of_the_caller_come_first(tmp_path: Path) -> None:
    put(tmp_path, "Resources/a.asset", 1)
    put(tmp_path, "Mods/b.asset", 2)
    put(tmp_path, "Mods/Deep/c.asset", 3)
    put(tmp_path, "d.asset", 4)
    assert reasons(tmp_path, ["Assets/Mods/", "Assets/Resources/*.asset"]) == {
        "Assets/Mods/Deep/c.asset": "root",
        "Assets/Mods/b.asset": "root",
        "Assets/Resources/a.asset": "root",
    }


def test_a_root_is_a_glob_or_a_folder() -> None:
    matches = root_matcher("Assets/Mods/")
    assert [matches(path) for path in ("Assets/Mods", "Assets/Mods/a", "Assets/Modsa", "Assets")] == [
        *(True, True, False, False)
    ]
    assert root_matcher("Assets/*.mat")("Assets/a.mat")


def test_settings_keep_scenes_shaders_and_all_else_they_name(tmp_path: Path) -> None:
    for number, path in enumerate(("on.unity", "off.unity", "by_path.unity", "s.asset", "p.asset", "free.asset"), 1):
        put(tmp_path, path, number)
    scenes = f"  - enabled: 1\n    path: Assets/on.unity\n    guid: {guid(1)}\n"
    scenes += f"  - enabled: 0\n    path: Assets/off.unity\n    guid: {guid(2)}\n"
    scenes += f"  - enabled: 1\n    path: Assets/by_path.unity\n    guid: {guid(99)}\n"
    settings(tmp_path, "EditorBuildSettings.asset", f"{HEAD}--- !u!1045 &1\nE:\n  m_Scenes:\n{scenes}")
    shader = f"  m_AlwaysIncludedShaders:\n  - {{fileID: 4800000, guid: {guid(4)}, type: 3}}\n"
    settings(tmp_path, "GraphicsSettings.asset", f"{HEAD}--- !u!30 &1\nGraphicsSettings:\n{shader}  m_X: 1\n")
    settings(tmp_path, "Other.asset", body(4, 5))
    assert reasons(tmp_path) == {
        "Assets/by_path.unity": "scene of the build settings",
        "Assets/off.unity": "scene of the build settings, switched off",
        "Assets/on.unity": "scene of the build settings",
        "Assets/p.asset": "settings: ProjectSettings/Other.asset",
        "Assets/s.asset": "always-included shader",
    }
    assert report(tmp_path).roots == {
        "always-included shader": 1,
        "scene of the build settings": 2,
        "scene of the build settings, switched off": 1,
        "settings": 1,
    }
    assert has_build_scenes(str(tmp_path))


@pytest.mark.parametrize("enabled", [None, 0])
def test_a_build_without_an_enabled_scene(tmp_path: Path, enabled: int | None) -> None:
    if enabled is not None:
        scene = f"  - enabled: {enabled}\n    path: Assets/a.unity\n    guid: {guid(1)}\n"
        settings(tmp_path, "EditorBuildSettings.asset", f"{HEAD}--- !u!1045 &1\nE:\n  m_Scenes:\n{scene}")
    assert not has_build_scenes(str(tmp_path))


def test_bundles_are_of_metas_and_of_folders_above(tmp_path: Path) -> None:
    named = "NativeFormatImporter:\n  assetBundleName: own\n"
    write(tmp_path, "Assets/B/own.asset", 1, body(), named)
    put(tmp_path, "B/Deep/inner.asset", 2)
    put(tmp_path, "Ba.asset", 3)
    write_meta(tmp_path, "Assets/B", 9, f"{FOLDER}  assetBundleName: whole\n")
    assert reasons(tmp_path) == {
        "Assets/B/own.asset": "AssetBundle: own",
        "Assets/B/Deep/inner.asset": "AssetBundle: whole",
    }


def test_a_group_keeps_itself_its_entries_and_its_folders(tmp_path: Path) -> None:
    write(tmp_path, "Assets/g.asset", 1, body(2, 8, script=GROUP_SCRIPT), "NativeFormatImporter:\n")
    put(tmp_path, "entry.asset", 2)
    put(tmp_path, "F/Deep/inside.asset", 3)
    write_meta(tmp_path, "Assets/F", 8, FOLDER)
    assert reasons(tmp_path) == {
        "Assets/F/Deep/inside.asset": "Addressables: Assets/g.asset has its folder Assets/F",
        "Assets/entry.asset": "",
        "Assets/g.asset": "Addressables group",
    }


def test_the_selected_template_is_kept(tmp_path: Path) -> None:
    put(tmp_path, "WebGLTemplates/Mine/index.asset", 1)
    put(tmp_path, "WebGLTemplates/Other/index.asset", 2)
    settings(tmp_path, "ProjectSettings.asset", f"{HEAD}--- !u!129 &1\nP:\n  webGLTemplate: PROJECT:Mine\n")
    assert reasons(tmp_path) == {"Assets/WebGLTemplates/Mine/index.asset": "WebGL template"}


def test_a_template_of_the_editor_is_no_folder_of_the_project(tmp_path: Path) -> None:
    put(tmp_path, "WebGLTemplates/Default/index.asset", 1)
    settings(tmp_path, "ProjectSettings.asset", f"{HEAD}--- !u!129 &1\nP:\n  webGLTemplate: APPLICATION:Default\n")
    assert reasons(tmp_path) == {}


def test_a_package_outside_the_project_keeps_what_it_uses(tmp_path: Path) -> None:
    put(tmp_path, "used.asset", 1)
    put(tmp_path, "free.asset", 2)
    cached = tmp_path / "Library" / "PackageCache" / "com.acme.tools@1.0.0"
    write(cached, "Tool.asset", 12, body(1), "NativeFormatImporter:\n")
    (cached / "package.json").write_text('{"name": "com.acme.tools", "version": "1.0.0"}')
    (tmp_path / "Packages").mkdir()
    (tmp_path / "Packages" / "manifest.json").write_text('{"dependencies": {"com.acme.tools": "1.0.0"}}')
    assert reasons(tmp_path) == {"Assets/used.asset": "used by a package"}


def atlas(root: Path, path: str, number: int, *packs: int) -> None:
    write(root, f"Assets/{path}", number, body(*packs, kind=687078895), "NativeFormatImporter:\n")


def test_an_atlas_is_kept_by_a_used_sprite_and_names_the_unused(tmp_path: Path) -> None:
    put(tmp_path, "Resources/root.asset", 1, 2)
    write(tmp_path, "Assets/used.png", 2, b"\x89PNG", "TextureImporter:\n")
    write(tmp_path, "Assets/unused.png", 3, b"\x89PNG", "TextureImporter:\n")
    write(tmp_path, "Assets/F/in_folder.png", 4, b"\x89PNG", "TextureImporter:\n")
    put(tmp_path, "F/material.asset", 5)
    write_meta(tmp_path, "Assets/F", 8, FOLDER)
    atlas(tmp_path, "all.spriteatlas", 6, 2, 3, 8)
    atlas(tmp_path, "none.spriteatlasv2", 7, 3)
    found = report(tmp_path)
    assert {row.path: row.packed_by for row in found.unused} == {
        "Assets/F/in_folder.png": "Assets/all.spriteatlas",
        "Assets/F/material.asset": "",
        "Assets/none.spriteatlasv2": "",
        "Assets/unused.png": "Assets/all.spriteatlas",
    }
    (kept,) = [row for row in found.kept if row.path == "Assets/all.spriteatlas"]
    assert (kept.reason, kept.used_by) == ("sprite atlas: packs Assets/used.png", "")
    assert found.roots == {"Resources": 1, "sprite atlas": 1}


def test_maps_beside_used_lighting_are_kept(tmp_path: Path) -> None:
    put(tmp_path, "Resources/root.asset", 1, 2)
    put(tmp_path, "Scene/LightingData.asset", 2)
    put(tmp_path, "Other/LightingData.asset", 3)
    names = ("Scene/Lightmap-0_comp_light.exr", "Scene/ReflectionProbe-12.exr")
    others = ("Scene/Lightmaps.exr", "Scene/Deep/Lightmap-0.exr", "Other/Lightmap-0.exr", "Scene/MyLightmap-0.exr")
    for number, name in enumerate((*names, *others), 10):
        write(tmp_path, f"Assets/{name}", number, b"x", "TextureImporter:\n")
    found = {path: reason for path, reason in reasons(tmp_path).items() if path.endswith(".exr")}
    assert found == {f"Assets/{name}": "baked lighting" for name in names}


def test_a_shared_guid_leads_to_all_that_have_it(tmp_path: Path) -> None:
    put(tmp_path, "Resources/root.asset", 1, 2)
    put(tmp_path, "one.asset", 2)
    put(tmp_path, "two.asset", 2, 3)
    put(tmp_path, "behind.asset", 3)
    found = report(tmp_path)
    assert found.unused == ()
    assert {row.path: row.used_by for row in found.kept} == {
        "Assets/Resources/root.asset": "",
        "Assets/behind.asset": "Assets/two.asset",
        "Assets/one.asset": "Assets/Resources/root.asset",
        "Assets/two.asset": "Assets/Resources/root.asset",
    }


def test_folders_of_an_asset_that_shares_its_guid_count(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path, f"Assets/{name}.asset", 1, body(8, script=GROUP_SCRIPT), "NativeFormatImporter:\n")
    put(tmp_path, "F/inside.asset", 3)
    write_meta(tmp_path, "Assets/F", 8, FOLDER)
    assert set(reasons(tmp_path)) == {"Assets/F/inside.asset", "Assets/a.asset", "Assets/b.asset"}


def test_files_that_hide_references_are_lacking(tmp_path: Path) -> None:
    write(tmp_path, "Assets/pointer.prefab", 1, LFS, "PrefabImporter:\n")
    settings(tmp_path, "A.asset", LFS)
    settings(tmp_path, "B.asset", " \n")
    settings(tmp_path, "C.asset", body())
    (tmp_path / "ProjectSettings" / "D.asset").mkdir()
    with opened(tmp_path) as project:
        assert lacking(project.root, project.database) == [
            Unread("Assets/pointer.prefab", "lfs-pointer"),
            Unread("ProjectSettings/A.asset", "lfs-pointer"),
            Unread("ProjectSettings/B.asset", "empty-asset"),
            Unread("ProjectSettings/D.asset", "unreadable"),
        ]
