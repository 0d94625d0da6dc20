"""Where a project is, which names Unity ignores, and what a package's own repository is."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ProjectError
from assetdb.settings.project import (
    asset_file,
    asset_prefix,
    asset_roots,
    files_beside,
    files_of,
    find_project,
    folded,
    folder_and_parents,
    inner_projects,
    is_hidden,
    is_opaque,
    is_set_aside,
    lone_assets,
    lone_metas,
    mounts_of,
    own_path,
    package_name,
    project_above,
    relative_file,
)

if TYPE_CHECKING:
    from pathlib import Path


def make(root: Path, *names: str) -> Path:
    for name in names or ("Assets", "ProjectSettings"):
        (root / name).mkdir(parents=True)
    return root


def make_package(root: Path, name: object = "com.acme.tools", **more: object) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    (root / "package.json").write_text(json.dumps({"name": name, **more}))
    return root


def test_a_given_folder_must_be_a_project(tmp_path: Path) -> None:
    root = make(tmp_path / "P")
    assert find_project(root) == find_project(f"{root}/.") == str(root)
    for names, missing in (
        (("Assets",), "ProjectSettings/"),
        (("ProjectSettings",), "Assets/"),
        (("x",), "Assets/ and no ProjectSettings/"),
    ):
        other = make(tmp_path / names[0], *names)
        with pytest.raises(ProjectError) as error:
            find_project(other)
        assert str(error.value) == f"{other} is not a Unity project: it has no {missing}"
    assert find_project(make_package(tmp_path / "Package")) == str(tmp_path / "Package")


def test_the_nearest_project_above_is_found_before_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make(tmp_path / "P")
    inner = make_package(root / "Packages/com.acme.tools")
    (inner / "Runtime").mkdir()
    monkeypatch.chdir(inner / "Runtime")
    assert find_project() == str(root)
    alone = make_package(tmp_path / "Alone")
    (alone / "Deep").mkdir()
    monkeypatch.chdir(alone / "Deep")
    assert find_project() == str(alone)
    (alone / "package.json").unlink()
    with pytest.raises(ProjectError, match=r"^no Unity project in .*Deep or above it: looked for a folder with both"):
        find_project()


def test_the_project_of_a_file(tmp_path: Path) -> None:
    root = make(tmp_path / "P")
    assert project_above(str(root / "Assets/Deep/a.txt")) == str(root)
    assert project_above(str(root / "a.txt")) == str(root)
    assert project_above(str(root)) is None


def test_folders_up_to_the_root() -> None:
    found = list(folder_and_parents(os.path.join(os.sep, "a", "b")))
    assert found == [os.path.join(os.sep, "a", "b"), os.path.join(os.sep, "a"), os.sep]
    assert list(folder_and_parents("")) == [""]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"name": "com.acme.tools"}', "com.acme.tools"),
        ('{"name": "a"}', "a"),
        ('{"name": "@acme/tools"}', ""),
        ('{"name": "acme/tools"}', ""),
        ('{"name": ".acme"}', ""),
        ('{"name": ""}', ""),
        ('{"name": 5}', ""),
        ("{}", ""),
        ("[]", ""),
        ("{", ""),
        ("[" * 100_000, ""),
    ],
)
def test_the_name_of_a_package_becomes_part_of_paths(tmp_path: Path, text: str, name: str) -> None:
    (tmp_path / "package.json").write_text(text)
    assert package_name(str(tmp_path)) == name


def test_a_project_is_no_package(tmp_path: Path) -> None:
    root = make_package(make(tmp_path / "P"))
    assert package_name(str(root)) == ""
    assert asset_roots(str(root)) == ("Assets", "Packages")
    assert (asset_prefix(str(root)), mounts_of(str(root))) == ("", {})
    assert package_name(str(tmp_path / "none")) == ""
    (tmp_path / "Odd/package.json").mkdir(parents=True)
    assert package_name(str(tmp_path / "Odd")) == ""


def test_projects_in_a_package_are_those_without_a_meta(tmp_path: Path) -> None:
    root = make_package(tmp_path / "Package")
    for name in ("Demo", "Demo~", "Shown"):
        make(root / name)
    (root / "Shown.meta").write_text("")
    (root / "Assets").mkdir()
    assert inner_projects(str(root)) == ["Demo", "Demo~"]
    assert inner_projects(str(root / "none")) == []


def test_the_assets_of_a_package_lie_in_its_own_folder(tmp_path: Path) -> None:
    root = str(make_package(tmp_path / "Package"))
    assert asset_roots(root) == ("Packages/com.acme.tools",)
    assert asset_prefix(root) == "Packages/com.acme.tools/"
    assert mounts_of(root) == {b"Packages/com.acme.tools": os.fsencode(root)}
    assert asset_file(root, "Packages/com.acme.tools/Runtime/a.cs") == os.path.join(root, "Runtime", "a.cs")
    assert asset_file(root, "Packages/com.acme.tools") == os.path.join(root, "")
    assert asset_file(root, "Packages/com.acme.toolsmore/a") == os.path.join(
        root, "Packages", "com.acme.toolsmore", "a"
    )
    assert asset_file(root, "Assets/a") == os.path.join(root, "Assets", "a")
    assert relative_file(root, "Packages/com.acme.tools/Runtime/a.cs") == "Runtime/a.cs"  # as git names it
    project = str(make(tmp_path / "P"))
    assert asset_file(project, "Packages/com.acme.tools/a") == os.path.join(project, "Packages", "com.acme.tools", "a")
    assert relative_file(project, "Assets/b/a.cs") == "Assets/b/a.cs"
    for each in (root, project):
        for path in ("Packages/com.acme.tools/Runtime/a.cs", "Assets/b/a.cs"):
            assert files_of(each)(path) == asset_file(each, path)


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        *((b".git", True), (b"Samples~", True), (b"a.tmp", True), (b"a.TMP", True), (b"cvs", True), (b"CVS", True)),
        *((b"a.tmpx", False), (b"mycvs", False), (b"a", False), (b"", False), (b"a.b", False), (b"tmp", False)),
    ],
)
def test_names_that_unity_ignores(name: bytes, hidden: bool) -> None:  # noqa: FBT001 - a row
    assert is_hidden(name) is hidden


def test_names_of_folders_and_removed_files() -> None:
    assert [is_opaque(name) for name in (b"a.androidlib", b"A.AndroidPack", b"androidlib", b"a.lib")] == [
        *(True, True, False, False)
    ]
    names = (b".a.assetdb-removed", b"a.assetdb-removed", b".a", b".assetdb-removed")
    assert [is_set_aside(name) for name in names] == [True, False, False, True]


def test_files_beside_the_tree_change_with_settings_and_lists(tmp_path: Path) -> None:
    root = make(tmp_path / "P")
    first = files_beside(str(root))
    assert first == (("assetdb.toml", 0),)
    (root / "assetdb.toml").write_text("")
    (root / "ProjectSettings/b.asset").write_text("b")
    (root / "ProjectSettings/a.asset").write_text("a")
    (root / "Packages").mkdir()
    (root / "Packages/manifest.json").write_text("{}")
    found = files_beside(str(root))
    assert [name for name, _ in found] == [
        *("assetdb.toml", "ProjectSettings/a.asset", "ProjectSettings/b.asset", "Packages/manifest.json")
    ]
    assert all(number for _, number in found)
    (root / "ProjectSettings/a.asset").write_text("other")
    changed = {one[0] for one, other in zip(found, files_beside(str(root)), strict=True) if one != other}
    assert changed == {"ProjectSettings/a.asset"}


def test_a_file_is_named_relative_to_its_project_with_slashes() -> None:
    root = os.path.join(os.sep, "Game")
    assert own_path(root, os.path.join(root, "Assets", "a.cs")) == "Assets/a.cs"
    assert own_path(root, os.path.join(root, "Assets/a.cs")) == "Assets/a.cs"
    elsewhere = os.path.join(os.sep, "Game2", "a.cs")
    assert own_path(root, elsewhere) == elsewhere
    assert own_path(os.sep, os.path.join(os.sep, "Assets", "a.cs")) == "Assets/a.cs", "the root of a drive, as of subst"
    assert relative_file(os.sep, "Assets/b/a.cs") == "Assets/b/a.cs"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        (b"AIController.CS", "aicontroller.cs"),
        ("Caf\u00e9.MAT".encode(), "caf\u00e9.mat"),
        ("Cafe\u0301.mat".encode(), "caf\u00e9.mat"),  # as macOS composes names
        ("\u00c9".encode(), "\u00e9"),
        (b"A\xff.MAT", b"a\xff.mat"),
    ],
)
def test_names_that_clash_have_one_key(name: bytes, key: str | bytes) -> None:
    assert folded(name) == key


def test_metas_and_assets_without_each_other() -> None:
    names = ["AIcontroller.cs.meta", "AiController.cs", "a.mat", "a.mat.meta", "B.png.meta", "b.png.meta", "C", "c"]
    assert lone_metas(names) == {"aicontroller.cs": "AIcontroller.cs.meta", "b.png": "B.png.meta"}
    assert lone_assets(names) == {"aicontroller.cs": "AiController.cs", "c": "C"}
