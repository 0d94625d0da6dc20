"""Incremental equals cold: after every step of random edit scripts, and whatever the walk order and worker count."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.store.dump import difference
from tests.needs import needs_links

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OLD = 1_420_070_400_000_000_000
FILES = ("asset-db.bin", "asset-db.index")
NAMES = ("Foo", "foo", "Bar", "Grass", "Tile^A", "A", "Editor", "a\u00e9")
EXTENSIONS = (".png", ".prefab", ".asset", ".mat", ".cs", ".txt", "")
TEXTURE = "TextureImporter:\n  spriteMode: {mode}\n  textureType: 8\n{sheet}  assetBundleName: {bundle}\n"


class Editor:
    """Changes a project at random, as people, editors and version control do."""

    def __init__(self, project: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.assets = project / "Assets"
        self.assets.mkdir(parents=True)
        (project / "ProjectSettings").mkdir()
        self.actions: tuple[Callable[[], None], ...] = (
            *(self.create, self.create, self.create, self.delete, self.move, self.same_size_edit, self.touch),
            *(self.swap_metas, self.make_folder, self.rename_folder, self.remove_folder, self.duplicate_guid),
            *(self.append, self.hide_or_fold_case, self.replace_by_folder, self.exclude, self.exchange),
        )

    def step(self) -> None:
        """Do one or two things; now and then as `rsync -a` and archives do them, which leave the times as they were."""
        keeps_times = self.random.random() < 0.3 and os.name == "posix"  # without a time of change, it is not seen
        times = self.times() if keeps_times else {}
        for _ in range(self.random.randrange(1, 3)):
            self.random.choice(self.actions)()
        one = self.random.choice([*times.values(), OLD]) if self.random.random() < 0.3 else None
        for path, time_ns in times.items():
            if path.exists():
                os.utime(path, ns=(one or time_ns, one or time_ns))

    def times(self) -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in [*self.folders(), *self.files()]}

    def files(self) -> list[Path]:
        return sorted(path for path in self.assets.rglob("*") if path.is_file())

    def folders(self) -> list[Path]:
        return [self.assets, *sorted(path for path in self.assets.rglob("*") if path.is_dir())]

    def file(self) -> Path:
        files = self.files()
        if not files:
            self.create()
            files = self.files()
        return self.random.choice(files)

    def guid(self) -> str:
        return f"{self.random.getrandbits(128):032x}"

    def write_meta(self, asset: Path) -> None:
        pick = self.random.choice
        rows = "".join(
            f"    - serializedVersion: 2\n      name: {pick(NAMES)}\n      internalID: {pick((-7, 5, 1 << 62))}\n"
            for _ in range(self.random.randrange(1, 4))
        )
        sheet = f"  spriteSheet:\n    sprites:\n{rows}    outline: []\n    internalID: 0\n"
        importer = pick(
            (
                "",
                TEXTURE.format(mode=1, sheet="", bundle=""),
                TEXTURE.format(mode=2, sheet=sheet, bundle=pick(NAMES)),
                "NativeFormatImporter:\n  userData: \n",
                "DefaultImporter:\n  userData: \n",
            )
        )
        head = f"guid: {self.guid()}\n"
        if self.random.random() < 0.05:
            head = f"<<<<<<< HEAD\n{head}=======\nguid: {self.guid()}\n>>>>>>> other\n"
        if self.random.random() < 0.05:
            head = "nothing\n"
        asset.with_name(asset.name + ".meta").write_text(f"fileFormatVersion: 2\n{head}{importer}", encoding="utf-8")

    def text(self) -> str:
        pick = self.random.choice
        documents = [
            f"--- !u!{pick((114, 1, 21, 74, 43))} &{self.random.randrange(-9, 9)}\nX:\n"
            f"  m_Script: {{fileID: 11500000, guid: {pick('ab') * 32}, type: 3}}\n  m_Name: {pick(NAMES)}\n"
            for _ in range(self.random.randrange(4))
        ]
        return "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n" + "".join(documents)

    def create(self) -> None:
        path = self.random.choice(self.folders()) / (self.random.choice(NAMES) + self.random.choice(EXTENSIONS))
        if not path.is_dir() and not path.with_name(path.name + ".meta").is_dir():
            path.write_text(self.text(), encoding="utf-8")
            self.write_meta(path)

    def delete(self) -> None:
        self.file().unlink()

    def move(self) -> None:
        path = self.file()
        target = self.random.choice(self.folders()) / path.name
        if not target.exists():
            path.rename(target)

    def same_size_edit(self) -> None:
        path = self.file()
        data = bytearray(path.read_bytes())
        if data:
            data[self.random.randrange(len(data))] = self.random.choice(b"abc0{: \n")
            path.write_bytes(data)

    def append(self) -> None:
        path = self.file()
        path.write_bytes(path.read_bytes() + b"--- !u!74 &99\nX:\n  m_Name: Late\n")

    def touch(self) -> None:
        os.utime(self.file())

    def swap_metas(self) -> None:
        metas = [path for path in self.files() if path.suffix == ".meta"]
        if len(metas) > 1:
            first, second = self.random.sample(metas, 2)
            a, b = first.read_bytes(), second.read_bytes()
            first.write_bytes(b)
            second.write_bytes(a)

    def exchange(self) -> None:
        """Let two files or two folders change places."""
        found = self.folders()[1:] if self.random.random() < 0.5 else self.files()
        if len(found) > 1:
            first, second = self.random.sample(found, 2)
            if first not in second.parents and second not in first.parents:
                aside = self.assets.parent / "aside"
                first.rename(aside)
                second.rename(first)
                aside.rename(second)

    def duplicate_guid(self) -> None:
        metas = [path for path in self.files() if path.suffix == ".meta"]
        if len(metas) > 1:
            first, second = self.random.sample(metas, 2)
            first.write_bytes(second.read_bytes())

    def make_folder(self) -> None:
        path = self.random.choice(self.folders()) / self.random.choice(NAMES)
        if not path.exists() and not path.with_name(path.name + ".meta").is_dir():
            path.mkdir()
            self.write_meta(path)

    def rename_folder(self) -> None:
        folders = self.folders()
        source = self.random.choice(folders)
        target = self.random.choice(folders) / (self.random.choice(NAMES) + "2")
        if source != self.assets and not target.exists() and source not in target.parents:
            source.rename(target)

    def remove_folder(self) -> None:
        folder = self.random.choice(self.folders())
        if folder != self.assets or self.random.random() < 0.1:
            shutil.rmtree(folder)
            self.assets.mkdir(exist_ok=True)

    def hide_or_fold_case(self) -> None:
        path = self.file()
        target = path.with_name(self.random.choice((path.name.swapcase(), path.name + "~", "." + path.name)))
        if not target.exists():
            path.rename(target)

    def replace_by_folder(self) -> None:
        path = self.file()
        path.unlink()
        path.mkdir()

    def exclude(self) -> None:
        configuration = self.assets.parent / "assetdb.toml"
        if configuration.exists() and self.random.random() < 0.7:
            configuration.unlink()
        elif self.random.random() < 0.3:
            configuration.write_text(
                f'exclude = ["{self.random.choice(("Foo*", "Editor/", "*.mat"))}"]\n', encoding="utf-8"
            )


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_after_every_step_incremental_equals_cold(tmp_path: Path, seed: int) -> None:
    project = tmp_path / "Project"
    editor = Editor(project, seed)
    assets_seen = 0
    for step in range(220):
        editor.step()
        if editor.random.random() < 0.5:  # else the edit falls into the tick of the last bake
            time.sleep(0.03)
        warm = assetdb.bake(project, tmp_path / "warm", keep_going=True)
        shutil.rmtree(tmp_path / "cold", ignore_errors=True)
        cold = assetdb.bake(project, tmp_path / "cold", keep_going=True)
        for name in FILES:
            one, other = ((tmp_path / folder / name).read_bytes() for folder in ("warm", "cold"))
            assert one == other, (step, name, difference(one, other) if name == FILES[0] else "")
        assert warm.diagnostics == cold.diagnostics, step
        again = assetdb.bake(project, tmp_path / "warm", keep_going=True)
        assert again.unchanged, step
        assert again.diagnostics == warm.diagnostics, step
        if step % 10 == 0:  # as a CI machine does: a clone elsewhere, and the output folder of another one
            for folder, copy in (("Project", "clone"), ("warm", "restored")):
                shutil.rmtree(tmp_path / copy, ignore_errors=True)
                shutil.copytree(tmp_path / folder, tmp_path / copy, copy_function=shutil.copyfile, symlinks=True)
            restored = assetdb.bake(tmp_path / "clone", tmp_path / "restored", keep_going=True)
            assert restored.diagnostics == cold.diagnostics, step
            for name in FILES:
                assert (tmp_path / "restored" / name).read_bytes() == (tmp_path / "cold" / name).read_bytes(), step
        assets_seen += cold.asset_count
    assert assets_seen > 220


def synthetic_project(root: Path, folders: int, assets: int) -> Path:
    project = root / "Large"
    chooser = random.Random(7)
    (project / "ProjectSettings").mkdir(parents=True)
    for folder in range(folders):
        path = project / "Assets" / f"Group{folder % 5}" / f"Folder{folder}"
        path.mkdir(parents=True)
        for asset in range(assets):
            name = f"Thing{chooser.randrange(assets * 3)}_{asset}.mat"
            (path / name).write_text(
                "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!21 &2100000\nMaterial:\n", encoding="utf-8"
            )
            guid = f"{chooser.getrandbits(128):032x}"
            (path / f"{name}.meta").write_text(
                f"fileFormatVersion: 2\nguid: {guid}\nNativeFormatImporter:\n", encoding="utf-8"
            )
    return project


def test_same_bytes_for_every_worker_count_and_walk_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = synthetic_project(tmp_path, 60, 40)
    for workers in (1, 2, 3):  # a process of its own: one with threads, such as a test runner's, may not fork
        command = [sys.executable, "-m", "assetdb", "bake", "--project", str(project), "--workers", str(workers)]
        subprocess.run([*command, "--quiet", "--out-dir", str(tmp_path / str(workers))], check=True)
    scandir = os.scandir

    class Reversed:
        def __init__(self, path: bytes) -> None:
            with scandir(path) as entries:
                self.entries = sorted(entries, key=lambda entry: entry.name, reverse=True)

        def __enter__(self) -> list[os.DirEntry[bytes]]:
            return self.entries

        def __exit__(self, *_: object) -> None:
            """Nothing is open."""

    monkeypatch.setattr("assetdb.scan.reader.os.scandir", Reversed)
    assetdb.bake(project, tmp_path / "reversed", workers=1)
    for name in FILES:
        assert len({(tmp_path / folder / name).read_bytes() for folder in ("1", "2", "3", "reversed")}) == 1


@needs_links
def test_what_a_link_leads_to_becomes_a_folder_and_a_folder_may_be_listed_again(tmp_path: Path) -> None:
    project = tmp_path / "Project"
    assets = project / "Assets"
    assets.mkdir(parents=True)
    (project / "ProjectSettings").mkdir()
    (assets / "Link.meta").write_text(f"fileFormatVersion: 2\nguid: {1:032x}\nfolderAsset: yes\nDefaultImporter:\n")
    (assets / "Link").symlink_to(tmp_path / "target")
    os.utime(assets, (1_000_000_000, 1_000_000_000))  # so old that its time is believed
    for what in ("nothing", "folder", "nothing", "file"):
        if what == "folder":
            (tmp_path / "target").mkdir()
        elif what == "file":
            (tmp_path / "target").write_text("text")
        elif (tmp_path / "target").exists():
            (tmp_path / "target").rmdir()
        warm = assetdb.bake(project, tmp_path / "warm", keep_going=True)
        shutil.rmtree(tmp_path / "cold", ignore_errors=True)
        cold = assetdb.bake(project, tmp_path / "cold", keep_going=True)
        for name in FILES:
            assert (tmp_path / "warm" / name).read_bytes() == (tmp_path / "cold" / name).read_bytes(), what
        assert warm.diagnostics == cold.diagnostics, what


@pytest.mark.parametrize("folder", ["eDITOR", "Editor"])
def test_a_folder_whose_meta_is_called_otherwise_keeps_its_own_name(tmp_path: Path, folder: str) -> None:
    project = tmp_path / "Project"
    place = project / "Assets" / "Place"
    (place / folder).mkdir(parents=True)
    (project / "ProjectSettings").mkdir()
    (place / "Editor.meta").write_text(f"fileFormatVersion: 2\nguid: {7:032x}\nfolderAsset: yes\n", encoding="utf-8")
    (place / "a.txt").write_text("one", encoding="utf-8")
    (place / "a.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {8:032x}\n", encoding="utf-8")
    time.sleep(0.05)
    assetdb.bake(project, tmp_path / "warm")
    (place / "a.txt").write_text("other", encoding="utf-8")  # the folder itself is as it was
    assetdb.bake(project, tmp_path / "warm")
    assetdb.bake(project, tmp_path / "cold")
    for name in ("asset-db.bin", "asset-db.index"):
        assert (tmp_path / "warm" / name).read_bytes() == (tmp_path / "cold" / name).read_bytes()
    with assetdb.open_database(tmp_path / "warm" / "asset-db.bin") as database:
        assert database.folder(f"{7:032x}") == f"Assets/Place/{folder}"
