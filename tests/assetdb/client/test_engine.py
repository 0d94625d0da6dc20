"""A daemon and a snapshot in this process give the same answers; the method ``locate``."""

from __future__ import annotations

import json
import os
import signal
import threading
from typing import TYPE_CHECKING, NoReturn

import pytest

from assetdb.client.api import Client
from assetdb.client.engine import Engine
from assetdb.daemon.rpc import protocol
from assetdb.errors import ProjectError, RequestError
from tests.assetdb.unity_project import guid, make_project, write
from tests.needs import needs_signals

if TYPE_CHECKING:
    from pathlib import Path

    from tests.system.watch.daemons import Project

QUESTIONS: tuple[tuple[str, dict[str, object]], ...] = (
    ("locate", {"guids": [guid(number) for number in (1, 3, 10, 11, 12, 77)]}),
    ("usages", {"query": guid(3), "objects": True}),
    ("usages", {"query": f"{guid(1)}:100", "objects": True}),
    ("find", {"pattern": "player", "limit": 100}),
    ("resolve", {"queries": [guid(1), f"{guid(2)}:{7000 ^ 300}", "no such name"]}),
)


def test_a_daemon_and_a_snapshot_answer_alike(made: Project) -> None:
    alone = Engine(str(made.root))
    expected = [bytes(alone.ask(*question)) for question in QUESTIONS]
    assert not alone.has_daemon
    alone.close()
    made.start()
    beside = Engine(str(made.root))
    assert [bytes(beside.ask(*question)) for question in QUESTIONS] == expected
    assert beside.has_daemon
    beside.close()


@pytest.mark.long
@needs_signals
def test_a_daemon_that_hangs_is_left_alone(made: Project) -> None:
    made.start()
    engine = Engine(str(made.root), names_within=0.5)
    assert engine.locate([guid(1)])[0] is not None
    assert engine.has_daemon
    process = made.pid
    os.kill(process, signal.SIGSTOP)
    try:
        assert engine.locate([guid(1)])[0] is not None  # by the files
        assert not engine.has_daemon
        again = Engine(str(made.root), names_within=0.5)  # another one cannot even say hello
        assert again.locate([guid(1)])[0] is not None
        assert not again.has_daemon
        again.close()
    finally:
        os.kill(process, signal.SIGCONT)
        engine.close()


def test_a_daemon_that_is_stopping_is_left_alone(made: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    made.start()
    engine = Engine(str(made.root))
    find = {"pattern": "player", "limit": 100}
    expected = bytes(engine.ask("find", find))
    assert engine.has_daemon

    def stop(*_: object, **__: object) -> NoReturn:
        raise RequestError(protocol.STOPPING, "the daemon is stopping")

    monkeypatch.setattr(Client, "call", stop)
    assert bytes(engine.ask("find", find)) == expected  # by the files
    assert not engine.has_daemon
    engine.close()


@needs_signals
def test_the_wait_for_a_daemon_can_be_interrupted(made: Project) -> None:
    made.start()
    engine = Engine(str(made.root))
    find = {"pattern": "player", "limit": 100}
    expected = bytes(engine.ask("find", find))
    assert engine.has_daemon
    process = made.pid
    found: list[bytes] = []
    waiting = threading.Thread(target=lambda: found.append(bytes(engine.ask("find", find))))
    os.kill(process, signal.SIGSTOP)
    try:
        waiting.start()
        waiting.join(0.3)
        assert waiting.is_alive()
        engine.interrupt()
        waiting.join(30)
    finally:
        os.kill(process, signal.SIGCONT)
    assert found == [expected]  # by the files
    engine.close()


def test_a_located_assembly_has_unitys_class(tmp_path: Path) -> None:
    root = make_project(tmp_path / "Game")
    write(root, "Assets/Game.asmdef", 90, '{"name": "Game"}', "AssemblyDefinitionImporter:\n")
    engine = Engine(str(root))
    (found,) = engine.locate([guid(90)])
    engine.close()
    assert found is not None
    assert found.class_id == 1152215463


def test_assets_are_located_on_this_machine(made: Project) -> None:
    engine = Engine(str(made.root))
    prefab, folder, outside, nowhere = engine.locate([guid(number) for number in (1, 10, 12, 77)])
    assert prefab is not None
    assert (prefab.path, prefab.file) == (
        "Assets/Prefabs/Player.prefab",
        str(made.root / "Assets/Prefabs/Player.prefab"),
    )
    assert folder is not None
    assert folder.folder
    assert outside is not None
    assert outside.package
    assert outside.file == str(made.root / "Library/PackageCache/com.acme.tools@1.0.0/Tool.cs")
    assert nowhere is None
    for wrong in (["x"], [guid(1)] * 20_001, [guid(1) + "0"]):
        with pytest.raises(RequestError, match="GUIDs at once"):
            engine.ask("locate", {"guids": wrong})
    assert engine.locate([guid(1)] * 20_001)[20_000] == prefab
    engine.close()


def test_findings_without_a_daemon_follow_the_files(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    engine = Engine(str(root), fresh_for=0.0)

    def count() -> int:
        found: dict[str, int] = json.loads(bytes(engine.ask("check", {"paths": ["Assets/Late.mat"]})))
        return found["total"]

    assert count() == 0
    write(root, "Assets/Late.mat", 91, "%YAML 1.1\n")
    (root / "Assets/Late.mat").write_bytes(b"")
    assert count() == 1  # empty-asset
    (root / "Assets/Late.mat").unlink()
    (root / "Assets/Late.mat.meta").unlink()
    assert count() == 0
    engine.close()


@pytest.mark.parametrize("params", [{"pattern": "["}, {"pattern": "*", "imported": "toaster"}])
def test_a_wrong_pattern_or_platform_is_a_wrong_parameter(tmp_path: Path, params: dict[str, str]) -> None:
    engine = Engine(str(make_project(tmp_path / "P")))
    with pytest.raises(RequestError) as error:
        engine.ask("find", params)
    assert error.value.code == protocol.INVALID_PARAMS
    engine.close()


def test_a_project_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ProjectError):
        Engine(str(tmp_path)).ask("locate", {"guids": []})
