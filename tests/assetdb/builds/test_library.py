"""The program that ``docs/builds.md`` shows for traces does what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import assetdb.builds
from tests.assetdb.builds.making import Material, bundle
from tests.system.graph.project import HEAD, add

if TYPE_CHECKING:
    import pytest

GUIDE = (Path(__file__).parents[3] / "docs/builds.md").read_text("utf-8")
SKIN = "Assets/Models/Materials/Skin.mat"


def test_the_program_of_the_guide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "MyProject/ProjectSettings").mkdir(parents=True)
    add(tmp_path / "MyProject", SKIN, f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Skin\n")
    (tmp_path / "Build_Data").mkdir()
    own = Material(15, "Skin", ((0, 0),), SKIN.lower())
    data = bundle("CAB-" + "1" * 32, "skin", [own])
    (tmp_path / "Build_Data/skin.bundle").write_bytes(data)
    exec(compile(program, "docs/builds.md", "exec"), {})  # noqa: S102 - a program of our own guide
    assert capsys.readouterr().out == f"skin.bundle 36 container {SKIN.lower()}\n"


def test_public_names_are_there() -> None:
    assert {"open_build", "trace_answers", "group_answers", "Tracer", "ask"} <= set(dir(assetdb.builds))


def test_bundles_are_opened_without_readers_of_archives_and_dlls(tmp_path: Path) -> None:
    (tmp_path / "t.bundle").write_bytes(bundle("CAB-" + "1" * 32, "t", [Material(15, "Skin", (), "skin.mat")]))
    code = (
        "import sys\nfrom assetdb.builds import open_build\n"
        "assert len(open_build(sys.argv[1], remember=False)) == 2\nprint(*sys.modules)"
    )
    words = [sys.executable, "-c", code, str(tmp_path)]
    found = subprocess.run(words, cwd=Path(__file__).parents[3], capture_output=True, text=True, check=True)
    assert not {"zipfile", "tempfile", "assetdb_formats.dotnet", "assetdb.builds.objects.scripts"} & set(
        found.stdout.split()
    )
