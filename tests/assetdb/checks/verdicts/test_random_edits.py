"""Whatever is edited, kept verdicts are those that a look from nothing finds."""

from __future__ import annotations

import random
import shutil
import time
from typing import TYPE_CHECKING, Final

import pytest

from assetdb.checks.verdicts.judging import JudgedProject, judge_project
from assetdb.checks.verdicts.processing import ALONE, Processing
from assetdb.daemon.session import Session
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import HEAD, MASK, component, game_object, guid, instance, stripped, write

if TYPE_CHECKING:
    from pathlib import Path

COUNT: Final = 24
SETTLED: Final = 0.025  # seconds after which a file's times tell it from what it becomes
POINTER: Final = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
TEXTURE: Final = "TextureImporter:\n  spriteMode: 1\n  textureType: 8\n"
EXPECTED: Final = {
    *(("named", ""), ("unnamed", "dangling"), ("unnamed", "stale-override"), ("missing", "missing-asset")),
    *(("apart", "lfs-pointer"), ("apart", "target-absent")),
}
SHARED: Final = Processing(2, files=0, keys=0, placed=0)
"""Everything is shared over two processes, however little it is."""


class Tree:
    """A project that is edited at random."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.random = random.Random(seed)
        for number in range(1, COUNT):
            self.make(number)

    def path(self, number: int) -> str:
        kind = ("prefab", "mat", "cs", "png", "unity", "asset")[number % 6]
        return f"Assets/{'ABC'[number % 3]}/{number}.{kind}"

    def make(self, number: int) -> None:
        """Write an asset anew, with other references."""
        path = self.path(number)
        if path.endswith((".cs", ".png")):
            write(
                self.root,
                path,
                number,
                str(self.random.random()),
                TEXTURE if path.endswith("png") else "MonoImporter:\n",
            )
        else:
            write(self.root, path, number, HEAD + self.objects())

    def objects(self) -> str:
        some = self.random.randrange
        parts = [game_object(10 * (1 + some(3)), f"Root{some(9)}")]
        for place in range(some(4)):
            owner = 10 * (1 + some(3))
            refers = "".join(f"  {key}: {self.reference()}\n" for key in ("m_Script", "other", "third")[: 1 + some(3)])
            parts.append(component(114, 500 + place, owner, "MonoBehaviour", refers))
        if some(2):
            inner = self.target()
            parts.append(instance(700, inner, 11 if some(2) else 0, {10 * (1 + some(3)): f"Name{some(9)}"}))
            there = 10 * (1 + some(3))
            parts.append(stripped(1, (700 ^ there) & MASK, "GameObject", inner, there, 700))
            parts.append(component(114, 900, (700 ^ there) & MASK, "MonoBehaviour", f"  lost: {self.reference()}\n"))
        return "".join(parts)

    def target(self) -> int:
        return self.random.choice([6, 12, 18, self.random.randrange(1, COUNT + 3)])

    def reference(self) -> str:
        file_id = self.random.choice((10, 11, 20, 21, 500, 501, 11500000, 2100000, 21300000, 100100000, 710, 690))
        return f"{{fileID: {file_id}, guid: {guid(self.target())}, type: 3}}"

    def edit(self) -> None:
        """Change one thing."""
        number = self.random.randrange(1, COUNT)
        file = self.root / self.path(number)
        meta = file.with_name(file.name + ".meta")
        kind = self.random.randrange(11)
        if kind < 4 or not file.exists():
            self.make(number)
        elif kind == 4:
            file.unlink()
            meta.unlink(missing_ok=True)
        elif kind == 5:  # its meta stands alone now
            file.unlink()
        elif kind == 6:  # nobody has its GUID
            meta.unlink(missing_ok=True)
        elif kind == 7:  # two assets have one GUID
            shutil.copy(file, file.with_name(f"copy{number}{file.suffix}"))
            if meta.exists():
                shutil.copy(meta, file.with_name(f"copy{number}{file.suffix}.meta"))
        elif kind == 8:  # no meta, before and after: only its own times tell that it is another
            (self.root / "Assets" / "loose.prefab").write_text(HEAD + self.objects())
        elif kind == 9:
            file.write_text(self.random.choice(("", POINTER, "plain text\n")))
        else:
            moved = self.root / "Assets" / "Moved" / file.name
            moved.parent.mkdir(exist_ok=True)
            file.replace(moved)
            if meta.exists():
                meta.replace(moved.with_name(moved.name + ".meta"))


def judged(root: Path, *, keep: bool, processing: Processing = ALONE) -> JudgedProject:
    project = open_project(str(root), str(root.parent / "out"))
    found = judge_project(project, processing, keep=keep)
    project.close()
    return found


def follow(root: Path, seed: int, count: int) -> None:
    (root / "ProjectSettings").mkdir(parents=True)
    tree = Tree(root, seed)
    kinds = set()
    for number in range(count):
        for _ in range(tree.random.choice((1, 1, 1, 4))):
            tree.edit()
        if tree.random.randrange(2):
            time.sleep(SETTLED)
        kept = judged(root, keep=True, processing=SHARED if number % 16 == 3 else ALONE)
        fresh = judged(root, keep=False, processing=SHARED if number % 16 == 7 else ALONE)
        assert kept == fresh, f"seed {seed}, edit {number}"
        assert judged(root, keep=True) == fresh, f"seed {seed}, edit {number}, unchanged"
        kinds.update(fresh.counts)
    assert {
        ("named", ""),
        ("unnamed", "dangling"),
        ("unnamed", "stale-override"),
        ("missing", "missing-asset"),
    } <= kinds


def test_kept_verdicts_are_fresh_ones(tmp_path: Path) -> None:
    follow(tmp_path / "Project", 1, 25)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 12))
def test_kept_verdicts_are_fresh_ones_after_many_edits(tmp_path: Path, seed: int) -> None:
    follow(tmp_path / "Project", seed, 100)


def test_verdicts_in_a_daemon_follow_edits(tmp_path: Path) -> None:
    root = tmp_path / "Project"
    (root / "ProjectSettings").mkdir(parents=True)
    tree = Tree(root, 99)
    session = Session(str(root), str(tmp_path / "out"))
    session.start()
    for number in range(40):
        tree.edit()
        if tree.random.randrange(2):
            time.sleep(SETTLED)
        session.reconcile()
        assert judge_project(session.opened) == judge_project(session.opened, keep=False), f"edit {number}"
    session.close()
