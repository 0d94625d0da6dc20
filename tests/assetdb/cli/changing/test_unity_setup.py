"""``assetdb unity-setup``: the package in the manifest of a project, and out of it again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main

if TYPE_CHECKING:
    from pathlib import Path

URL = "https://example.com/assetdb.git?path=editor/com.assetdb.editor"


@pytest.fixture
def manifest(project: Path) -> Path:
    path = project / "Packages/manifest.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text('{\n  "dependencies": {\n    "com.unity.ugui": "1.0.0"\n  }\n}\n')
    return path


def dependencies(manifest: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads(manifest.read_text())["dependencies"]
    return found


def typed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["unity-setup", *words])
    return code, *capsys.readouterr()


def test_a_package_of_this_machine_is_added_with_a_word_to_teams(
    manifest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = typed(capsys)
    (name, value), _ = sorted(dependencies(manifest).items())
    assert (code, value.startswith("file:")) == (0, True)
    assert out.split("  ")[0] == "added"
    assert f"{name}  " in out
    assert "name the repository with --url" in err
    code, out, err = typed(capsys)
    assert (code, err) == (0, "")
    assert out.split("  ")[0] != "added"
    code, out, err = typed(capsys, "--remove")
    assert (code, err, dependencies(manifest)) == (0, "", {"com.unity.ugui": "1.0.0"})
    code, out, err = typed(capsys, "--remove")
    assert (code, out) == (0, "")
    assert name in err


def test_an_address_is_for_everyone(manifest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = typed(capsys, "--url", URL)
    assert (code, err) == (0, "")
    assert any(value.startswith("https://example.com/assetdb.git") for value in dependencies(manifest).values())
    assert out.startswith("added")
    code, out, _ = typed(capsys, "--remove", "--json")
    assert (code, json.loads(out)["path"].endswith("manifest.json")) == (0, True)


def test_quiet_says_nothing_beside_the_change(manifest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = typed(capsys, "-q")
    assert (code, err, len(dependencies(manifest))) == (0, "", 2)
    assert out.startswith("added")


def test_an_address_is_not_of_a_removal(manifest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = typed(capsys, "--remove", "--url", URL)
    assert (code, out) == (2, "")
    assert "--url is not of --remove" in err
    assert len(dependencies(manifest)) == 1


def test_a_package_has_no_manifest_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "package.json").write_text('{"name": "com.acme.tools", "version": "1.0.0"}')
    monkeypatch.chdir(tmp_path)
    code, _, err = typed(capsys)
    assert code == 2
    assert "is a package: name the project" in err
