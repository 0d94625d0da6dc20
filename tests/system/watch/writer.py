"""Does random things to a project, as people, editors and git do; two of these at once make a storm.

::

    python -m tests.system.watch.writer PROJECT OUTSIDE SEED OPERATIONS
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sys
import time
from pathlib import Path

HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
NAMES = [f"Thing{number}" for number in range(12)]
FOLDERS = ["One", "Two", "three", "Three", "Samples~", ".hidden"]
DEPTH = 4


class Writer:
    """One who changes things; another may change the same, so every step may fail."""

    def __init__(self, project: Path, outside: Path, seed: int) -> None:
        self._assets = project / "Assets"
        self._outside = outside / str(seed)
        self._outside.mkdir(parents=True, exist_ok=True)
        self._chooser = random.Random(seed)
        self._guids = [f"{self._chooser.getrandbits(128):032x}" for _ in range(20)]
        self._seed = seed
        self._number = 0

    def step(self) -> None:
        """Do one thing."""
        steps = (
            *(self._write, self._write, self._write, self._save_atomically, self._write_meta, self._append),
            *(self._rename, self._copy, self._delete, self._delete_meta, self._delete_folder, self._move_folder),
            *(
                self._move_out,
                self._move_in,
                self._link,
                self._touch,
                self._keep_time,
                self._swap,
                self._make_deep,
                self._mode,
            ),
        )
        with contextlib.suppress(OSError, shutil.Error):
            self._chooser.choice(steps)()

    def _folder(self) -> Path:
        """Choose a folder that is there now."""
        folder = self._assets
        for _ in range(self._chooser.randrange(DEPTH)):
            below = sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())
            if not below:
                break
            folder = self._chooser.choice(below)
        return folder

    def _file(self) -> Path:
        files = sorted(path for path in self._folder().iterdir() if not path.is_dir() and path.suffix != ".meta")
        return self._chooser.choice(files) if files else self._assets / "absent.asset"

    def _new(self) -> Path:
        return self._folder() / f"{self._chooser.choice(NAMES)}{self._chooser.choice(['.asset', '.png', '.mat', ''])}"

    def _text(self) -> str:
        self._number += 1
        references = "".join(
            f"  - {{fileID: 11400000, guid: {self._chooser.choice(self._guids)}, type: 2}}\n"
            for _ in range(self._chooser.randrange(4))
        )
        return f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: {self._chooser.choice(NAMES)}\n{references}"

    def _meta(self) -> str:
        guid = (
            self._chooser.choice(self._guids)
            if self._chooser.random() < 0.2
            else f"{self._chooser.getrandbits(128):032x}"
        )
        return f"fileFormatVersion: 2\nguid: {guid}\nNativeFormatImporter:\n  userData: \n"

    def _write(self) -> None:
        path = self._new()
        path.write_text(self._text())
        if self._chooser.random() < 0.8:
            path.with_name(path.name + ".meta").write_text(self._meta())

    def _save_atomically(self) -> None:
        path = self._new()
        beside = path.with_name(self._chooser.choice((f".{path.name}.swp", f"{path.name}.tmp")))
        beside.write_text(self._text())
        os.replace(beside, path)

    def _write_meta(self) -> None:
        path = self._file()
        path.with_name(path.name + ".meta").write_text(self._meta())

    def _append(self) -> None:
        with self._file().open("a") as file:
            file.write(f"--- !u!114 &{self._number}\nMonoBehaviour:\n  m_Name: More\n")
            file.flush()
            if self._chooser.random() < 0.3:
                time.sleep(0.003)
            file.write("  # end\n")

    def _rename(self) -> None:
        path, new = self._file(), self._new()
        os.rename(path, new)
        if self._chooser.random() < 0.7:
            os.rename(f"{path}.meta", f"{new}.meta")

    def _copy(self) -> None:
        path = self._file()
        shutil.copy2(path, self._new(), follow_symlinks=False)

    def _delete(self) -> None:
        path = self._file()
        path.unlink()
        path.with_name(path.name + ".meta").unlink()

    def _delete_meta(self) -> None:
        path = self._file()
        path.with_name(path.name + ".meta").unlink()

    def _delete_folder(self) -> None:
        folder = self._folder()
        if folder != self._assets and self._chooser.random() < 0.5:
            shutil.rmtree(folder)

    def _move_folder(self) -> None:
        folder = self._folder()
        if folder != self._assets:
            os.rename(folder, self._folder() / self._chooser.choice(FOLDERS))

    def _move_out(self) -> None:
        folder = self._folder()
        if folder != self._assets:
            os.rename(folder, self._outside / f"{self._chooser.randrange(5)}")

    def _move_in(self) -> None:
        found = sorted(self._outside.iterdir())
        if found:
            os.rename(self._chooser.choice(found), self._folder() / self._chooser.choice(FOLDERS))

    def _link(self) -> None:
        path = self._new()
        target = self._outside.parent / f"linked{self._seed}.asset"
        target.write_text(self._text())
        os.symlink(self._chooser.choice((target, "Thing1.asset", "../Thing2.asset", "nowhere")), path)
        path.with_name(path.name + ".meta").write_text(self._meta())

    def _touch(self) -> None:
        os.utime(self._file())

    def _keep_time(self) -> None:
        """Write a file and its folder's names as `rsync -a` does: the times are those of before."""
        path = self._file()
        folder, own = path.parent.stat(), path.stat()
        path.write_text(self._text())
        os.utime(path, ns=(own.st_mtime_ns, own.st_mtime_ns))
        new = path.with_name(f"{self._chooser.choice(NAMES)}.mat")
        new.write_text(self._text())
        new.with_name(new.name + ".meta").write_text(self._meta())
        os.utime(path.parent, ns=(folder.st_mtime_ns, folder.st_mtime_ns))

    def _swap(self) -> None:
        one, other = self._file(), self._file()
        beside = one.with_name(".swap")
        os.rename(one, beside)
        os.rename(other, one)
        os.rename(beside, other)

    def _make_deep(self) -> None:
        folder = self._folder().joinpath(*self._chooser.choices(FOLDERS[:4], k=self._chooser.randrange(1, 4)))
        folder.mkdir(parents=True, exist_ok=True)
        for _ in range(self._chooser.randrange(4)):
            (folder / f"{self._chooser.choice(NAMES)}.asset").write_text(self._text())
        folder.with_name(folder.name + ".meta").write_text(
            f"fileFormatVersion: 2\nguid: {self._chooser.getrandbits(128):032x}\nfolderAsset: yes\nDefaultImporter:\n"
        )

    def _mode(self) -> None:
        self._file().chmod(self._chooser.choice((0o644, 0o600, 0o000)))


def main(project: str, outside: str, seed: str, operations: str) -> None:
    writer = Writer(Path(project), Path(outside), int(seed))
    for _ in range(int(operations)):
        writer.step()


if __name__ == "__main__":
    main(*sys.argv[1:])
