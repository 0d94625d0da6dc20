"""The fast path of a scan: what it reads of a new directory is what the thorough road reads of the same files."""

from __future__ import annotations

import os
import random
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.diagnostics import decode
from assetdb.scan.changes import Changes
from assetdb.scan.directory import SLASH
from assetdb.scan.fast_path import Columns, FastPath
from assetdb.scan.reader import DirectoryReader
from assetdb.system.shared_opening import open_shared

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable

    from assetdb.scan.directory import DirectoryFacts

SINCE = time.time_ns() + 60_000_000_000  # what the tests write is surely old
GUID = b"0123456789abcdef0123456789abcde%x"
YAML = b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
MATERIAL = YAML + b"--- !u!21 &2100000\nMaterial:\n  m_Name: x\n"
OTHER = b"fedcba9876543210fedcba9876543210"
SCRIPT = (
    b"--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {fileID: 11500000, guid: %b, type: 3}\n  m_Name: x\n" % OTHER
)
PLAIN_TAIL = b"  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
SHEET = (
    b"  spriteMode: 2\n  textureType: 8\n  spriteSheet:\n    sprites:\n"
    b"    - serializedVersion: 2\n      name: a\n      internalID: 5\n"
    b"    - serializedVersion: 2\n      name: %b\n      internalID: 6\n    outline: []\n"
)

CONTENTS = {
    "plain.mat": MATERIAL,
    "refers.mat": MATERIAL + b"  m_Shader: {fileID: 4800000, guid: %b, type: 3}\n" % OTHER,
    "candidate.mat": MATERIAL + b"  hash: %b\n" % OTHER,
    "upper.mat": MATERIAL + b"  m_Shader: {fileID: 4800000, guid: %b, type: 3}\n" % OTHER.upper(),
    "script.asset": YAML + SCRIPT,
    "rows.asset": YAML + SCRIPT + b"--- !u!21 &5\nMaterial:\n  m_Name: inner\n",
    "twice.asset": YAML + SCRIPT + b"--- !u!21 &5\nMaterial:\n  m_Name: y\n" * 2,
    "tree.controller": YAML + b"--- !u!206 &5\nBlendTree:\n  m_Name: y\n--- !u!91 &9100000\nAnimatorController:\n",
    "scene.unity": YAML + SCRIPT,
    "prefab.prefab": YAML
    + b"--- !u!1 &9\nGameObject:\n  m_Name: y\n"
    + SCRIPT
    + b"--- !u!21 &7\nMaterial:\n  m_Name: z\n",
    "merge.mat": MATERIAL + b"<<<<<<< HEAD\n  a: 1\n=======\n>>>>>>> x\n",
    "less.mat": MATERIAL + b"  a: <b>\n",
    "pointer.mat": b"version https://git-lfs.github.com/spec/v1\noid sha256:x\n",
    "pointer.shadergraph": b"version https://git-lfs.github.com/spec/v1\noid sha256:x\n",
    "graph.shadergraph": b'{"a": "%b", "b": "{\\"fileID\\":1,\\"guid\\":\\"%b\\"}"}' % (OTHER, OTHER),
    "binary.asset": b"\0\1\2\3" * 50,
    "empty.mat": b"",
    "text.mat": b"hello",
    "picture.png": b"\x89PNG",
    "sheet.png": b"\x89PNG",
    "unknown.xyz": MATERIAL,
    "NoExtension": b"x",
    "Upper.MAT": MATERIAL,
    "\u00e9t\u00e9.mat": MATERIAL,
}
IMPORTERS = [
    b"NativeFormatImporter:\n  mainObjectFileID: 2100000\n" + PLAIN_TAIL,
    b"NativeFormatImporter:\n  mainObjectFileID: 9100000\n" + PLAIN_TAIL,
    b"NativeFormatImporter:\n  userData: \n  assetBundleName: hero\n  assetBundleVariant: hd\n",
    b"labels:\n- One\n- Two\nNativeFormatImporter:\n" + PLAIN_TAIL,
    b"TextureImporter:\n  spriteMode: 1\n  textureType: 8\n" + PLAIN_TAIL,
    b"TextureImporter:\n" + SHEET % b"b" + PLAIN_TAIL,
    b"TextureImporter:\n" + SHEET % b"a" + PLAIN_TAIL,
    b"MonoImporter:\n  defaultReferences:\n  - s: {fileID: 1, guid: %b, type: 3}\n" % OTHER + PLAIN_TAIL,
    b"timeCreated: 12\nlicenseType: Pro\nNativeFormatImporter:\n" + PLAIN_TAIL,
    b"DefaultImporter:\r\n" + PLAIN_TAIL.replace(b"\n", b"\r\n"),
    b"",
]
OWN_IMPORTERS = {"png": b"TextureImporter", "prefab": b"PrefabImporter"}


def meta(number: int, importer: bytes, chosen: random.Random) -> bytes:
    head = b"fileFormatVersion: 2\nguid: " + GUID % (number % 16) + b"\n"
    form = chosen.randrange(12)
    if form == 0:
        return head.upper().replace(b"GUID", b"guid").replace(b"FILEFORMATVERSION", b"fileFormatVersion") + importer
    if form == 1:
        return b"fileFormatVersion: 2\nguid: nonsense\n" + importer
    if form == 2:
        return b"\xef\xbb\xbf" + head + importer
    if form == 3:
        return head + b"<<<<<<< HEAD\nguid: %b\n=======\n>>>>>>> other\n" % OTHER + importer
    return head + importer


