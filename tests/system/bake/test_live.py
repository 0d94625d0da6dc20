"""A live project's files are those of a cold bake, after every step of random edits."""

from __future__ import annotations

import os
import shutil
import time
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.daemon.session import Session
from assetdb.resolve.resolver import Resolver
from assetdb.store.dump import difference
from assetdb.workspace.workspace import Update
from tests.system.bake.test_incremental import FILES, Editor

if TYPE_CHECKING:
    from pathlib import Path


def snapshot(project: Path) -> dict[str, tuple[tuple[str, int, int, int, int], ...]]:
    """Return what the kernel could tell of every directory: its own identity and those of its files."""
    found = {}
    for place, folders, names in os.walk(project / "Assets"):
        own = [(name, *identity(os.path.join(place, name))) for name in sorted([*names, *folders])]
        found[os.path.relpath(place, project)] = (("", *identity(place)), *own)
    return found


def identity(path: str) -> tuple[int, int, int, int]:
    status = os.stat(path)
    return status.st_ino, status.st_mtime_ns, status.st_ctime_ns, 0 if os.path.isdir(path) else status.st_size


def expect_cold(live: Session, project: Path, tmp_path: Path, step: int) -> None:
    shutil.rmtree(tmp_path / "cold", ignore_errors=True)
    cold = assetdb.bake(project, tmp_path / "cold", keep_going=True)
    for name in FILES:
        one, other = ((tmp_path / folder / name).read_bytes() for folder in ("live", "cold"))
        assert one == other, (step, name, difference(one, other) if name == FILES[0] else "")
    assert live.diagnostics == cold.diagnostics, step


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_after_every_step_live_equals_cold(tmp_path: Path, seed: int) -> None:
    project = tmp_path / "Project"
    editor = Editor(project, seed)
    if seed % 3 == 2:  # the others have GUIDs that come to be there twice, and go again
        editor.actions = tuple(action for action in editor.actions if action != editor.duplicate_guid)
    live = Session(str(project), str(tmp_path / "live"))
    live.start()
    assert live.save()
    changes = 0
    updated = Update()
    for step in range(150):
        before = snapshot(project)
        settings = (project / "assetdb.toml").exists()
        editor.step()
        after = snapshot(project)
        if editor.random.random() < 0.5:
            time.sleep(0.03)
        if settings or (project / "assetdb.toml").exists() or step % 20 == 0:
            updated = live.reconcile()
        else:
            dirty = [path for path, _ in before.items() ^ after.items()]
            updated = live.update([os.fsencode(path) for path in {*dirty, *map(os.path.dirname, dirty)}])
        assert live.save(cache=step % 10 == 0)
        changes += len(updated.changes)
        expect_cold(live, project, tmp_path, step)
    assert changes > 10
    live.close()
    again = Session(str(project), str(tmp_path / "live"))
    again.start()
    expect_cold(again, project, tmp_path, -1)
    again.close()


def test_metas_that_stand_alone_are_those_of_a_search(tmp_path: Path) -> None:
    project = tmp_path / "Project"
    (project / "ProjectSettings").mkdir(parents=True)
    for number, name in enumerate(("Alone.png", "Gone", "Sub/Other.mat", ".hidden.png", "Tilde~", "Sub/Same.mat")):
        meta = project / "Assets" / f"{name}.meta"
        meta.parent.mkdir(parents=True, exist_ok=True)
        folder = "folderAsset: yes\n" if name == "Gone" else ""
        meta.write_text(f"fileFormatVersion: 2\nguid: {min(number, 2) + 1:032x}\n{folder}", encoding="utf-8")
    live = Session(str(project), str(tmp_path / "live"))
    live.start()
    resolver = Resolver(str(project), live.opened.database)
    for number in range(7):
        guid = f"{number:032x}"
        assert live.opened.resolver.locate(guid) == resolver.locate(guid)
    assert live.opened.resolver.name(f"{1:032x}", None).path == "Assets/Alone.png"
    (project / "Assets" / "Alone.png").write_bytes(b"x")
    live.update([b"Assets"])
    assert live.opened.database.by_guid(f"{1:032x}") is not None
    live.close()
