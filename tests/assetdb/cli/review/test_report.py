"""``assetdb report``: where it writes, what it says, what it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.unity_project import make_project
from tests.needs import needs_links
from tests.report_page import read_page

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = make_project(tmp_path / "P")
    monkeypatch.chdir(made)
    return made


def test_the_page_is_report_html_unless_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "9 assets (in report.html)" in err
    assert read_page(root / "report.html").facts["project"] == "P"


def test_files_that_could_not_be_read_are_said(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report"]) == 0
    assert "Assets/Art/lost.mat" in capsys.readouterr().err
    assert {"path": "Assets/Art/lost.mat", "code": "lfs-pointer"} in read_page(root / "report.html").facts["unread"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (".", "is a folder"),
        ("Assets/a.html", "becomes an asset of the project"),
        ("Packages/a.html", "becomes an asset"),
    ],
)
def test_refused_outputs(root: Path, capsys: pytest.CaptureFixture[str], name: str, said: str) -> None:
    assert main(["report", "-o", name]) == 2
    assert said in capsys.readouterr().err
    assert not (root / name).is_file()


@needs_links
def test_a_link_into_the_assets_is_refused_and_another_is_replaced(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "inside.html").symlink_to("Assets/a.html")
    assert main(["report", "-o", "inside.html"]) == 2
    assert "becomes an asset" in capsys.readouterr().err
    elsewhere = root.parent / "elsewhere"
    elsewhere.write_text("as it was")
    (root / "link.html").symlink_to(elsewhere)
    assert main(["report", "-q", "-o", "link.html"]) == 0
    assert elsewhere.read_text() == "as it was"
    assert not (root / "link.html").is_symlink()


def test_a_project_without_assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Assets").mkdir()
    (tmp_path / "ProjectSettings").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(["report", "-q"]) == 0
    assert read_page(tmp_path / "report.html").paths == []


def test_a_page_on_stdout_that_opens_at_an_asset(root: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["report", "-q", "-o", "-", "--show", "Player.prefab"]) == 0
    page = root.parent / "page.html"
    page.write_bytes(capfdbinary.readouterr().out)
    found = read_page(page)
    start = found.guids[found.paths.index("Assets/Prefabs/Player.prefab")]
    assert f' data-start="{start}">' in page.read_text("utf-8")
    assert not (root / "-").exists()
    assert main(["report", "-q"]) == 0
    assert read_page(root / "report.html").facts == found.facts
    assert ' data-start="">' in (root / "report.html").read_text("utf-8")


def test_a_page_that_is_to_open_at_what_is_not_there(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "-q", "--show", "nowhere.mat"]) == 1
    assert "nowhere.mat" in capsys.readouterr().err
    assert not (root / "report.html").exists()
