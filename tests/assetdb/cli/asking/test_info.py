"""``assetdb info``, ``find --in``, ``find --component``, ``deps --to`` and ``usages --why``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.unity_project import guid, make_project

if TYPE_CHECKING:
    from pathlib import Path

    from tests.system.watch.daemons import Project

pytestmark = pytest.mark.usefixtures("project")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_project(tmp_path / "P")
    monkeypatch.chdir(root)
    return root


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main([words[0], "--quiet", *words[1:]])
    out, err = capsys.readouterr()
    return code, out, err


def test_info_fits_on_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "info")
    assert (code, err) == (0, "")
    assert len(out.splitlines()) <= 20
    assert "assets      9 in 1 folder, " in out
    assert "last check  never: run `assetdb check`" in out
    assert main(["check", "--quiet"]) == 1
    capsys.readouterr()
    assert "errors, " in run(capsys, "info")[1]
    _, out, _ = run(capsys, "info", "--json")
    found = json.loads(out)
    assert (found["assets"], found["check"]["codes"]["orphan-meta"]) == (9, 1)


def test_every_object_that_is_found_can_be_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("find", "--component", "Health"), ("find", "--in", "Main.unity")):
        code, out, err = run(capsys, *words)
        assert (code, err) == (0, "")
        for line in out.splitlines():
            assert main(["name", "--json", line.split("  ")[0]]) == 0
            assert json.loads(capsys.readouterr().out)["guid"] == line.split(":")[0]
    _, out, _ = run(capsys, "find", "head", "--in", "Main.unity", "--json")
    assert json.loads(out)["name"] == "Level / Hero / Body / Head #1"
    assert run(capsys, "find", "x", "--in", "Main.unity") == (1, "", "assetdb: no object matches\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("find",), "give a PATTERN, or --type, --label, --where, --in or --component"),
        (("find", "--in", "Health.cs"), "is not a prefab, scene or model"),
        (("find", "--in", "Nothing.unity"), "no asset named 'Nothing.unity'"),
        (("find", "--component", "Nothing"), "neither a class of Unity nor a script"),
        (("find", "x", "--in", "Main.unity", "--type", "Prefab"), "--type applies to assets"),
        (("deps", "Main.unity", "--all"), "--all needs --to"),
        (("usages", "Main.unity", "--all"), "--all needs --why"),
        (("deps", "Main.unity", "--to", "Assets/Art"), "is a folder: name one asset"),
        (("deps", "Main.unity", "--to", "Main.unity"), "itself"),
        (("usages", "Assets/Art", "--why"), "is a folder: name one asset"),
    ],
)
def test_what_cannot_be_asked_is_said(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert said in err


def test_a_chain_is_printed_a_step_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "deps", "Main.unity", "--to", "Player.prefab", "--all")
    assert (code, err) == (0, "")
    assert out == (
        "Assets/Main.unity:24  Camera (Health &20)  player  and 1 more\n"
        "Assets/Prefabs/Player.prefab\n"
        "\n"
        "Assets/Main.unity:19  (Prefab &8000)  m_SourcePrefab  and 1 more\n"
        "Assets/Prefabs/Level.prefab:23  Level / Hero (Prefab &7000)  m_SourcePrefab  and 2 more\n"
        "Assets/Prefabs/Player.prefab\n"
    )
    _, out, _ = run(capsys, "deps", "Main.unity", "--to", "Player.prefab", "--json")
    row = json.loads(out)
    assert [step["path"] for step in row["steps"]] == ["Assets/Main.unity", "Assets/Prefabs/Player.prefab"]
    assert (row["to"], row["steps"][0]["place"]["property"], row["truncated"]) == (guid(1), "player", False)
    code, out, err = run(capsys, "deps", "Player.prefab", "--to", "Main.unity")
    assert (code, out) == (1, "")
    assert err == "assetdb: Assets/Prefabs/Player.prefab does not lead to Assets/Main.unity\n"


def test_why_an_asset_is_in_the_build(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "usages", "Player.prefab", "--why")
    assert (code, out) == (1, "")
    assert "or other root leads to Assets/Prefabs/Player.prefab: `assetdb unused` lists" in err
    scene = f"  - enabled: 1\n    path: Assets/Main.unity\n    guid: {guid(8)}\n"
    text = f"%YAML 1.1\n--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n{scene}"
    (project / "ProjectSettings/EditorBuildSettings.asset").write_text(text)
    code, out, err = run(capsys, "usages", "Player.prefab", "--why")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "scene of the build settings:"
    assert out.splitlines()[-1] == "Assets/Prefabs/Player.prefab"
    assert out.splitlines().count("Assets/Prefabs/Player.prefab") == 1
    _, out, _ = run(capsys, "usages", "Player.prefab", "--why", "--all")
    assert out.splitlines().count("Assets/Prefabs/Player.prefab") == 2


@pytest.mark.parametrize("words", [(), ("--dry-run",), ("--fix",)], ids=" ".join)
def test_a_daemon_knows_the_last_check_of_any_process(made: Project, words: tuple[str, ...]) -> None:
    """What a daemon does not run itself puts another file of answers in place."""
    made.start()
    assert b"last check  never" in made.run("info").stdout
    for number in range(3):
        (made.root / f"Assets/Alone{number}.mat.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(800 + number)}\n")
        done = made.run("check", *words)
        assert done.returncode in (0, 1), done.stderr
        told = made.run("check", "--format", "json", "Assets").stdout.splitlines()
        codes = [json.loads(line)["code"] for line in told]
        found = json.loads(made.run("info", "--json").stdout)["check"]["codes"]
        assert found.get("orphan-meta", 0) == codes.count("orphan-meta")
