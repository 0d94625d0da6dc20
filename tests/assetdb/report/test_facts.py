"""Every figure of a page is the one that the command prints as JSON."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.query import sizes
from assetdb.report.kept import KeptFacts
from assetdb.store import database
from scripts.fixture import copy_fixture
from tests.assetdb.unity_project import make_project
from tests.command_answers import asked
from tests.report_page import Page, read_page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset


def fixture(root: Path) -> None:
    copy_fixture(root)


def small(root: Path) -> None:
    make_project(root)


def with_shared_guids(root: Path) -> None:
    """A project with a copied asset, of whose two files nobody knows which is meant, and a setting that refers."""
    make_project(root)
    shutil.copytree(root / "Assets" / "Prefabs", root / "Assets" / "Copies")
    guid = (root / "Assets" / "Main.unity.meta").read_text().partition("guid: ")[2][:32]
    (root / "ProjectSettings" / "EditorBuildSettings.asset").write_text(
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n"
        f"  - enabled: 1\n    path: Assets/Main.unity\n    guid: {guid}\n"
    )


@pytest.fixture(params=[fixture, small, with_shared_guids])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    request.param(tmp_path / "P")
    monkeypatch.chdir(tmp_path / "P")
    return tmp_path / "P"


def written(root: Path) -> Page:
    assert main(["report", "-q", "-o", "page.html"]) == 0
    return read_page(root / "page.html")


def test_references_are_those_of_deps_and_usages(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = written(root)
    assets = page.paths[: len(page.bytes)]
    assert assets
    edges = page.edges
    expected = set()
    for path in assets:
        for row in asked(capsys, "deps", path)["dependencies"]:
            expected.add((path, row["path"] or row["guid"]))
    assert {(user, target) for user, target in edges if user in assets} == expected
    sharing = {path for path in assets if page.guids.count(page.guids[assets.index(path)]) > 1}
    for path in assets:
        users = {row["path"] for row in asked(capsys, "usages", path)["usages"]}
        if path not in sharing:
            assert {user for user, target in edges if target == path} == users, path


def test_types_are_those_of_deps_and_bytes_those_of_the_files(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = written(root)
    assets = page.paths[: len(page.bytes)]
    assert {path: size for path, size in zip(assets, page.bytes, strict=True) if size is not None} == {
        path: (root / path).stat().st_size for path in assets if (root / path).is_file()
    }
    types = dict(zip(page.paths, page.types, strict=True))
    found = [row for path in assets for row in asked(capsys, "deps", path)["dependencies"] if row["path"]]
    assert found
    assert all(types[row["path"]] == row["type"] for row in found)


def _lines(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    capsys.readouterr()
    assert main([*words, "--json", "-q"]) in (0, 1, 2)
    return capsys.readouterr().out.splitlines()


def test_findings_are_those_of_check(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = written(root)
    assert page.rows("findings") == [json.loads(line) for line in _lines(capsys, "check")]


def test_the_overview_is_that_of_info(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = written(root)
    expected = asked(capsys, "info")
    assert expected.pop("root") == str(root)
    assert page.facts["overview"] == expected


def test_unused_assets_are_those_of_the_command(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = written(root)
    expected = asked(capsys, "unused", "--incomplete", "--size")
    assert page.rows("unused", "unused") == expected["unused"]
    found = page.facts["unused"]
    assert found["roots"] == expected["roots"]
    assert len(found["lacking"]) == expected["unread_files"]
    kept = found["kept"]
    assert kept["count"] == len(expected["kept"])
    reasons = [*kept["reasons"], ""]  # the number of no reason is -1
    paths = [*page.paths[: len(page.bytes)], ""]
    rows = zip(paths, kept["reason"], kept["used_by"], strict=False)
    assert {(path, reasons[reason], paths[by]) for path, reason, by in rows if reason >= 0 or by >= 0} == {
        (row["path"], row["reason"], row["used_by"]) for row in expected["kept"]
    }


def test_packages_are_those_of_the_command(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = root / "Packages" / "manifest.json"
    if not manifest.exists():
        manifest.write_text('{"dependencies": {"com.acme.tools": "1.2.3"}}')
    page = written(root)
    expected = asked(capsys, "packages")
    for row in expected:
        row["here"] = bool(row.pop("folder"))
    assert page.rows("packages") == expected
    assert expected


def test_a_package_that_refers_to_the_project_is_a_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_project(tmp_path / "P")
    package = tmp_path / "tools"
    package.mkdir()
    (package / "package.json").write_text('{"name": "com.acme.tools", "version": "1.2.3"}')
    target = (root / "Assets" / "data.asset.meta").read_text().partition("guid: ")[2][:32]
    (package / "User.asset").write_text(
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &11400000\nMonoBehaviour:\n"
        f"  data: {{fileID: 11400000, guid: {target}, type: 2}}\n"
    )
    (package / "User.asset.meta").write_text(f"fileFormatVersion: 2\nguid: {'c' * 32}\nNativeFormatImporter:\n")
    (root / "Packages" / "manifest.json").write_text('{"dependencies": {"com.acme.tools": "file:../../tools"}}')
    monkeypatch.chdir(root)
    assert main(["report", "-q"]) == 0
    page = read_page(root / "report.html")
    assert ("Packages/com.acme.tools/User.asset", "Assets/data.asset") in page.edges
    assert [row["name"] for row in page.rows("packages") if row["here"]] == ["com.acme.tools"]
    assert str(tmp_path) not in json.dumps(page.facts)  # a page is handed around: it tells no folder of its writer


def test_each_entry_is_decoded_once_and_each_file_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy_fixture(tmp_path / "P")
    monkeypatch.chdir(tmp_path / "P")
    page = written(tmp_path / "P")  # bakes and checks: what is counted is the page alone
    decoded: list[int] = []
    asked_for: list[str] = []
    read_entry, size_of_file = database.read_entry, sizes._bytes

    def counted_entry(data: bytes, start: int, scripts: Sequence[str]) -> tuple[Asset, int]:
        decoded.append(start)
        return read_entry(data, start, scripts)

    def counted_size(project: Snapshot, path: str) -> int | None:
        asked_for.append(path)
        return size_of_file(project, path)

    monkeypatch.setattr(database, "read_entry", counted_entry)
    monkeypatch.setattr(sizes, "_bytes", counted_size)
    monkeypatch.setattr(KeptFacts, "find", lambda _: None)
    assert written(tmp_path / "P").facts == page.facts
    assets = page.paths[: len(page.bytes)]
    assert sorted(asked_for) == sorted(set(assets))
    assert len(decoded) < 1.5 * len(assets)  # the check decodes some, too
