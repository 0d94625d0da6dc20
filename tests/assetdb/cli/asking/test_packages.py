"""``assetdb packages``: lists, and exit codes of what would break."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.packages.packages_project import TEXT, TMP, cached, tools_and_text

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


def test_one_package_has_its_place_and_users(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["packages", "--project", str(root)]
    assert main([*base, "com.acme.tools"]) == 0
    first, second, *rows = capsys.readouterr().out.splitlines()
    assert first.startswith("com.acme.tools ")
    assert "required by " in second
    assert "; used by " in second
    assert [row.split()[0] for row in rows] == ["Assets/user.asset"]
    assert main([*base, "com.acme.nobody"]) == 1
    assert capsys.readouterr() == ("", "assetdb: the project does not require com.acme.nobody\n")
    assert main([*base, "com.acme.nobody", "-q"]) == 1
    assert capsys.readouterr() == ("", "")


def test_a_package_that_another_requires_stays(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = {"name": "com.acme.other", "version": "2.0.0", "dependencies": {"com.acme.tools": "1.0.0"}}
    (cached(root, "com.acme.other", "2.0.0") / "package.json").write_text(json.dumps(other))
    manifest = root / "Packages/manifest.json"
    required = json.loads(manifest.read_text())["dependencies"]
    manifest.write_text(json.dumps({"dependencies": {**required, "com.acme.other": "2.0.0"}}))
    base = ["packages", "--project", str(root)]
    assert main([*base, "--without", "com.acme.tools"]) == 0
    assert capsys.readouterr().out == "nothing changes: com.acme.other requires com.acme.tools\n"
    assert main([*base, "--without", "com.acme.other"]) == 0
    assert capsys.readouterr().out.startswith("no longer required: com.acme.other\nlost: 0 GUIDs, 0 scripts among them")
