"""``assetdb packages``: lists, and exit codes of what would break."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.packages.packages_project import TEXT, TMP, tools_and_text

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tools_and_text(tmp_path / "P")


def test_the_command_exits_1_where_something_is_lost(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["packages", "--project", str(root)]
    assert main([*base]) == 0
    assert "com.unity.textmeshpro" in capsys.readouterr().out
    assert main([*base, "--without", "com.unity.textmeshpro"]) == 1
    out = capsys.readouterr().out
    assert "lost: 1 GUID, 1 script among them, in 1 file" in out
    assert main([*base, "--without", "com.unity.textmeshpro", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["lost"] == [{"user": "Assets/Text.asset", "target": TEXT, "guid": TMP}]
    assert main([*base, "com.acme.tools", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["users"] == ["Assets/user.asset"]
    assert main([*base, "com.acme.nobody"]) == 1
    assert main([*base, "--unused"]) == 0
    out, err = capsys.readouterr()
    assert "com.acme.tools" not in out
    assert "code without such a definition is not looked at" in err
    assert main([*base, "--unused", "--quiet"]) == 0
    assert capsys.readouterr() == (out, "")
    assert main([*base, "--with", "com.acme.nobody@1.0.0"]) == 2
