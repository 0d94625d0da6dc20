"""A Unity project in a git repository, made by the tests, and the random edits that they make to it."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

from assetdb.history.git.repository import Repository
from assetdb.query.snapshots.revisions import open_entries, open_revision, tops_of
from tests.assetdb.unity_project import HEAD, game_object, guid, make_project, write
from tests.needs import require_git

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path
    from random import Random

    from assetdb.query.snapshots.snapshot import Snapshot

IDENTITY = {
    **{f"GIT_{who}_{what}": "tester" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def git(root: Path, *words: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | IDENTITY
    require_git()
    done = subprocess.run(["git", "-C", str(root), *words], env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def commit(root: Path, message: str = "change") -> str:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)
    return git(root, "rev-parse", "HEAD").strip()


def open_side(project: Snapshot, revision: str) -> AbstractContextManager[Snapshot]:
    """Open a revision; ``""`` for git's index, the content of the next commit."""
    if revision:
        return open_revision(project, revision)
    repository = Repository(project.root)
    return open_entries(project, repository, repository.index_against_disk(tops=tops_of(project.root)))


def make_repository(folder: Path, inside: str = "") -> Path:
    """Make a project in a new repository and commit it; return the project."""
    root = folder / inside if inside else folder
    root.parent.mkdir(parents=True, exist_ok=True)
    make_project(root)
    write(root, "Assets/Prefabs/Tower.prefab", 20, HEAD + game_object(100, "Tower", 0, script(3)))
    write(root, "Assets/Deep/Down/Here/well.prefab", 21, HEAD + game_object(100, "Well", 0, script(3)))
    (root / "ProjectSettings" / "ProjectVersion.txt").write_text("m_EditorVersion: 2022.3.10f1\n")
    (root / ".gitignore").write_text("/Library/\n/Temp/\n*.ignored\n*.ignored.meta\n")
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "the project")
    return root


def script(number: int) -> str:
    return (
        "--- !u!114 &300\nMonoBehaviour:\n  m_GameObject: {fileID: 100}\n"
        f"  m_Script: {{fileID: 11500000, guid: {guid(number)}, type: 3}}\n"
        f"  friend: {{fileID: 100, guid: {guid(1)}, type: 3}}\n"
    )


def edit(root: Path, random: Random) -> None:
    """Make one random change to the files of a project: what teams do, and what goes wrong."""
    assets = sorted(path for path in (root / "Assets").rglob("*") if path.is_file() and path.suffix != ".meta")
    metas = sorted((root / "Assets").rglob("*.meta"))
    if not assets or not metas:
        return
    asset, meta = random.choice(assets), random.choice(metas)
    match random.randrange(10):
        case 0:
            asset.unlink()
        case 1:
            asset.unlink()
            meta_of(asset).unlink(missing_ok=True)
        case 2:
            meta.unlink()
        case 3:
            target = asset.parent / f"moved{random.randrange(1000)}" / asset.name
            target.parent.mkdir(exist_ok=True)
            asset.rename(target)
            if meta_of(asset).exists():
                meta_of(asset).rename(meta_of(target))
        case 4:
            shutil.copy(asset, asset.with_name(f"copy{random.randrange(1000)}{asset.suffix}"))
        case 5:
            target = random.choice([20, 21, 1, 2, 77, 78, 3, 8])
            path = f"Assets/New{random.randrange(4)}/thing{random.randrange(6)}.prefab"
            write(root, path, 100 + random.randrange(6), HEAD + game_object(100, "Thing", 0, script(target)))
        case 6:
            asset.write_bytes(asset.read_bytes().replace(guid(3).encode(), guid(79).encode()))
        case 7:
            meta.write_bytes(meta.read_bytes().replace(b"guid: a", b"guid: b", 1))
        case 8:
            asset.write_bytes(asset.read_bytes().replace(b"&100", b"&101").replace(b"fileID: 100,", b"fileID: 102,"))
        case _:
            folder = asset.parent
            if folder != root / "Assets":
                shutil.rmtree(folder)
    for folder, _, _ in os.walk(root / "Assets", topdown=False):  # git has no empty folders
        if not os.listdir(folder):
            os.rmdir(folder)


def meta_of(path: Path) -> Path:
    return path.with_name(path.name + ".meta")