def put(folder: Path, name: str, data: bytes) -> None:
    path = folder / name
    path.write_bytes(data)
    os.utime(path, (1_600_000_000, 1_600_000_000))


def reader_of(root: Path, limits: dict[str, int], *, may_change_directory: bool) -> DirectoryReader:
    return DirectoryReader(os.fsencode(root), since_ns=SINCE, may_change_directory=may_change_directory, **limits)


def both_ways(
    root: Path, monkeypatch: pytest.MonkeyPatch, limits: dict[str, int], *, may_change_directory: bool = False
) -> tuple[DirectoryFacts | None, DirectoryFacts | None, int]:
    """Read a directory on the fast path and thoroughly; return both, and how many assets the fast path left."""
    left = []
    whole = Changes._thoroughly

    def noted(changes: Changes, pair: tuple[bytes, bytes], *rest: object) -> object:
        left.append(pair)
        return whole(changes, pair, *rest)  # type: ignore[arg-type]  # handed through

    monkeypatch.setattr(Changes, "_thoroughly", noted)
    one = reader_of(root, limits, may_change_directory=may_change_directory)
    fast = one.read(b"Assets/D", None)
    count = len(left)
    monkeypatch.setattr(FastPath, "read", thorough)
    other = reader_of(root, limits, may_change_directory=may_change_directory)
    slow = other.read(b"Assets/D", None)
    assert one.files_read == other.files_read
    monkeypatch.undo()
    return fast, slow, count


def thorough(
    _: FastPath,
    pairs: list[tuple[bytes, bytes]],
    _prefix: bytes,
    thoroughly: Callable[[tuple[bytes, bytes]], tuple[tuple[bytes, ...], int, int, bytes] | None],
) -> tuple[bytes, bytes, bytes, Columns]:
    columns = Columns()
    names: list[bytes] = []
    contents: list[bytes] = []
    identities: array[int] = __import__("array").array("q")
    for pair in pairs:
        found = thoroughly(pair)
        if found is not None:
            columns.add(found[0])  # type: ignore[arg-type]  # a row
            names += pair
            identities.extend(found[1:3])
            contents.append(found[3])
    return SLASH.join(names), identities.tobytes(), b"".join(contents), columns


@pytest.mark.parametrize("seed", range(12))
def test_both_roads_read_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    chosen = random.Random(seed)
    folder = tmp_path / "Assets" / "D"
    folder.mkdir(parents=True)
    for number, (name, data) in enumerate(sorted(CONTENTS.items())):
        if chosen.random() < 0.1 and hasattr(os, "mkfifo"):
            os.mkfifo(folder / name)
        else:
            put(folder, name, data)
        put(folder, f"{name}.meta", meta(number, chosen.choice(IMPORTERS), chosen))
    if seed == 0:
        os.utime(folder / "plain.mat.meta", ns=(SINCE, SINCE))  # as young as the look at it
    limits = chosen.choice([{}, {"largest_meta": 150}, {"largest_asset": len(MATERIAL)}])
    fast, slow, left = both_ways(tmp_path, monkeypatch, limits)
    assert fast is not None
    assert slow is not None
    assert decode(fast.file_diagnostics) == decode(slow.file_diagnostics)
    assert fast._asdict() == slow._asdict()
    assert 0 < left < len(CONTENTS) or limits


def test_usual_assets_are_left_to_no_other_road(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "Assets" / "D"
    folder.mkdir(parents=True)
    usual = ["plain.mat", "refers.mat", "script.asset", "rows.asset", "prefab.prefab", "picture.png", "less.mat"]
    for number, name in enumerate(usual):
        put(folder, name, CONTENTS[name])
        importer = IMPORTERS[number % 9].replace(b"9100000", b"2100000")  # an object that each has
        own = OWN_IMPORTERS.get(name.rpartition(".")[2], b"NativeFormatImporter")  # another one is told
        importer = re.sub(rb"[A-Z]\w+Importer", own, importer)
        put(folder, f"{name}.meta", b"fileFormatVersion: 2\nguid: " + GUID % number + b"\n" + importer)
    here = Path.cwd()
    try:
        fast, slow, left = both_ways(tmp_path, monkeypatch, {}, may_change_directory=True)
    finally:
        os.chdir(here)
    assert fast == slow
    assert fast is not None
    assert (fast.pair_count, left, decode(fast.file_diagnostics)) == (len(usual), 0, [])


def test_a_file_that_goes_while_it_is_read_is_left_to_the_thorough_road(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "Assets" / "D"
    folder.mkdir(parents=True)
    for number, name in enumerate(("plain.mat", "refers.mat", "less.mat")):
        put(folder, name, CONTENTS[name])
        put(folder, f"{name}.meta", b"fileFormatVersion: 2\nguid: " + GUID % number + b"\n" + IMPORTERS[0])

    def gone(path: bytes, flags: int) -> int:
        if bytes(path).endswith(b"refers.mat"):
            Path(os.fsdecode(path)).unlink(missing_ok=True)
        return open_shared(path, flags)

    monkeypatch.setattr("assetdb.scan.fast_path.open_shared", gone)
    monkeypatch.setattr("assetdb.scan.changes.open_shared", gone)
    found = reader_of(tmp_path, {}, may_change_directory=False).read(b"Assets/D", None)
    assert found is not None
    assert found.files.split(b"/")[-2:] == [b"refers.mat", b"refers.mat.meta"]
    assert (len(found.guids) // 16, found.pair_count) == (2, 3)
    assert [item.code for item in decode(found.file_diagnostics)] == ["unreadable"]
