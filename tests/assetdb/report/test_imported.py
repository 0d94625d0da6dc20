"""Imported textures of a page are those of ``find --imported``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.report.imported import platform_word
from tests.assetdb.unity.textures.test_imported import meta, platform, png
from tests.assetdb.unity_project import guid, make_project
from tests.report_page import read_page

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_project(tmp_path / "P")
    settings = {"big": meta(platform()), "crunched": meta(platform(crunched=1))}
    for number, (name, text) in enumerate(settings.items()):
        (root / f"Assets/{name}.png").write_bytes(png(64, 64))
        (root / f"Assets/{name}.png.meta").write_bytes(text.replace(b"guid: 0", f"guid: {guid(70 + number)}".encode()))
    monkeypatch.chdir(root)
    return root


def test_textures_are_those_of_find(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "-q", "--imported", "Android"]) == 0
    page = read_page(root / "report.html")
    assert main(["find", "*", "--imported", "Android", "--json", "-q"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    expected = {row["path"]: row["imported"] for row in rows if row["imported"]}
    assert expected.keys() == {"Assets/big.png", "Assets/crunched.png"}
    assert page.facts["imported"]["platform"] == "Android"
    assert {
        page.paths[row["assets"]]: {
            **{name: row[name] for name in ("width", "height", "format")},
            "bytes": None if row["bytes"] < 0 else row["bytes"],
        }
        for row in _rows(page.facts["imported"])
    } == {path: {name: row[name] for name in ("width", "height", "format", "bytes")} for path, row in expected.items()}


def _rows(columns: dict[str, object]) -> list[dict[str, int]]:
    lists = {name: values for name, values in columns.items() if isinstance(values, list)}
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]


def test_without_a_platform_nothing_is_estimated(root: Path) -> None:
    assert main(["report", "-q"]) == 0
    assert read_page(root / "report.html").facts["imported"] is None


def test_an_unknown_platform_is_refused_before_anything_is_written(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", "-q", "--imported", "</script>"]) == 2
    assert "there is no platform '</script>'" in capsys.readouterr().err
    assert not (root / "report.html").exists()


@pytest.mark.parametrize(
    ("names", "word"),
    [
        (["WebGL"], "webgl"),
        (["Linux (32 bit)"], "linux"),
        (["macOS (64 bit)"], "macos"),
        (["Windows Store"], ""),
        (["Android", "iOS"], ""),
        ([], ""),
        (["4711"], ""),
    ],
)
def test_platforms_of_builds(names: list[str], word: str) -> None:
    assert platform_word(names) == word
