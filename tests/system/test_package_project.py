"""A repository that is a package is a project: every command answers in it, by paths in ``Packages/<name>/``."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.cli import main
from assetdb.daemon.session import Session
from assetdb.history.lost_guids import find_uncommitted
from assetdb.settings.project import asset_file, find_project
from scripts.make_packages import guid_of, material, write_asset
from tests.needs import needs_git, needs_links
from tests.system.graph.test_duplicates import git

if TYPE_CHECKING:
    from pathlib import Path

NAME = "com.example.tools"
ONE, TWO = f"Packages/{NAME}/Runtime/One.mat", f"Packages/{NAME}/Runtime/Deep/Two.mat"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "tools"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write_asset(str(root / "package.json"), "package.json", json.dumps({"name": NAME}), "PackageManifestImporter")
    write_asset(str(root / "Runtime" / "One.mat"), ONE, material("One", TWO))
    write_asset(str(root / "Runtime" / "Deep" / "Two.mat"), TWO, material("Two"))
    write_asset(str(root / "Samples~" / "S.mat"), "S", material("S", TWO))
    return root


def test_every_command_answers(
    package: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(package / "Runtime" / "Deep")
    assert find_project() == str(package)
    assert main(["bake", "--quiet"]) == 0
    for words, expected in (
        (["usages", TWO], ONE),
        (["usages", "Two.mat", "--objects"], f"{ONE}:7"),
        (["deps", "One.mat"], TWO),
        (["path", guid_of(TWO)], TWO),
        (["name", f"{guid_of(TWO)}:2100000"], "Two.mat"),
        (["guid", "../One.mat"], guid_of(ONE)),
        (["find", "One", "--type", "Material"], ONE),
        (["coverage"], "named"),
        (["unused", "--why"], "package"),
        (["annotate", "../One.mat"], "# Two.mat"),
        (["dump"], TWO),
    ):
        capsys.readouterr()
        assert main(words) == 0, words
        assert expected in capsys.readouterr().out, words
    assert sorted(os.listdir(package)) == ["Runtime", "Samples~", "package.json", "package.json.meta"]


def test_a_project_in_a_package_is_another_root(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo = package / "Demo"
    for name in ("Assets", "ProjectSettings", "Packages", "Library"):
        (demo / name).mkdir(parents=True)
        (demo / name / "made.txt").write_text("x")
    write_asset(str(demo / "Assets" / "Uses.mat"), "Uses", material("Uses", TWO))
    (demo / "Packages" / "manifest.json").write_text(json.dumps({"dependencies": {NAME: "file:../.."}}))
    capsys.readouterr()
    assert main(["check", "--project", str(package), "--select", "missing-meta", "--json"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["path"] for row in rows] == [
        "Demo/Assets/made.txt",
        *(f"Packages/{NAME}/{path}" for path in ("Runtime", "Runtime/Deep")),
    ]
    for words in (["Runtime"], ["--fix"]):  # of one root
        main(["check", "--project", str(package), "--select", "missing-meta", *words])
        told = capsys.readouterr()
        assert "Demo/Assets" not in told.out
        assert f"assetdb check --project {demo}" in told.err
    (demo / "assetdb.toml").write_text('[check.severity]\nmissing-meta = "note"\n')
    assert main(["check", "--project", str(package), "--select", "missing-meta"]) == 0
    assert "found 1 note\n" in capsys.readouterr().out
    assert main(["deps", "Assets/Uses.mat", "--project", str(demo)]) == 0
    assert capsys.readouterr().out.startswith(f"{TWO}")
    (package / "Demo.meta").write_text(f"fileFormatVersion: 2\nguid: {guid_of('Demo')}\nfolderAsset: yes\n")
    assert main(["check", "--project", str(package), "--select", "missing-meta"]) == 1
    assert "Demo/Assets/made.txt" in capsys.readouterr().out


@needs_links
def test_a_project_that_is_a_package_is_checked_as_both(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("Assets", "ProjectSettings"):
        (package / name).mkdir()
    write_asset(str(package / "Runtime/Lost.mat"), "Lost", material("Lost", "nothing has this"))
    (package / "Runtime.meta").write_text(f"fileFormatVersion: 2\nguid: {guid_of('Runtime')}\nfolderAsset: yes\n")
    (package / "README.txt").write_text("x")  # of the repository: without a meta
    made = package / "Assets/made.txt"
    made.write_text("x")
    assert main(["check", "--project", str(package), "--json", "--select", "missing-meta,missing-asset"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["code"], row["path"]) for row in rows] == [
        ("missing-meta", "Assets/made.txt"),
        ("missing-meta", "Runtime/Deep"),
        ("missing-asset", "Runtime/Lost.mat"),
    ]
    made.unlink()
    assert main(["check", "--project", str(package), "Assets"]) == 0
    assert "make this folder a package, too" in capsys.readouterr().err
    (package / "package.json.meta").unlink()  # npm's, of a tool of the repository
    assert main(["check", "--project", str(package)]) == 0
    assert "package" not in capsys.readouterr().err


def test_incremental_and_live_are_as_cold(package: Path, tmp_path: Path) -> None:
    live = Session(str(package), str(tmp_path / "live"))
    live.start()
    assetdb.bake(package, tmp_path / "warm")
    write_asset(str(package / "Runtime" / "New" / "A.mat"), "A", material("A", ONE))
    (package / "Runtime" / "Deep" / "Two.mat").write_text(material("Two", ONE))
    live.reconcile()
    assert live.save()
    assetdb.bake(package, tmp_path / "warm")
    assetdb.bake(package, tmp_path / "cold")
    for name in ("asset-db.bin", "asset-db.index"):
        whole = (tmp_path / "cold" / name).read_bytes()
        assert (tmp_path / "warm" / name).read_bytes() == (tmp_path / "live" / name).read_bytes() == whole
    live.close()


def test_an_embedded_package_belongs_to_its_project(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = package.parent / "Project"
    for name in ("Assets", "ProjectSettings", "Packages"):
        (project / name).mkdir(parents=True)
    package.rename(project / "Packages" / NAME)
    monkeypatch.chdir(project / "Packages" / NAME / "Runtime")
    assert find_project() == str(project)
    assert asset_file(str(project), ONE) == str(project / ONE)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"name": "../x"}', '{"name": "@a/b"}', '{"name": 5}'])
def test_what_is_no_package(tmp_path: Path, content: str) -> None:
    (tmp_path / "package.json").write_text(content)
    with pytest.raises(assetdb.ProjectError):
        find_project(str(tmp_path))


def test_a_package_may_have_a_folder_that_is_called_assets(
    package: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = f"Packages/{NAME}/Assets/Three.mat"
    write_asset(str(package / "Assets" / "Three.mat"), deep, material("Three", TWO))
    monkeypatch.chdir(package / "Assets")
    assert find_project() == str(package)
    assert main(["bake", "--quiet"]) == 0
    for query in (deep, "Three.mat", "../Assets/Three.mat", guid_of(deep)):
        capsys.readouterr()
        assert main(["deps", query]) == 0, query
        assert TWO in capsys.readouterr().out, query
    (package / "ProjectSettings").mkdir()
    assert find_project() == str(package)
    assert main(["bake", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["path", guid_of(deep)]) == 0
    assert capsys.readouterr().out.startswith("Assets/Three.mat")


@pytest.mark.corpus("unity/com.unity.2d.animation")
def test_a_real_package(corpus: Path, tmp_path: Path) -> None:
    result = assetdb.bake(corpus / "unity" / "com.unity.2d.animation", tmp_path)
    with assetdb.open_database(result.database) as database:
        paths = [asset.path for asset in database]
    assert len(paths) > 300
    assert all(path.startswith("Packages/com.unity.2d.animation/") for path in paths)


def test_those_that_share_a_guid_are_told_apart(
    package: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(package)
    duplicate = package / "Runtime" / "Other" / "Runtime" / "One.asset"
    write_asset(str(duplicate), ONE, material("Duplicate", ONE).replace("!u!21 &2100000", "!u!21 &77"))
    write_asset(str(package / "Runtime" / "User.mat"), "User", material("User", ONE))
    assert main(["bake", "--keep-going"]) == 0
    path = f"Packages/{NAME}/Runtime/Other/Runtime/One.asset"
    assert f"give {path} a new GUID, which no reference can mean, where 1 mean {ONE}" in capsys.readouterr().err
    duplicate.with_name("One.asset.meta").write_text(
        (package / "Runtime" / "Deep" / "Two.mat.meta").read_text(), encoding="utf-8"
    )
    duplicate.rename(duplicate.with_name("Two.mat"))
    duplicate.with_name("One.asset.meta").rename(duplicate.with_name("Two.mat.meta"))
    for query, expected in (("Runtime/Other/Runtime/Two.mat", f"{ONE}\n"), ("Runtime/Deep/Two.mat", "")):
        capsys.readouterr()
        main(["deps", query, "-q"])
        assert capsys.readouterr().out.partition("  ")[0].strip() == expected.strip(), query


@needs_git
def test_diff_tells_what_changed(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(package, "init", "-q")
    git(package, "add", ".")
    git(package, "commit", "-qm", "one")
    (package / "Runtime/One.mat").write_text(material("Uno", TWO))
    (package / "Runtime/Deep/Two.mat").rename(package / "Runtime/Two.mat")
    (package / "Runtime/Deep/Two.mat.meta").rename(package / "Runtime/Two.mat.meta")
    assert main(["diff", "--project", str(package)]) == 0
    told = capsys.readouterr().out
    assert f"changed   {ONE}" in told
    assert f"moved     {TWO} -> Packages/{NAME}/Runtime/Two.mat" in told


@needs_git
def test_where_a_guid_was(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(package.parent))
    git(package, "init", "-q")
    git(package, "add", ".")
    git(package, "commit", "-qm", "one")
    (package / "Runtime" / "One.mat.meta").unlink()
    held = find_uncommitted(str(package))
    assert {guid: row.path for guid, row in held.items()} == {guid_of(ONE): ONE}
