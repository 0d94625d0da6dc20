"""A project requires the package for Unity's editor, until it is taken away, and nothing else changes."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.errors import ProjectError
from assetdb.packages.editor_package import NAME, address_in, installed_package, set_up, take_away
from assetdb.version import VERSION
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = '{\n  "dependencies": {\n    "com.unity.ugui": "1.0.0"\n  }\n}\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("Assets", "ProjectSettings", "Packages"):
        (tmp_path / "P" / folder).mkdir(parents=True)
    (tmp_path / "P/Packages/manifest.json").write_text(MANIFEST)
    return tmp_path / "P"


def required(root: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads((root / "Packages/manifest.json").read_text())["dependencies"]
    return found


def test_the_command_requires_the_installed_package(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["unity-setup", "--project", str(root), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["state"] == "added"
    place = required(root)[NAME].removeprefix("file:")
    with open(os.path.join(place, "package.json")) as file:
        assert json.load(file)["name"] == NAME
    assert main(["unity-setup", "--project", str(root)]) == 0
    assert capsys.readouterr().out.startswith("is there")
    assert main(["unity-setup", "--project", str(root), "--remove"]) == 0
    assert (root / "Packages/manifest.json").read_text() == MANIFEST


def test_a_repository_is_required_at_the_tag_of_this_version(root: Path) -> None:
    assert main(["unity-setup", "--project", str(root), "--url", "https://example.org/a.git"]) == 0
    assert required(root)[NAME] == f"https://example.org/a.git?path=/editor/com.assetdb.unity#v{VERSION}"
    assert address_in("ssh://git@h/a.git?path=/x#main") == "ssh://git@h/a.git?path=/x#main"


def test_a_package_in_the_project_is_left(root: Path) -> None:
    (root / "Packages" / NAME).mkdir()
    (root / "Packages" / NAME / "package.json").write_text("{}")
    assert set_up(str(root), installed_package()).state == "left"
    assert required(root).keys() == {"com.unity.ugui"}


def test_taking_away_what_is_not_there_changes_nothing(root: Path) -> None:
    before = (root / "Packages/manifest.json").stat().st_mtime_ns
    assert take_away(str(root)).state == "is not there"
    assert (root / "Packages/manifest.json").stat().st_mtime_ns == before


@needs_links
def test_a_bad_manifest_is_an_error_and_stays(root: Path, tmp_path: Path) -> None:
    file = root / "Packages/manifest.json"
    file.write_text("{,}")
    with pytest.raises(ProjectError, match=r"manifest\.json.*no JSON.*nothing was changed"):
        set_up(str(root), "1")
    assert file.read_text() == "{,}"
    file.unlink()
    with pytest.raises(ProjectError, match="absent"):
        set_up(str(root), "1")
    outside = tmp_path / "outside.json"
    outside.write_text(MANIFEST)
    file.symlink_to(outside)
    with pytest.raises(ProjectError, match="outside of the project"):
        set_up(str(root), "1")
    assert outside.read_text() == MANIFEST
