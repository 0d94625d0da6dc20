"""What is wrong with a project, from a daemon: as a command finds it, after every edit."""

from __future__ import annotations

import itertools
import threading
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.engine import check_project
from assetdb.checks.findings.selection import Selection
from assetdb.client.api import Client
from assetdb.errors import RequestError
from assetdb.query.snapshots.snapshot import open_project
from tests.system.watch.daemons import SOON, Project, project

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["project"]


def from_nothing(root: Path, out: Path) -> list[dict[str, object]]:
    opened = open_project(str(root), str(out))
    found = [finding.fields() for finding in check_project(opened, Selection()).findings]
    opened.close()
    return found


def test_a_check_is_that_of_a_command_after_every_edit(project: Project, tmp_path: Path) -> None:
    project.start()
    with Client.connect(project.root) as client:
        assert client.check() == from_nothing(project.root, tmp_path / "a")
        scene = project.root / "Assets" / "Main.unity"
        before = scene.read_text()
        for number, text in enumerate((before.replace("12345", "100"), before, before.replace("21300000", "99"))):
            scene.write_text(text)
            client.sync()
            assert client.check() == from_nothing(project.root, tmp_path / f"b{number}")
        some = client.check(["Assets/Main.unity"], select=["dangling"])
        assert some
        assert {found["path"] for found in some} == {"Assets/Main.unity"}
        assert client.check(["Assets/Art"], ignore=["dangling"], limit=1)
        with pytest.raises(RequestError, match="dangling"):
            client.check(select=["danglin"])


@pytest.mark.long
def test_everybody_is_answered_while_files_change_without_end(project: Project) -> None:
    project.start()
    ended = threading.Event()
    folder = project.root / "Assets" / "Storm"
    folder.mkdir()

    def edit() -> None:
        for number in itertools.count():
            if ended.is_set():
                return
            put(folder / f"{number % 300}.asset", f"%YAML 1.1\n--- !u!114 &{number + 1}\nMonoBehaviour:\n")
            put(folder / f"{number % 300}.asset.meta", f"fileFormatVersion: 2\nguid: {number % 300 + 1:032x}\n")

    answers: list[tuple[int, int]] = []

    def ask(number: int) -> None:
        with Client.connect(project.root, timeout=SOON) as client:
            for turn in range(5):
                client.check()
                client.resolve([f"{number:032x}", f"Nothing{number}", "Main.unity"])
                assert client.status()["assets"]
                answers.append((number, turn))

    editor = threading.Thread(target=edit)
    asking = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    editor.start()
    try:
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()
    finally:
        ended.set()
        editor.join()
    assert len(answers) == 30


def put(path: Path, text: str) -> None:
    """Write a file as an editor does: it is never there without its content, which a daemon could see."""
    beside = path.with_name(f".{path.name}")
    beside.write_text(text)
    beside.replace(path)


def test_findings_are_told_as_they_come_and_go(project: Project) -> None:
    project.start()
    with Client.connect(project.root) as listener, Client.connect(project.root) as client:
        scene = project.root / "Assets" / "Main.unity"
        before = scene.read_text()
        listener.check()
        events = listener.subscribe_to_findings(timeout=20)
        client.check()
        put(scene, before.replace("21300000", "99"))
        client.sync()
        event = next(events)
        assert [found["code"] for found in event.added] == ["dangling"]
        assert event.removed == []
        put(scene, before)
        client.sync()
        event = next(events)
        assert (event.added, [found["code"] for found in event.removed]) == ([], ["dangling"])


def test_coverage_is_the_same_with_a_daemon_and_without(project: Project) -> None:
    without = project.run("coverage", "--json")
    project.start()
    for _ in range(2):
        served = project.run("coverage", "--json")
        assert (served.stdout, served.returncode) == (without.stdout, 0)
    scene = project.root / "Assets" / "Main.unity"
    scene.write_text(scene.read_text().replace("21300000", "99"))
    after = project.run("coverage", "--json").stdout
    assert after != without.stdout
    assert project.run("coverage", "--json", more={"ASSETDB_OUT_DIR": str(project.root / "other")}).stdout == after
