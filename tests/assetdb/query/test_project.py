"""Python programs are answered as the commands are, and of the files as they are."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import assetdb
from assetdb.query.snapshots import snapshot
from tests.assetdb.unity_project import HEAD, game_object, guid, make_project, write

CHECKOUT = Path(__file__).resolve().parents[3]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_project(tmp_path / "P")


def test_a_project_is_asked(root: Path) -> None:
    with assetdb.open_project(root) as project:
        assert repr(project) == f"Project({str(root)!r})"
        assert project.name("Main.unity / Camera (Health)").type == "Health"
        assert project.name(f"{guid(1)}:12345").reason == "dangling"
        assert [row.name for row in project.find("head", inside="Main.unity")] == ["Level / Hero / Body / Head #1"]
        assert [row.path for row in project.find(component="Health.cs")][:1] == ["Assets/Main.unity"]
        assert {row.name for row in project.find("*.prefab")} == {"Player", "Level"}
        assert [row.path for row in project.ls("Assets/Prefabs").assets][:1] == ["Assets/Prefabs/Level.prefab"]
        assert [row.depth for row in project.ls("Main.unity", depth=1).objects] == [0, 0]
        assert project.ls("tiles.png").parts
        assert [row.name for row in project.ls("Main.unity", classes=["Health"]).objects] == ["Camera", "Body"]
        assert project.get("Main.unity / Camera (Health)").type == "Health"
        assert [row.path for row in project.usages("Player.prefab")] == [
            "Assets/Prefabs/Level.prefab",
            "Assets/Main.unity",
        ]
        assert {row.path for row in project.places("Player.prefab")} == {
            "Assets/Prefabs/Level.prefab",
            "Assets/Main.unity",
        }
        assert "Assets/Scripts/Health.cs" in {row.path for row in project.deps("Level.prefab", deep=True)}
        assert [len(way.steps) for way in project.ways("Main.unity", "Player.prefab")] == [2, 3]
        assert project.ways("Player.prefab") == []


def test_a_query_that_means_nothing_is_an_error(root: Path) -> None:
    with assetdb.open_project(str(root)) as project:
        for ask in (project.name, project.ls, project.get, project.usages, project.deps, project.ways):
            with pytest.raises(assetdb.UsageError, match="no asset named 'Nothing'"):
                ask("Nothing")
        with pytest.raises(assetdb.UsageError, match="is a folder"):
            project.ways("Assets/Art")
        with pytest.raises(assetdb.FileError, match="Git LFS pointer"):
            project.ls("lost.mat")


def test_answers_are_of_the_files_as_they_are(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "_FRESH_FOR", 0.0)
    with assetdb.open_project(root) as project:
        assert project.find("New") == []
        write(root, "Assets/New.prefab", 90, HEAD + game_object(100, "New"), "PrefabImporter:\n")
        time.sleep(0.05)
        assert [row.path for row in project.find("New")] == ["Assets/New.prefab"]
        assert [row.name for row in project.ls("New.prefab").objects] == ["New"]
    with assetdb.open_project(root, refresh=False) as project:
        (root / "Assets/New.prefab").unlink()
        (root / "Assets/New.prefab.meta").unlink()
        assert [row.path for row in project.find("New")] == ["Assets/New.prefab"]
