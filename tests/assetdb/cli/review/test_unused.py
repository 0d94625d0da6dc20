"""``assetdb unused`` as it is typed: the list, the reasons of what is kept, bytes, and what cannot be known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.unity_project import guid

if TYPE_CHECKING:
    from pathlib import Path

ART = ("Assets/Art/boat.fbx", "Assets/Art/icon.png", "Assets/Art/lost.mat", "Assets/Art/tiles.png")
OTHERS = ("Assets/Main.unity", "Assets/Prefabs/Level.prefab", "Assets/Prefabs/Player.prefab", "Assets/data.asset")
NO_SCENE = "no scene is enabled in the build settings"
UNREAD = "1 file could not be read"


def typed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str], str]:
    code = main(["unused", *words])
    out, err = capsys.readouterr()
    return code, out.splitlines(), err


def enable(project: Path) -> None:
    """Have the build settings list the scene."""
    settings = "%YAML 1.1\n--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n  - enabled: 1\n"
    settings += f"    path: Assets/Main.unity\n    guid: {guid(8)}\n"
    (project / "ProjectSettings/EditorBuildSettings.asset").write_text(settings)


@pytest.mark.usefixtures("project")
def test_without_all_files_nothing_is_said_to_be_unused(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = typed(capsys)
    assert (code, out) == (2, [])
    assert "Assets/Art/lost.mat  lfs-pointer" in err.splitlines()
    assert f"{UNREAD}, so the list would be unreliable (run `git lfs pull`" in err
    code, out, _ = typed(capsys, "--json")
    assert code == 2
    assert json.loads(out[0])["unread"][0]["path"] == "Assets/Art/lost.mat"


@pytest.mark.usefixtures("project")
def test_the_list_is_by_path_and_ends_with_its_sum(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = typed(capsys, "--incomplete")
    assert code == 1
    assert [line.split()[0] for line in out[:-1]] == [*ART, *OTHERS]
    assert out[3].split()[1:] == ["Texture2D", guid(4)]
    assert out[-1] == "8 of 9 assets are unused; roots: 1 code"
    assert NO_SCENE in err
    assert UNREAD in err
    assert typed(capsys, "--incomplete", "--quiet") == (code, out, "")


def test_what_the_scenes_of_the_build_need_is_used(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    enable(project)
    code, out, err = typed(capsys, "--incomplete")
    assert (code, [line.split()[0] for line in out[:-1]]) == (1, [*ART[:2], "Assets/data.asset"])
    assert NO_SCENE not in err
    assert out[-1].startswith("3 of 9 assets are unused; roots: ")
    code, out, _ = typed(capsys, "--incomplete", "--why")
    kept = {line.split("  ")[0]: line.split("  ")[-1] for line in out}
    assert (code, len(out)) == (1, 6)
    assert kept["Assets/Scripts/Health.cs"] == "code"
    assert kept["Assets/Art/tiles.png"] == "used by Assets/Main.unity"


def test_bytes_are_those_of_the_files_and_of_what_one_root_keeps(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    enable(project)

    def size(*paths: str) -> int:
        return sum((project / path).stat().st_size for path in paths)

    unused = (*ART[:2], "Assets/data.asset")
    alone = ("Assets/Main.unity", *ART[2:], "Assets/Prefabs/Level.prefab", "Assets/Prefabs/Player.prefab")
    used = (*alone, "Assets/Scripts/Health.cs")
    code, out, _ = typed(capsys, "--incomplete", "--size", "-q")
    assert code == 1
    assert [int(line.split()[2].replace(",", "")) for line in out[:3]] == [size(path) for path in unused]
    assert out[4:6] == [
        f"unused: {size(*unused):,} bytes; used: {size(*used):,} bytes",
        "kept by one root alone, itself included:",
    ]
    (row,) = out[6:]
    assert row.startswith("Assets/Main.unity  ")
    assert row.endswith(f"5 assets  {size(*alone):,} bytes")
    code, out, _ = typed(capsys, "--incomplete", "--size", "--json")
    fields = json.loads(out[0])
    assert (code, [row["path"] for row in fields["unused"]], fields["unread_files"]) == (1, list(unused), 1)
    assert {(row["root"], row["assets"], row["bytes"]) for row in fields["alone"]} >= {(alone[0], 5, size(*alone))}
    assert "alone" not in json.loads(typed(capsys, "--incomplete", "--json")[1][0])


def test_roots_may_be_given_and_those_that_match_nothing_are_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    enable(project)
    code, out, err = typed(capsys, "--incomplete", "--roots", "Assets/Art/**", "--roots", "Nope/**")
    assert (code, [line.split()[0] for line in out[:-1]]) == (1, ["Assets/data.asset"])
    assert "no asset matches --roots 'Nope/**'" in err
    assert "Art" not in err.replace("Assets/Art/lost.mat", "")
    code, out, _ = typed(capsys, "--incomplete", "--roots", "Assets/**")
    assert (code, len(out)) == (0, 1)
    assert out[0].startswith("0 of 9 assets are unused; roots: ")
