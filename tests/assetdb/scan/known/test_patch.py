"""A wide directory that is patched by names is as one that is read as a whole."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.scan.changes import assets_of
from assetdb.scan.reader import DirectoryReader
from tests.needs import needs_cases, needs_links

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb.scan.directory import DirectoryFacts

PATH = b"Assets/Wide"
NAMES = ("a.txt", "a-b.txt", "B.mat", "b.prefab", "c d.png", "é.txt", "x.asset", "y", "z.txt")
PREFAB = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &100\nGameObject:\n  m_Name: Thing\n"


class Folder:
    """A folder on the disk, changed at random."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.path = root / os.fsdecode(PATH)
        self.path.mkdir(parents=True)
        self.random = random.Random(seed)
        self.named: set[bytes] = set()
        for name in NAMES[: 3 + seed % 5]:
            self.write(name)
            self.write(f"{name}.meta")
        self.write("Sub.meta")
        (self.path / "Sub").mkdir()

    def write(self, name: str) -> None:
        path = self.path / name
        if name.endswith(".meta"):
            guid = f"{self.random.getrandbits(128):032x}" if self.random.random() < 0.9 else "?"
            importer = self.random.choice(("DefaultImporter:\n  userData: \n", "TextureImporter:\n  spriteMode: 1\n"))
            path.write_text(f"fileFormatVersion: 2\nguid: {guid}\n{importer}", encoding="utf-8", newline="\n")
        else:
            text = PREFAB if self.random.random() < 0.7 else "<<<<<<< ours\n=======\n>>>>>>> theirs\n"
            references = "".join(
                f"  m_It: {{fileID: 1, guid: {self.random.getrandbits(128):032x}, type: 2}}\n"
                for _ in range(self.random.randrange(3))
            )
            path.write_text(text + references, encoding="utf-8", newline="\n")
        self.named.add(os.fsencode(name))

    def remove(self, name: str) -> None:
        (self.path / name).unlink(missing_ok=True)
        self.named.add(os.fsencode(name))

    def step(self) -> None:
        name = self.random.choice(NAMES)
        action: Callable[[str], None] = self.random.choice((self.write, self.write, self.remove))
        for each in self.random.choice(((name, f"{name}.meta"), (name, f"{name}.meta"), (name,), (f"{name}.meta",))):
            action(each)

    def read(self, known: DirectoryFacts | None = None) -> DirectoryFacts:
        reader = DirectoryReader(os.fsencode(self.root), since_ns=time.time_ns(), may_change_directory=False, wide=1)
        named, self.named = self.named, set()
        found = reader.read(PATH, known, named if known is not None else None, only_named=known is not None)
        assert found is not None
        return found


def facts(directory: DirectoryFacts) -> tuple[object, ...]:
    """Return all of a directory but identities, and the order of its assets."""
    assets = {pair: (known.row, known.diagnostics) for pair, known in assets_of(directory, b"").items()}
    rest = directory.files.split(b"/")[directory.pair_count * 2 :]
    return (
        *(assets, rest, directory.children, directory.links, directory.folders, directory.folder_guids),
        *(directory.listing_diagnostics, directory.file_diagnostics, len(directory.identities)),
        *(bool(directory.details), bool(directory.references), bool(directory.reference_counts)),
    )


@pytest.mark.parametrize("seed", range(40))
def test_edits_leave_what_reading_all_leaves(tmp_path: Path, seed: int) -> None:
    folder = Folder(tmp_path, seed)
    known = folder.read()
    for _ in range(12):
        for _ in range(folder.random.randrange(1, 4)):
            folder.step()
        known = folder.read(known)
        assert facts(known) == facts(folder.read())


@pytest.fixture
def unlisted(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Have every listing fail from the call on."""

    def refuse(_: object) -> None:
        raise AssertionError("the directory was listed")

    return lambda: monkeypatch.setattr(os, "scandir", refuse)


def test_an_asset_that_comes_changes_and_goes_is_all_that_is_looked_at(
    tmp_path: Path, unlisted: Callable[[], None]
) -> None:
    folder = Folder(tmp_path, 0)
    known = folder.read()
    unlisted()
    for name in ("m.txt", "m.txt.meta"):
        (folder.path / name).write_text("fileFormatVersion: 2\nguid: " + "7" * 32 + "\n")
        folder.named.add(name.encode())
    came = folder.read(known)
    assert b"m.txt" in came.files.split(b"/")
    assert came.pair_count == known.pair_count + 1
    assert came.identity == known.identity, "a bake lists it again"
    folder.remove("m.txt")
    folder.remove("m.txt.meta")
    assert facts(folder.read(came)) == facts(known)


@pytest.mark.parametrize(
    "what", [pytest.param("link", marks=needs_links), "folder", "orphan", pytest.param("case", marks=needs_cases)]
)
def test_what_depends_on_other_names_is_listed(tmp_path: Path, what: str) -> None:
    folder = Folder(tmp_path, 0)
    known = folder.read()
    name = {"link": "l.txt", "folder": "f", "orphan": "o.txt.meta", "case": "A.TXT.meta"}[what]
    if what == "link":
        (folder.path / name).symlink_to(folder.path / "a.txt")
    elif what == "folder":
        (folder.path / name).mkdir()
    else:
        folder.write(name)
    if what == "case":
        folder.remove("a.txt.meta")
    folder.named.add(name.encode())
    assert facts(folder.read(known)) == facts(folder.read())
    assert facts(folder.read()) != facts(known)
