"""The index of names: it answers as a search of all assets does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.query.selecting.name_index import NameIndex
from assetdb.query.selecting.selector import find_subject, suggestions
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

NAMES = (
    "Straße.mat",
    "É.png",
    "e\u0301.PNG",
    "Player (1).prefab",
    "playr",
    "a.b.c.asset",
    "ﬁ.asset",
    "İ.asset",
    ".x.y",
)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Snapshot]:
    root = make_project(tmp_path / "Project")
    for number, name in enumerate(NAMES, start=5000):
        write(root, f"Assets/Names/{name}", number, "%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: x\n")
    opened = open_project(str(root), str(tmp_path / "out"))
    opened.refresh()
    yield opened
    opened.close()


def questions(project: Snapshot) -> list[str]:
    found = ["", "/", ".", "a", "x/", "nothing", "é", "É", "STRASSE.MAT", "strasse", "fi", "i\u0307.asset", "a" * 5000]
    for asset in project.database:
        own = asset.path.rpartition("/")[2]
        found += [own, own.upper(), own.swapcase(), own.rpartition(".")[0], own[:-1], own[1:], f"{own[:2]}x{own[2:]}"]
        found += [asset.name, asset.path, asset.path.lower(), "/".join(asset.path.split("/")[-2:]), own[2:6]]
        found += [f"{asset.guid[:-1]}z", *(item.name for item in asset.sub_assets)]
    return found


def test_a_name_means_the_same_with_the_index_and_without(project: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = questions(project)
    monkeypatch.setattr(project, "names", lambda *, make=True: None)  # noqa: ARG005 - as it is called
    without = [(find_subject(text, project), suggestions(text, project)) for text in asked]
    index = NameIndex(project.database)
    monkeypatch.setattr(project, "names", lambda *, make=True: index)  # noqa: ARG005 - as it is called
    assert [(find_subject(text, project), suggestions(text, project)) for text in asked] == without
    assert any(near for _, near in without)


def test_an_index_is_made_for_who_asks_for_many_and_forgotten_with_its_database(project: Snapshot) -> None:
    find_subject("nothing like it", project)
    assert project.names(make=False) is None
    for number in range(5):
        find_subject(f"nothing like {number}", project)
    assert project.names(make=False) is not None
    project._looked -= 3600.0
    project.expire()
    assert project.names(make=False) is None
