"""A daemon sees by itself what mv, register and rm change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli import main
from tests.assetdb.unity_project import guid
from tests.system.watch.daemons import Project, project

if TYPE_CHECKING:
    import pytest

__all__ = ["project"]


def test_a_daemon_sees_moves_and_new_metas(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project.start()
    monkeypatch.chdir(project.root)

    def answer(*words: str) -> str:
        main(["-q", *words])
        return capsys.readouterr().out

    assert answer("path", guid(1)) == "Assets/Prefabs/Player.prefab\n"
    answer("mv", "Assets/Prefabs/Player.prefab", "Assets/Hero.prefab")
    assert answer("path", guid(1)) == "Assets/Hero.prefab\n"
    answer("mv", "Assets/Art", "Assets/Pictures")
    assert answer("path", guid(4)) == "Assets/Pictures/tiles.png\n"
    (project.root / "Assets" / "New").mkdir()
    (project.root / "Assets" / "New" / "a.cs").write_text("class A {}\n")
    rows = answer("register", "Assets/New").split()
    assert answer("path", rows[3]) == "Assets/New/a.cs\n"
    answer("rm", "Assets/New")
    assert answer("path", rows[3]) == ""
    assert answer("usages", guid(1)).split()[0] == "Assets/Main.unity"
    aside = project.root / "Assets" / ".Hero.prefab.5e1f0c7b.assetdb-removed"
    aside.write_text("left behind by a kill")
    assert aside.name in answer("check", "--select", "left-behind")
    aside.unlink()
    assert aside.name not in answer("check", "--select", "left-behind")
