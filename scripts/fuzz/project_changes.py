"""Random changes of a project, as people, editors and git make them."""

from __future__ import annotations

import random
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from scripts.programs import commit, git


def meta_of(path: Path) -> Path:
    """Return the place of an asset's meta."""
    return path.with_name(f"{path.name}.meta")


class ChangedProject:
    """A project in a git repository, and the changes made to it at random."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.chooser = random.Random(seed)

    def make_one(self, changes: Sequence[Callable[[], object]]) -> str:
        """Make one of some changes, and return its name; none where it cannot be made now."""
        change = self.chooser.choice(changes)
        failures = (IndexError, OSError, shutil.Error, subprocess.CalledProcessError, tarfile.TarError, ValueError)
        with suppress(*failures):
            change()
            return change.__name__
        return f"{change.__name__} (could not be done)"

    # --- what is chosen

    def files(self, *suffixes: str) -> list[Path]:
        """Return the files of the project, those with some extensions, in order; links are none."""
        found = sorted(path for path in (self.root / "Assets").rglob("*") if path.is_file() and not path.is_symlink())
        return [path for path in found if not suffixes or path.suffix in suffixes]

    def folders(self) -> list[Path]:
        """Return the folders below that of all assets, in order."""
        return sorted(path for path in (self.root / "Assets").rglob("*") if path.is_dir() and not path.is_symlink())

    def any_file(self, *suffixes: str) -> Path:
        """Choose a file."""
        return self.chooser.choice(self.files(*suffixes))

    def any_asset(self) -> Path:
        """Choose a file that is no meta."""
        return self.chooser.choice([path for path in self.files() if path.suffix != ".meta"])

    def any_folder(self) -> Path:
        """Choose a folder."""
        return self.chooser.choice(self.folders())

    def new(self, path: Path) -> Path:
        """Choose a place for a file or folder, where another may be."""
        return self.any_folder() / f"New{self.chooser.randrange(9)}{path.suffix}"

    # --- files

    def delete(self) -> None:
        """Delete an asset and its meta."""
        path = self.any_asset()
        path.unlink()
        meta_of(path).unlink(missing_ok=True)

    def delete_asset(self) -> None:
        """Delete an asset, and leave its meta."""
        self.any_asset().unlink()

    def delete_meta(self) -> None:
        """Delete the meta of a file or folder."""
        self.any_file(".meta").unlink()

    def copy(self) -> None:
        """Copy an asset with its meta."""
        path = self.any_asset()
        there = self.new(path)
        shutil.copy2(path, there)
        shutil.copy2(meta_of(path), meta_of(there))

    def rename(self) -> None:
        """Move an asset and its meta."""
        path = self.any_asset()
        there = self.new(path)
        path.replace(there)
        meta_of(path).replace(meta_of(there))

    def rename_asset(self) -> None:
        """Move an asset, and leave its meta."""
        path = self.any_asset()
        path.replace(self.new(path))

    def rename_folder(self) -> None:
        """Move a folder; its meta goes with it, stays, or is deleted."""
        path = self.any_folder()
        there = self.new(path)
        path.rename(there)
        fate = self.chooser.random()
        if fate < 0.5:
            meta_of(path).replace(meta_of(there))
        elif fate < 0.75:
            meta_of(path).unlink()

    # --- git

    def commit(self) -> None:
        """Commit everything."""
        commit(self.root)

    def stash(self) -> None:
        """Stash everything."""
        git(self.root, "stash", "-q", "-u")

    def reset(self) -> None:
        """Go back to the last commit, or the one before."""
        git(self.root, "reset", "-q", "--hard", self.chooser.choice(("HEAD", "HEAD~1")))

    def clean(self) -> None:
        """Remove whatever is not committed."""
        git(self.root, "clean", "-q", "-f", "-d")
