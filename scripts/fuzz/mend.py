"""Delete and move metas and assets at random in a git repository, mend, and look whether a GUID is lost.

    python -m scripts.fuzz.mend --count 1000 [--seed N] [--project DIR]

Each try takes a committed project, does some of what people and tools do to it (metas deleted, left behind, moved onto
others, copied with their asset; files and folders moved with and without them, changed on the way, staged or committed
or stashed), and then what ``assetdb check --fix`` does. Of each GUID that the last
commit had, that something refers to, and whose asset is still there, wherever it is by now: an asset must have it
again, or what was left to a person must name it.
"""

from __future__ import annotations

import random
import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from assetdb.checks.findings.engine import Selection, check_project
from assetdb.checks.mending.fixes import plan_fixes
from assetdb.checks.mending.plan import Plan
from assetdb.checks.mending.writing.apply import apply
from assetdb.query.snapshots.snapshot import open_project
from assetdb.unity.metas.meta import read_meta
from scripts.arguments import Given, script
from scripts.fuzz.project_changes import ChangedProject, meta_of
from scripts.programs import commit, copied, git
from tests.system.graph.project import write_project

MOST_CHANGES = 6
MOST_ROUNDS = 4
_GUID = re.compile(rb"[0-9a-f]{32}")
_CHANGE = b"# changed on the way\n"


class Owner(NamedTuple):
    """What had a GUID."""

    path: str  # of the asset, relative to the project
    content: bytes  # its bytes, ``b""`` of a folder


class Tree(ChangedProject):
    """A project in a git repository, and what may be done to it."""

    def __init__(self, root: Path, seed: int) -> None:
        """Commit the project at ``root``."""
        super().__init__(root, seed)
        (root / ".gitignore").write_text("/Library/\n")
        self.mend()
        git(root, "init", "-q", "-b", "main")
        commit(root)
        self.start = git(root, "rev-parse", "HEAD").strip()
        self._at_start = self.committed = self.owners()

    def begin_again(self) -> None:
        """Have everything as it was committed first."""
        git(self.root, "reset", "-q", "--hard", self.start)
        git(self.root, "clean", "-q", "-f", "-d", "--", "Assets")
        git(self.root, "stash", "clear")
        self.committed = self._at_start

    # --- what is done

    def disturb(self) -> str:
        """Do one thing, and return its name."""
        changes = (
            *(self.delete_meta, self.delete_meta, self.delete, self.delete_asset, self.rename_asset, self.rename_asset),
            *(self.move_and_delete_meta, self.move_and_delete_meta, self.move_meta, self.move_meta_onto),
            *(self.copy_meta_onto, self.copy, self.rename, self.rename_folder, self.move_folder_without_metas),
            *(self.swap_metas, self.change_and_move, self.add_new, self.stage, self.commit, self.stash),
        )
        return self.make_one(changes)

    def move_and_delete_meta(self) -> None:
        """Move a file, and delete its meta."""
        path = self.any_asset()
        path.rename(self.new(path))
        meta_of(path).unlink()

    def change_and_move(self) -> None:
        """Change a file, move it, and delete its meta."""
        path = self.any_asset()
        path.write_bytes(path.read_bytes() + _CHANGE)
        path.rename(self.new(path))
        meta_of(path).unlink()

    def move_meta(self) -> None:
        """Move a meta to where no asset is."""
        meta = self.any_file(".meta")
        meta.rename(self.any_folder() / f"Stray{self.chooser.randrange(100)}.{meta.name}")

    def move_meta_onto(self) -> None:
        """Move a meta onto that of another asset."""
        one, other = self._two_metas()
        one.replace(other)

    def copy_meta_onto(self) -> None:
        """Copy a meta onto that of another asset, as people do for its settings."""
        one, other = self._two_metas()
        shutil.copy(one, other)

    def swap_metas(self) -> None:
        """Let two metas change places."""
        one, other = self._two_metas()
        first, second = one.read_bytes(), other.read_bytes()
        one.write_bytes(second)
        other.write_bytes(first)

    def move_folder_without_metas(self) -> None:
        """Move a folder, and delete its meta with all that are in it."""
        folder = self.any_folder()
        target = self.new(folder)
        folder.rename(target)
        for meta in (*target.rglob("*.meta"), meta_of(folder)):
            meta.unlink()

    def add_new(self) -> None:
        """Write a file that was never there, beside one of its kind."""
        path = self.any_asset()
        self.new(path).write_bytes(f"%YAML 1.1\n# new {self.chooser.random()}\n".encode())

    def stage(self) -> None:
        """Have git's index as the disk is."""
        git(self.root, "add", "-A")

    def commit(self) -> None:
        """Commit everything."""
        super().commit()
        self.committed = self.owners()

    # --- what there is

    def new(self, path: Path) -> Path:
        """Choose a place where nothing is."""
        number = self.chooser.randrange(1000)
        name = path.name if self.chooser.random() < 0.4 else f"Moved{number}{path.suffix}"
        folder = self.chooser.choice([self.root / "Assets", *self.folders()])
        if (folder / name).exists() or folder == path or path in folder.parents:
            return path.with_name(f"Moved{number}{path.suffix}")
        return folder / name

    def any_asset(self) -> Path:
        """Choose a file that has a meta."""
        return self.chooser.choice([path for path in self._metas() if path.is_file()])

    def _metas(self) -> list[Path]:
        """Return the files and folders that have metas."""
        metas = sorted((self.root / "Assets").rglob("*.meta"))
        return [path for meta in metas if (path := meta.with_suffix("")).exists()]

    def _two_metas(self) -> tuple[Path, Path]:
        one, other = self.chooser.sample([path for path in self._metas() if path.is_file()], 2)
        return meta_of(one), meta_of(other)

    def owners(self) -> dict[str, Owner]:
        """Return what has each GUID."""
        found = {}
        for path in self._metas():
            guid = read_meta(meta_of(path).read_bytes())[0].decode()
            content = path.read_bytes() if path.is_file() else b""
            found[guid] = Owner(path.relative_to(self.root).as_posix(), content)
        return found

    def guids(self) -> set[str]:
        """Return the GUIDs of all metas, those without an asset too."""
        return {read_meta(meta.read_bytes())[0].decode() for meta in (self.root / "Assets").rglob("*.meta")}

    def referred(self) -> set[str]:
        """Return all GUIDs that stand in a file that is no meta."""
        files = [path for path in (self.root / "Assets").rglob("*") if path.is_file() and path.suffix != ".meta"]
        return {guid.decode() for path in files for guid in _GUID.findall(path.read_bytes())}

    def contents(self) -> set[bytes]:
        """Return the bytes of all assets, those without a meta too."""
        files = [path for path in (self.root / "Assets").rglob("*") if path.is_file() and path.suffix != ".meta"]
        return {path.read_bytes() for path in files}

    def mend(self) -> Plan:
        """Do what ``check --fix`` does until it changes nothing more, and return the last plan."""
        for _ in range(MOST_ROUNDS):
            project = open_project(str(self.root))
            try:
                plan = plan_fixes(project, check_project(project, Selection()).findings)
            finally:
                project.close()
            if plan.is_empty:
                return plan
            apply(plan, str(self.root))
        raise AssertionError("mending does not come to an end")


