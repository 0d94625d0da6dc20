"""Whether a player was built of a project: product GUIDs that are equal, others, and settings without any."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from assetdb.builds.reports.identity import product_guid
from assetdb.cli import main
from tests.assetdb.builds import making

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

GUID = "1c0346d53a0b27c4d9e337f1a5a1cbb5"


def settings(root: Path, text: str) -> str:
    (root / "ProjectSettings").mkdir(exist_ok=True)
    (root / "ProjectSettings/ProjectSettings.asset").write_text(text)
    return str(root)


def test_the_guid_of_a_product_is_that_of_the_settings(tmp_path: Path) -> None:
    text = f"PlayerSettings:\n  serializedVersion: 26\n  productGUID: {GUID.upper()}\r\n  x: 1\n"
    assert product_guid(settings(tmp_path, text)) == GUID


def test_settings_without_a_guid_have_none(tmp_path: Path) -> None:
    assert product_guid(str(tmp_path / "nowhere")) == ""
    assert product_guid(settings(tmp_path, f"  cloneGUID: {GUID}\n    productGUID: {GUID}\n")) == ""
    assert product_guid(settings(tmp_path, f"  productGUID: {'0' * 32}\n")) == ""


def test_info_says_whether_a_build_is_of_the_project_around(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    builds = {
        word: str(making.player(tmp_path / word, product=guid))
        for word, guid in (("own", GUID), ("other", GUID[::-1]), ("nameless", "0" * 32))
    }
    project = tmp_path / "Project"
    (project / "Assets").mkdir(parents=True)
    settings(project, f"PlayerSettings:\n  productGUID: {GUID}\n")

    def info(word: str) -> dict[str, object]:
        assert main(["build", "info", "--json", builds[word]]) == 0
        row = json.loads(capsys.readouterr().out)
        return {key: row[key] for key in ("product_guids", "project", "of_project")}

    assert info("own") == {"product_guids": [GUID], "project": "", "of_project": None}
    monkeypatch.chdir(project / "Assets")
    assert info("own") == {"product_guids": [GUID], "project": str(project), "of_project": True}
    assert info("other") == {"product_guids": [GUID[::-1]], "project": str(project), "of_project": False}
    assert info("nameless") == {"product_guids": [], "project": str(project), "of_project": None}
    for word, said in (("own", "this build is from it"), ("other", "this build is not from it")):
        assert main(["build", "info", builds[word]]) == 0
        assert f"{project}: {said}" in capsys.readouterr().out
