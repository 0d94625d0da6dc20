"""``assetdb info``, ``find --in``, ``find --component``, ``deps --to`` and ``usages --why``."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from assetdb.checks.overview import Overview, TypeRow, UsedRow
from assetdb.checks.request import CheckSummary
from assetdb.cli import main
from assetdb.cli.asking import info as command
from tests.assetdb.unity_project import guid, make_project

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb.cli.arguments import QueryOptions
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


# --- the text of an overview

SUMMARY = CheckSummary(1, 2, 0, {"orphan-meta": 2, "dangling": 1})
OVERVIEW = Overview("/games/P", "2022.3.1f1", 3, (), 9, 2, 1500, 1234, 0, [], [], SUMMARY)


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    refreshed: list[bool] = []
    monkeypatch.setattr(command, "opened", lambda _: SimpleNamespace(refresh=lambda: refreshed.append(True)))

    def show(**changes: object) -> str:
        monkeypatch.setattr(command, "overview_of", lambda _: OVERVIEW._replace(**changes))  # type: ignore[arg-type]
        refreshed.clear()
        assert command.info(cast("QueryOptions", SimpleNamespace(json=False))) == 0
        assert refreshed == [True]
        return capsys.readouterr().out

    return show


def test_an_overview_has_a_line_for_each_topic(printed: Callable[..., str]) -> None:
    assert printed() == (
        "project     /games/P\n"
        "unity       2022.3.1f1\n"
        "packages    3 outside the project\n"
        "assets      9 in 2 folders, 1.5 kB\n"
        "references  1,234\n"
        "last check  1 error, 2 warnings: 2 orphan-meta, 1 dangling\n"
    )


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"absent": ("a", "b", "c")}, "packages    3 outside the project, 3 not on this machine (a, b, c)"),
        ({"absent": ("a", "b", "c", "d")}, "packages    3 outside the project, 4 not on this machine (a, b, c, ...)"),
        ({"unread": 1}, "assets      9 in 2 folders, 1.5 kB, 1 file could not be read"),
        ({"unread": 2, "folders": 1}, "assets      9 in 1 folder, 1.5 kB, 2 files could not be read"),
        ({"check": None}, "last check  never: run `assetdb check`"),
        ({"check": SUMMARY._replace(codes={})}, "last check  found nothing"),
        (
            {"check": SUMMARY._replace(errors=2, warnings=1, notes=1)},
            "last check  2 errors, 1 warning, 1 note: 2 orphan-meta, 1 dangling",
        ),
        (
            {"check": SUMMARY._replace(notes=2, codes=dict(zip("abcdef", (9, 8, 7, 6, 5, 4), strict=True)))},
            "last check  1 error, 2 warnings, 2 notes: 9 a, 8 b, 7 c, 6 d and 9 more",
        ),
    ],
)
def test_an_overview_says_what_is_unusual(printed: Callable[..., str], changes: dict[str, object], line: str) -> None:
    assert line in printed(**changes).splitlines()


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (999_900, "999.9 kB"),
        (999_960, "1.0 MB"),
        (1_000_000, "1.0 MB"),
        (999_960_000, "1.0 GB"),
        (1_200_000_000, "1.2 GB"),
        (10**12, "1.0 TB"),
        (1234 * 10**12, "1,234.0 TB"),
    ],
)
def test_a_size_has_the_unit_in_which_it_is_from_1_to_1000(printed: Callable[..., str], size: int, shown: str) -> None:
    assert f"assets      9 in 2 folders, {shown}" in printed(bytes=size).splitlines()


def test_an_overview_lists_the_six_largest_types_and_the_four_most_used(printed: Callable[..., str]) -> None:
    types = [TypeRow(f"Type{number}", number, 1000 * number) for number in range(8, 0, -1)]
    used = [UsedRow(f"Assets/{number}", "Material", guid(number), 2000 + number) for number in range(8, 0, -1)]
    lines = printed(types=types, used=used).splitlines()[6:]
    assert lines == [
        "",
        "largest  assets    size",
        *(f"Type{number}         {number}  {number}.0 kB" for number in range(8, 2, -1)),
        "",
        "most used  type      users",
        *(f"Assets/{number}   Material  {2000 + number:,}" for number in range(8, 4, -1)),
    ]


def test_a_project_without_a_version_and_a_folder_of_assets_differ(
    printed: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = tmp_path / "Part"
    part.mkdir()
    (part / "a.mat").write_text("")
    (part / "a.mat.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(1)}\n")
    monkeypatch.chdir(tmp_path)
    assert "unity       not known: ProjectSettings/ProjectVersion.txt names no version" in printed(
        unity="", root=str(tmp_path / "P")
    )
    assert "unity       not known: this is a folder of assets, without the project around it" in printed(
        unity="", root=str(part)
    )