def lost(tree: Tree, before: dict[str, Owner], was: set[str], plan: Plan) -> list[str]:
    """Return what is wrong after mending: GUIDs that are lost, or that another asset got.

    A GUID is lost where something refers to it, its asset is there, no asset has it, and nothing names it.
    """
    now = tree.owners()
    said = "\n".join(f"{proposal.path}: {proposal.message}" for proposal in plan.proposals)
    contents = tree.contents()
    found = []
    for guid in sorted(tree.referred() & before.keys()):
        owner = before[guid]
        if owner.content and not {owner.content, owner.content + _CHANGE} & contents:
            continue  # the asset itself was deleted
        if not owner.content and not (tree.root / owner.path).exists():
            continue
        is_named = guid in said or owner.path in said
        if guid not in now and not is_named:
            found.append(f"{guid} of {owner.path} is gone")
    for guid in sorted(now.keys() & before.keys() - was):
        owner, new = before[guid], now[guid]
        if new.path != owner.path and owner.content not in (new.content, new.content.removesuffix(_CHANGE)):
            found.append(f"{guid} of {owner.path} was given to {new.path}")
    return found


def run(root: Path, count: int, seed: int) -> Counter[str]:
    """Break and mend ``count`` times, and return what was done how often.

    Raises:
        AssertionError: a GUID is lost; the project stays as it is.
    """
    tree = Tree(root, seed)
    chooser = random.Random(seed)
    done: Counter[str] = Counter()
    for number in range(count):
        tree.begin_again()
        changes = [tree.disturb() for _ in range(chooser.randrange(1, MOST_CHANGES + 1))]
        before, was, on_disk = tree.committed, tree.owners(), tree.guids()
        plan = tree.mend()
        gone = lost(tree, before, on_disk, plan)
        if gone:
            raise AssertionError(f"try {number} ({', '.join(changes)}): {'; '.join(gone)}")
        done.update(changes)
        now = tree.owners()
        done["GUIDs that were there again"] += len((before.keys() & now.keys()) - was.keys())
        done["GUIDs that are new"] += len(now.keys() - before.keys() - was.keys())
        done["left to a person"] += len(plan.proposals)
    return done


@script(__doc__, count=1000, seed=0, project=Path)
def main(given: Given) -> None:
    """Run from the command line."""
    scratch = Path(tempfile.mkdtemp(prefix="assetdb-mend-"))
    root = scratch / "Project"
    if given.project is None:
        write_project(root)
    else:
        copied(given.project, root)
    done = run(root, given.count, given.seed)
    for name, number in sorted(done.items()):
        print(f"{number:6,}  {name}")
    shutil.rmtree(scratch)
