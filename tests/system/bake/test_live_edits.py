"""A live project equals a cold bake through what the plain edits of ``test_live`` leave out.

Settings that scrub names, scripts that come and go (the types of all others are coded anew), references, prefabs,
duplicate GUIDs that come and go, metas that stand alone, folders with metas, preparation at any time, restarts; and its
answers, which are those of a resolver that has read nothing before.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.session import Session
from assetdb.resolve.resolver import Resolver
from tests.system.bake.test_incremental import TEXTURE, Editor
from tests.system.bake.test_live import expect_cold, snapshot

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAMES = ("Foo", "foo", "B#r", "Gr|ss", "Tile^A", "Foo^Sub", "Sub", "a\u00e9")
GUIDS = tuple(f"{number:032x}" for number in (1, 7, 250, 251, 1 << 16, 1 << 63, 1 << 64, 1 << 127, *range(300, 312)))
HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"


class BusyEditor(Editor):
    """Few GUIDs, so that they meet, and text that refers to them."""

    def __init__(self, project: Path, seed: int) -> None:
        super().__init__(project, seed)
        actions: tuple[Callable[[], None], ...] = (self.scrub, self.edit_meta, self.edit_text, self.edit_text)
        self.actions = (*self.actions, *actions)
        if seed % 2:  # else duplicates are nearly always there, and nothing goes on from a state
            self.actions = tuple(action for action in self.actions if action != self.duplicate_guid)

    def guid(self) -> str:
        used = {line for path in self.files() if path.suffix == ".meta" for line in path.read_bytes().split(b"\n")}
        free = [guid for guid in GUIDS if f"guid: {guid}".encode() not in used]
        if free and self.random.random() < 0.95:
            return self.random.choice(free)
        return self.random.choice(GUIDS) if self.random.random() < 0.1 else super().guid()

    def text(self) -> str:
        pick = self.random.choice
        documents = []
        for number in range(self.random.randrange(4)):
            kind = pick((114, 114, 1, 21, 1001))
            documents.append(
                f"--- !u!{kind} &{pick((11400000, 100 + number, -number - 1))}{pick(('', ' stripped'))}\nX:\n"
                f"  m_CorrespondingSourceObject: {{fileID: {pick((0, 100, 101))}, guid: {pick(GUIDS)}, type: 3}}\n"
                f"  m_PrefabInstance: {{fileID: 101}}\n  m_SourcePrefab: {{fileID: 100100000, guid: {pick(GUIDS)}}}\n"
                f"  m_Script: {{fileID: 11500000, guid: {pick(GUIDS)}, type: 3}}\n  m_Name: {pick(NAMES)}\n"
                f"  m_Other: {{fileID: 2100000, guid: {pick(GUIDS)}, type: 2}}\n"
            )
        return HEAD + "".join(documents)

    def edit_text(self) -> None:
        texts = [path for path in self.files() if path.suffix in (".prefab", ".asset", ".mat")]
        if texts:
            self.random.choice(texts).write_text(self.text(), encoding="utf-8")

    def edit_meta(self) -> None:
        metas = [path for path in self.files() if path.suffix == ".meta"]
        if metas:
            self.write_meta(self.random.choice(metas).with_suffix(""))

    def scrub(self) -> None:
        if self.random.random() < 0.4:
            text = f'scrub-characters = "{self.random.choice(("#|", "o", "^"))}"\n'
            (self.assets.parent / "assetdb.toml").write_text(text, encoding="utf-8")


def expect_answers(live: Session, project: Path, step: int) -> None:
    fresh = Resolver(str(project), live.opened.database)
    for guid in GUIDS:
        for file_id in (None, 100, 101, -1, 11400000, 100100000, 21300000, 5):
            assert live.opened.resolver.name(guid, file_id) == fresh.name(guid, file_id), (step, guid, file_id)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_live_equals_cold_whatever_is_edited(tmp_path: Path, seed: int) -> None:
    project = tmp_path / "Project"
    editor = BusyEditor(project, seed)
    live = Session(str(project), str(tmp_path / "live"))
    live.start()
    changes = 0
    for step in range(150):
        before, configured = snapshot(project), read(project / "assetdb.toml")
        editor.step()
        after = snapshot(project)
        if editor.random.random() < 0.3:
            time.sleep(0.03)
        if configured != read(project / "assetdb.toml") or editor.random.random() < 0.03:
            updated = live.reconcile()
        else:
            dirty = [path for path, _ in before.items() ^ after.items()]
            updated = live.update([os.fsencode(path) for path in {*dirty, *map(os.path.dirname, dirty)}])
        changes += len(updated.changes)
        if editor.random.random() < 0.2:
            live.prepare()
        if editor.random.random() < 0.6:
            expect_answers(live, project, step)
        assert live.save(cache=editor.random.random() < 0.3)
        expect_cold(live, project, tmp_path, step)
        if editor.random.random() < 0.1:
            live.close()
            live = Session(str(project), str(tmp_path / "live"))
            live.start()
    assert changes > 30
    live.close()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_much_at_once_is_built_anew_and_says_the_same(tmp_path: Path, seed: int) -> None:
    project = tmp_path / "Project"
    editor = BusyEditor(project, seed)
    roads = {"live": 1.0, "anew": 0.0}  # from which share of all assets on
    lives = {name: Session(str(project), str(tmp_path / name)) for name in roads}
    for name, most in roads.items():
        lives[name]._workspace._options = lives[name]._workspace._options._replace(most_changed=most)
        lives[name].start()
    changes = built = 0
    for step in range(40):
        before, configured = snapshot(project), read(project / "assetdb.toml")
        for _ in range(3):
            editor.step()
        time.sleep(0.03)
        whole = step % 10 == 9 or configured != read(project / "assetdb.toml")
        dirty = [path for path, _ in before.items() ^ snapshot(project).items()]
        dirs = [os.fsencode(path) for path in {*dirty, *map(os.path.dirname, dirty)}]
        updates = [live.reconcile() if whole else live.update(dirs) for live in lives.values()]
        for field in ("changes", "diagnostics_added", "diagnostics_removed", "replaced", "files_read"):
            assert len({getattr(update, field) for update in updates}) == 1, (step, field)
        assert lives["live"].diagnostics == lives["anew"].diagnostics
        if step % 4 == 0:
            lives["anew"].prepare()
        built += lives["live"].is_prepared and not lives["anew"].is_prepared
        saved = [live.save(cache=step % 8 == 0) for live in lives.values()]
        assert saved == [True, True]
        expect_cold(lives["live"], project, tmp_path, step)
        assert lives["anew"]._workspace.contents() == lives["live"]._workspace.contents()
        changes += len(updates[0].changes)
    assert changes > 10
    assert built > 10
    for live in lives.values():
        live.close()


def test_a_file_that_is_called_as_a_folder(tmp_path: Path) -> None:
    """What tells two sprites of one folder apart is then what tells a third of another folder from them."""
    project = tmp_path / "Project"
    (project / "ProjectSettings").mkdir(parents=True)
    paths = [project / "Assets" / path for path in ("One.png", "Two.png", "Sub/Two.png/Three.png", "Sub/Other.mat")]
    for number, path in enumerate(paths):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
        sheet = "  spriteSheet:\n    sprites:\n    - name: Leaf\n      internalID: 5\n    outline: []\n"
        meta = TEXTURE.format(mode=2, sheet=sheet, bundle="") if path.suffix == ".png" else "NativeFormatImporter:\n"
        path.with_name(path.name + ".meta").write_text(f"fileFormatVersion: 2\nguid: {GUIDS[number]}\n{meta}")
    live = Session(str(project), str(tmp_path / "live"))
    live.start()
    assert live.save()
    for step, path in enumerate((*paths, *reversed(paths))):
        for here, there in (("", "."), (".", "")):  # hidden, and back
            for ending in ("", ".meta"):
                path.with_name(f"{here}{path.name}{ending}").rename(path.with_name(f"{there}{path.name}{ending}"))
            live.update([b"Assets", b"Assets/Sub", b"Assets/Sub/Two.png"])
            assert live.save()
            expect_cold(live, project, tmp_path, step)
    assert b"Leaf^Two.png" not in (tmp_path / "live" / "asset-db.bin").read_bytes()
    live.close()


def read(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""
