"""The native module reads what the Python code reads of the same files."""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

import assetdb
from assetdb.diagnostics import decode
from assetdb.scan.native import Judge
from assetdb.scan.reader import DirectoryReader
from assetdb.scan.workers import scan
from assetdb.version import VERSION, described_version, native_module
from tests.assetdb.scan.test_fast_path import CONTENTS, IMPORTERS, MATERIAL, OTHER, SHEET, YAML
from tests.long_cases import long_after
from tests.system.interop import crate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assetdb.scan.workers import ScanResult

CHECKOUT = Path(assetdb.__file__).resolve().parent.parent
ROOTS = (b"Assets", b"Packages")
TREES_IN_A_CASE = 50
PURE, IN_THREADS, HERE = "pure", "in threads", "here"
IN_MEMORY = "/dev/shm"  # noqa: S108 - a folder of its own is made there
FILE_NAME = "_native.pyd" if os.name == "nt" else "_native.abi3.so"


@cache
def built() -> Path | str:
    """Return the native module of this checkout, or the reason why there is none."""
    if os.name == "nt":  # made on Linux: scripts/windows/native
        library = CHECKOUT / "assetdb" / FILE_NAME
        return library if library.is_file() else f"{FILE_NAME} is not in the checkout"
    cargo = shutil.which("cargo")
    if cargo is None:
        return "cargo is not installed"
    target = Path(os.environ.get("CARGO_TARGET_DIR") or CHECKOUT / "native" / "target")
    manifest = str(CHECKOUT / "native" / "Cargo.toml")
    command = [cargo, "build", "--release", "--quiet", "--locked", "--manifest-path", manifest]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
    found = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if found.returncode:
        return f"cargo cannot build the native module: {found.stderr.strip()[-300:]}"
    return target / "release" / ("lib_native.dylib" if sys.platform == "darwin" else "lib_native.so")


@pytest.fixture(scope="module", name="module")
def fixture_module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    library = built()
    if isinstance(library, str):
        pytest.skip(library)
    path = tmp_path_factory.mktemp("native") / FILE_NAME
    shutil.copyfile(library, path)
    spec = importlib.util.spec_from_file_location("assetdb._native", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(name="native")
def fixture_native(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    use(module, monkeypatch)
    monkeypatch.delenv("ASSETDB_NATIVE", raising=False)
    return module


def use(module: ModuleType | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "assetdb._native", module)  # None: it cannot be imported
    monkeypatch.setattr(assetdb, "_native", module, raising=False)


def read(root: Path, *, since: int, way: str, roots: Iterable[bytes] = ROOTS, **options: Any) -> ScanResult:  # noqa: ANN401 - those of the reader
    """Scan in Python alone, by threads of the module, or with the module in this thread."""
    options = {"since_ns": since, "may_change_directory": False, **options}
    reader = DirectoryReader(os.fsencode(root), **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSETDB_NATIVE", "0" if way == PURE else "1")
        patch.setattr("assetdb.scan.workers.can_fork", lambda: False)
        found = scan(roots, {}, reader, workers=2 if way == IN_THREADS else 1)
    reader.close()
    return found


def assert_same(root: Path, **options: Any) -> list[ScanResult]:  # noqa: ANN401 - those of the reader
    """Read a project in all ways; return what the module found."""
    since = options.pop("since", time.time_ns() + 60_000_000_000)  # what the tests write is surely old
    pure = read(root, since=since, way=PURE, **options).directories
    results = [read(root, since=since, way=way, **options) for way in (IN_THREADS, HERE)]
    for found in results:
        assert list(found.directories) == list(pure)
        for path, directory in pure.items():
            other = found.directories[path]
            assert decode(other.file_diagnostics) == decode(directory.file_diagnostics)
            assert other._asdict() == directory._asdict()
    return results


def test_the_module_is_linked_to_no_python() -> None:
    library = built()
    if isinstance(library, str):
        pytest.skip(library)
    assert b"libpython" not in library.read_bytes()  # most Pythons have no such library, and none of another version


NAMES = ("a", "Red", "x.y", "Two words", "\u00fcber", "n" * 260, "A", "b~", ".dot", "cvs", "c.tmp", "-", "a.meta")
FOLDERS = (
    "Sub",
    "Deep",
    "StreamingAssets",
    "x.plugin",
    "Lib.androidlib",
    "Hidden~",
    "\u00e9",
    "Samples",
    "x.framework",
)
LINES = (
    b"  m_Script: {fileID: 11500000, guid: %b, type: 3}\n" % OTHER,
    b"  m_Script: {fileID: 0}\n",
    b"  - {fileID: 2100000, guid: %b, type: 2}\n" % OTHER,
    b"  - {fileID: 2100000, guid: 0123456789ABCDEF0123456789abcdef,\n    type: 2}\n",
    b"  a: {fileID: 10303, guid: 0000000000000000f000000000000000, type: 0}\n",
    b"  a: {fileID: 0, guid: 00000000000000000000000000000000, type: 0}\n",
    b"  guid: %b\n" % OTHER,
    b"  guid:  %b\n" % OTHER[::-1],
    b"  hash: %b\n" % OTHER,
    b"  hash: %b0\n" % OTHER,
    b"  long: %b%b\n" % (OTHER, OTHER),
    b"  text: 'see {fileID: 1, guid: %b, type: 3}'\n" % OTHER,
    b'  text: "guid: %b"\n' % OTHER,
    b"  text: see {fileID: 1, guid: %b, type: 3}\n" % OTHER,
    b"  text: |\n    guid: %b\n" % OTHER,
    b"  it's: > 1\n",
    b"  text: 'it''s {fileID: 1}'\n",
    b"  text: 'never closed\n",
    b'  text: "a \\\\" b\n    guid: 1"\n',
    b'  text: "ends with \\\\\\\\"\n',
    b"  - 'plain'\n",
    b"  text: >-  \n    folded\n",
    b"  text: >x\n",
    b"  m_Name: inner\n",
    b"  m_Name: \n",
    b"--- !u!114 &11400000\nMonoBehaviour:\n",
    b"--- !u!21 &5\nMaterial:\n",
    b"--- !u!1 &9 stripped\nGameObject:\n",
    b"--- !u!43 &4300000\nMesh:\n  m_Name: a\n",
    b"--- !u!4 &-7\nTransform:\n",
    b"--- !u!1102 &-1102\nAnimatorState:\n  serializedVersion: 5\n  m_Name: Run (2)\n  m_Speed: 1\n",
    b"--- !u!206 &5 stripped\nBlendTree:\n  m_Name:   spaced  \n",
    b"--- !u!74 &2100000\nAnimationClip:\n  m_Name: 'quoted'\n",
    b"--- !u!21 &2100000\nMaterial:\n  m_Name: goes\n    on\n",
    b"--- !u!114 &114\nMonoBehaviour:\n  m_Name: x_1\n  m_Script: {fileID: 11500000, guid: %b, type: 3}\n" % OTHER,
    b"--- !u!0021 &7\nMaterial:\n  m_Name: a\n",
    b"--- !u!21 &12345678901234567890\nMaterial:\n  m_Name: a\n",
    b"--- !u!99999999999 &7\nMaterial:\n  m_Name: a\n",
    b"--- !u!4294967296 &7\nMaterial:\n  m_Name: a",
    b"  m_Name:\t\xc3\xa9\n",
    b"  see &2100000\n",
    b"!u!",
    b"<<<<<<< HEAD\n",
    b"\r\n",
    b"\0",
    b"\xc3\x28\n",
    b"  _typelessdata: " + b"0123456789abcdef" * 600 + b"\n",
    b"  curve: 0.25 -1e-7\n" * 400,
    b"guid:" + b" " * 40 + OTHER + b"\n",
    OTHER,
)
SPRITE = (
    b"    - serializedVersion: 2\n      name: %b\n      rect:\n        serializedVersion: 2\n        x: 0\n"
    b"      pivot: {x: 0.5, y: 0}\n      bones: []\n      spriteID: 5e97eb03825dee720800000000000000\n"
    b"      internalID: %b\n      weights: []\n"
)
SPRITE_NAMES = (
    b"a",
    b"a",
    b"b_1",
    b"Two (2)",
    b"'it''s'",
    b"",
    b"\xc3\xa9",
    b"1.5",
    b"x ",
    b"name: y",
    b"\xf0\x9f\x98\x80",
)
SPRITE_IDS = (
    b"21300000",
    b"21300002",
    b"-8451020123456789012",
    b"9223372036854775807",
    b"9223372036854775808",
    b"0",
    b"x",
    b"",
)
TAILS = (
    b"  userData: \n  assetBundleName: \n  assetBundleVariant: \n",
    b"  userData: \n  assetBundleName: hero\n  assetBundleVariant: \n",
    b"  userData: %b\n  assetBundleName: \n  assetBundleVariant: \n" % OTHER,
    b"  userData: 'a'\n  assetBundleName: \n  assetBundleVariant: \n",
    b"",
)


OTHER_CONTENTS = (
    b'{"name": "A", "references": ["GUID:%b", "guid:%b"]}' % (OTHER, OTHER[::-1]),
    b'{"a": ""GUID:%b"GUID:%b"}' % (OTHER, OTHER[::-1]),
    b".a { background-image: url('project://database/Assets/a.png?fileID=1&guid=%b&type=3#a'); }\n" % OTHER,
    b".a { color: red; }\n",
    b"<a u='?fileID=-5&amp;guid=%b&amp;type=3' v='&fileID=12345678901234567890&guid=%b'"
    b" w=';fileID=9223372036854775808&guid=%b' x='?fileID=1&guid=%bz' y='fileID=1&guid=%b' z=';fileID=1&guid=%b'/>"
    % ((OTHER,) * 6),
    YAML + b"--- !u!29 &1\nOcclusionCullingSettings:\n  m_SceneGUID: 00000000000000000000000000000000\n",
    YAML + b"--- !u!1 &1\nA:\n  a: GUID:%b\n  b: guid: '%b'\n  c:%b\n  d: %b" % (OTHER, OTHER, OTHER, OTHER[::-1]),
    b'{"m_ObjectId": "%b", "m_Id": "%b"}\n"m_Id": "%b' % (OTHER, OTHER, OTHER[::-1]),
    b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0123456789abcdef" * 4 + b"\nsize 12345\n",
    b"x" * 130,
    b"\xef\xbb\xbf%YAML 1.1\n",
)
FORMS = (
    b"timeCreated: 1547634727",
    b"timeCreated: 1547634727\n",
    b"timeCreated: 123456789012345678901\n",
    b"folderAsset: yes\ntimeCreated: 12\nlicenseType: Pro\nDefaultImporter:\n" + TAILS[0],
    b"folderAsset: yes\ntimeCreated: 12\nDefaultImporter:\n" + TAILS[0],
    b"folderAsset: yes\n",
    b"labels:\n- One\nNativeFormatImporter:\n" + TAILS[0],
    b"NativeFormatImporter:\n  mainObjectFileID: 100100000\n" + TAILS[0],
    b"NativeFormatImporter:\n  mainObjectFileID:  5\n" + TAILS[0],
    b"NativeFormatImporter:\n  mainObjectFileID: x\n  mainObjectFileID: -1102\n" + TAILS[0],
    b"NativeFormatImporter:\n  mainObjectFileID: 9223372036854775808\n" + TAILS[0],
    b"ModelImporter:\n  externalObjects:\n  - first:\n      name: a\n    second: {fileID: 2100000, guid: %b, type: 2}\n"
    % OTHER.upper()
    + TAILS[0],
    b"ModelImporter:\n  a: {fileID: 1, guid: %b, type: 2}\n  referencedClips:\n  - %b\n" % (OTHER, OTHER) + TAILS[0],
    b"ModelImporter:\n  a: {fileID: 1, guid: %b\n  hash: %b0\n" % (OTHER, OTHER) + TAILS[0],
    b"ModelImporter:\n  a: {fileID: 1, guid:  %b, type: 2}\n" % OTHER + TAILS[0],
    b"ModelImporter:\n  a: {fileID: 0, guid: 00000000000000000000000000000000, type: 0}\n" + TAILS[0],
    b"ModelImporter:\n  hash: %b\n" % OTHER + TAILS[0],
    b"ModelImporter:\n  a: {fileID: 1, guid: , type: 2}\n" + TAILS[0],
    b"TextureImporter:\n  spriteMode:  1\n  textureType: 8\n" + TAILS[0],
    b"TextureImporter:\n  textureType: 8\n  textureShape: 8\n  spriteMode: 1\n" + TAILS[0],
    b"TextureImporter:\n  spriteMode: -1\n  textureType: 8\n" + TAILS[0],
    b"TextureImporter:\n  spriteMode: 1\n  generateCubemap: 6\n  textureType: 8\n  textureShape: 1\n" + TAILS[0],
    b"TextureImporter:\n  spriteMode: 1\n  generateCubemap: 6\n" + TAILS[0],
    b"TextureImporter:\n  hash: %b\n" % OTHER + TAILS[0],
    b"PluginImporter:\n  platformData:\n  - first:\n      : Any\n" + TAILS[0],
    b"Importer: {}\n" + TAILS[0],
    b"guid: %b\nDefaultImporter:\n" % OTHER + TAILS[0],
    b"DefaultImporter:\n  userData: \n",
    b"folderAsset: yes\ntimeCreated: 12\nlicenseType: Pro\nDefaultImporter:\n  userData: \n  assetBundleName: \n",
    b"DefaultImporter:\n  externalObjects: {}\n  userData: ''\n  assetBundleName: ''\n  assetBundleVariant: ''\n",
)


def sheet(chosen: random.Random) -> bytes:
    """Return the importer of a texture with sprites, mostly as Unity writes it."""
    count = chosen.randrange(5)
    odd = chosen.random() < 0.5
    names = [chosen.choice(SPRITE_NAMES) if odd else b"s_%d" % number for number in range(count)]
    ids = [chosen.choice(SPRITE_IDS) if odd else b"%d" % chosen.randrange(-(2**63), 2**63) for _ in range(count)]
    rows = b"".join(SPRITE % row for row in zip(names, ids, strict=True))
    table = b"".join(b"  - first:\n      213: %b\n    second: %b\n" % row for row in zip(ids, names, strict=True))
    named = b"".join(b"      %b: %b\n" % row for row in zip(names, ids, strict=True))
    return (
        b"TextureImporter:\n"
        + chosen.choice((b"", b"  internalIDToNameTable:\n" + table, b"  internalIDToNameTable: []\n"))
        + b"  externalObjects: {}\n"
        + chosen.choice((b"", b"  generateCubemap: 6\n"))
        + b"  spriteMode: %d\n" % chosen.choice((0, 1, 2, 2, 2, 3))
        + chosen.choice((b"  textureType: 8\n", b"  textureType: 0\n", b""))
        + chosen.choice((b"  textureShape: 1\n", b"  textureShape: 2\n", b""))
        + b"  spriteSheet:\n    serializedVersion: 2\n    sprites:\n"
        + rows
        + b"    outline: []\n"
        + chosen.choice((b"", b"    spriteID: %b\n    internalID: 0\n" % OTHER))
        + chosen.choice((b"", b"    nameFileIdTable:\n" + named))
        + chosen.choice((b"", b"  spritePackingTag: \n", b'  mipmaps:\n    a: "x"\n'))
    ) + chosen.choice(TAILS)


def importer(name: str, chosen: random.Random) -> bytes:
    usual = {
        "png": b"TextureImporter",
        "prefab": b"PrefabImporter",
        "cs": b"MonoImporter",
        "txt": b"TextScriptImporter",
    }
    form = chosen.randrange(8)
    if form == 0:
        return chosen.choice(IMPORTERS)
    if form == 1 or (name.endswith(".png") and form < 5):
        return sheet(chosen)
    own = usual.get(name.rpartition(".")[2], b"NativeFormatImporter")
    if form == 7:
        return chosen.choice(FORMS)
    main = b"  mainObjectFileID: %d\n" % chosen.choice((2100000, 11400000, 100100000, 0, 7)) if form < 5 else b""
    times = b"timeCreated: %d\nlicenseType: Pro\n" % chosen.randrange(10**9) if form == 2 else b""
    return times + own + b":\n  externalObjects: {}\n" + main + chosen.choice(TAILS[:1] * 6 + TAILS)


def damaged(data: bytes, chosen: random.Random) -> bytes:
    """Return a file with a byte more, less or another, or none of these."""
    form = chosen.randrange(30)
    place = chosen.randrange(len(data) + 1)
    if form == 0:
        return data[:place] + chosen.choice((b"\r", b"\n", b" ", b"'", b'"', b"<", b"\0", b":", b"9")) + data[place:]
    if form == 1:
        return data[:place] + data[place + 1 :]
    return data[:place] if form == 2 else data


def plant(folder: Path, chosen: random.Random, numbers: Iterator[int], depth: int = 0) -> None:
    """Write a tree of assets."""
    folder.mkdir(parents=True, exist_ok=True)
    for _ in range(chosen.randrange(6)):
        number = next(numbers)
        stem = chosen.choice(NAMES[:5] if chosen.random() < 0.8 else NAMES)
        ending = chosen.choice(
            (
                *("mat", "prefab", "asset", "png", "unity", "controller", "cs", "shadergraph", "Mat", "asmdef", "dll"),
                *("fbx", "uss", "xyz", "anim"),
            )
        )
        name = f"{stem}{number}.{ending}" if len(stem) < 100 else f"{stem[:200]}.{ending}"
        data = chosen.choice(sorted((*CONTENTS.values(), *OTHER_CONTENTS)))
        if chosen.random() < 0.7:
            data = chosen.choice((MATERIAL, YAML)) + b"".join(chosen.choices(LINES, k=chosen.randrange(12)))
        head = b"fileFormatVersion: 2\nguid: %032x\n" % (number * 0x1234567890ABCDEF1234567890ABCDEF % 2**128)
        head = b"\xef\xbb\xbf" + head if chosen.random() < 0.05 else head
        put(folder / name, damaged(data * (30 if chosen.random() < 0.05 else 1), chosen))
        if chosen.random() < 0.95:
            put(folder / f"{name}.meta", damaged(head + importer(name, chosen), chosen))
    if chosen.random() < 0.05:
        (folder / "link.mat").symlink_to("a.mat")  # which is rarely there
    for name in chosen.sample(FOLDERS, k=chosen.randrange(3) if depth < 3 else 0):
        plant(folder / name, chosen, numbers, depth + 1)
        head = b"fileFormatVersion: 2\nguid: %032x\nfolderAsset: yes\nDefaultImporter:\n" % next(numbers)
        if chosen.random() < 0.9:
            put(folder / f"{name}.meta", damaged(head + TAILS[0], chosen))


def put(path: Path, data: bytes) -> None:
    path.write_bytes(data)


@pytest.mark.parametrize("case", long_after(1, range(20)))
def test_random_trees_are_read_alike(tmp_path: Path, native: ModuleType, case: int) -> None:
    assert native_module() is native
    for seed in range(case * TREES_IN_A_CASE, (case + 1) * TREES_IN_A_CASE):
        root = tmp_path / str(seed)
        chosen = random.Random(seed)
        numbers = iter(range(1, 10_000))
        plant(root / "Assets", chosen, numbers)
        if chosen.random() < 0.3:
            plant(root / "Packages" / "com.acme.tools", chosen, numbers)
        limits = chosen.choice([{}, {}, {"largest_meta": 400}, {"largest_asset": 100}, {"check_stat": "minimal"}])
        assert_same(root, **limits)
        shutil.rmtree(root)


@pytest.mark.long
@pytest.mark.corpus(*crate.CORPORA)
@pytest.mark.parametrize("name", crate.PROJECTS)
def test_public_projects_are_read_alike(corpus: Path, native: ModuleType, name: str) -> None:
    assert native_module() is native
    assert_same(corpus / "unity" / name)


def test_files_as_young_as_the_scan_are_not_trusted(tmp_path: Path, native: ModuleType) -> None:
    assert native_module() is native
    plant(tmp_path / "Assets", random.Random(3), iter(range(1, 100)))
    for young in sorted((tmp_path / "Assets").rglob("*.meta"))[::2]:
        os.utime(young, ns=(5_000_000_000, 5_000_000_000))
    for since in (1, time.time_ns(), 5_010_000_000):
        assert_same(tmp_path, since=since)


TEXTURE = b"TextureImporter:\n  spriteMode: 1\n  textureType: 8\n"
MODEL = b"ModelImporter:\n  externalObjects:\n  - second: {fileID: 2100000, guid: %b, type: 2}\n" % OTHER
PREFAB = b"--- !u!1 &9\nGameObject:\n  m_Name: y\n--- !u!1001 &100100000\nPrefab:\n  m_RootGameObject: {fileID: 9}\n"
STATES = b"--- !u!91 &9100000\nAnimatorController:\n  m_Name: a\n--- !u!1102 &-7\nAnimatorState:\n  m_Name: Run (2)\n"
USUAL = {
    "plain.mat": (CONTENTS["plain.mat"], b"NativeFormatImporter:\n  mainObjectFileID: 2100000\n"),
    "refers.mat": (CONTENTS["refers.mat"], b"NativeFormatImporter:\n"),
    "script.asset": (CONTENTS["script.asset"], b"NativeFormatImporter:\n  mainObjectFileID: 11400000\n"),
    "rows.asset": (CONTENTS["rows.asset"], b"NativeFormatImporter:\n  mainObjectFileID: 0\n"),
    "second.asset": (
        YAML + b"--- !u!21 &5\nMaterial:\n  m_Name: x\n" + CONTENTS["script.asset"].removeprefix(YAML),
        b"NativeFormatImporter:\n  mainObjectFileID: 11400000\n",
    ),
    "states.controller": (YAML + STATES, b"NativeFormatImporter:\n  mainObjectFileID: 9100000\n"),
    "old.prefab": (YAML + PREFAB, b"NativeFormatImporter:\n  mainObjectFileID: 100100000\n"),
    "prefab.prefab": (CONTENTS["prefab.prefab"], b"PrefabImporter:\n"),
    "picture.png": (b"\x89PNG", TEXTURE),
    "cube.png": (b"\x89PNG", TEXTURE + b"  textureShape: 2\n"),
    "sheet.png": (b"\x89PNG", b"TextureImporter:\n" + SHEET % b"b"),
    "model.fbx": (b"Kaydara", MODEL),
    "small.cs": (b"x" * 130, b"MonoImporter:\n"),
    "head.xyz": (b"{}", b"DefaultImporter:\n"),
    "own.asmdef": (b'{"references": ["GUID:%b"]}' % OTHER, b"AssemblyDefinitionImporter:\n"),
    "style.uss": (OTHER_CONTENTS[2], b"ScriptedImporter:\n"),
    "scalar.asset": (CONTENTS["script.asset"] + b"  m_GUID: %b\n" % OTHER[::-1], b"NativeFormatImporter:\n"),
    "scene.unity": (CONTENTS["scene.unity"] + b"  m_SceneGUID: %032x\n" % 0, b"DefaultImporter:\n"),
}
WITHOUT_IMPORTER = {
    "time.cs": b"timeCreated: 1547634727",
    "time.mat": b"timeCreated: 1547634727\n",
    "nothing.cs": b"",
    "cut.cs": None,
}


def put_usual(folder: Path) -> None:
    folder.mkdir()
    for number, (name, (data, own)) in enumerate(USUAL.items(), 1):
        put(folder / name, data)
        put(folder / f"{name}.meta", b"fileFormatVersion: 2\nguid: %032x\n" % number + own + TAILS[0])
    for number, (name, own) in enumerate(WITHOUT_IMPORTER.items(), 100):
        put(folder / name, MATERIAL)
        head = b"fileFormatVersion: 2\nguid: %032x" % number
        put(folder / f"{name}.meta", head if own is None else head + b"\n" + own)
    for number, times in enumerate((b"", b"timeCreated: 12\nlicenseType: Pro\n"), 200):
        (folder / f"Sub{number}").mkdir()
        own = b"fileFormatVersion: 2\nguid: %032x\nfolderAsset: yes\n" % number + times + b"DefaultImporter:\n"
        put(folder / f"Sub{number}.meta", own + TAILS[0])


def test_usual_assets_are_known_without_python(
    tmp_path: Path, native: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert native_module() is native
    put_usual(tmp_path / "Assets")
    since = time.time_ns() + 60_000_000_000
    pure = read(tmp_path, since=since, way=PURE, roots=ROOTS[:1])
    monkeypatch.setattr(DirectoryReader, "read", None)  # whatever is left to it fails
    for name in ("meta", "row", "references", "without_metas"):
        monkeypatch.setattr(Judge, name, None)
    for way in (IN_THREADS, HERE):
        assert read(tmp_path, since=since, way=way, roots=ROOTS[:1]).directories == pure.directories
    assert pure.directories[b"Assets"].pair_count == len(USUAL) + len(WITHOUT_IMPORTER)
    assert not pure.directories[b"Assets"].file_diagnostics


POINTER = next(data for data in OTHER_CONTENTS if data.startswith(b"version"))
TOLD = {
    "pointer.unity": (POINTER, b"DefaultImporter:\n"),
    "pointer.asset": (POINTER, b"NativeFormatImporter:\n  mainObjectFileID: 11400000\n"),
    "pointer.mat": (POINTER, b"NativeFormatImporter:\n"),
    "empty.mat": (b"", b"NativeFormatImporter:\n"),
    "text.mat": (b"hello", b"NativeFormatImporter:\n"),
    "binary.asset": (CONTENTS["binary.asset"], b"NativeFormatImporter:\n"),
    "twice.asset": (CONTENTS["twice.asset"], b"NativeFormatImporter:\n"),
    "other.mat": (MATERIAL, b"NativeFormatImporter:\n  mainObjectFileID: 7\n"),
    "misfit.cs": (b"", b"TextScriptImporter:\n"),
}


def test_assets_of_which_something_is_told_are_not_read_again(
    tmp_path: Path, native: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert native_module() is native
    for place in ("Assets", "Assets/Two.plugin"):
        folder = tmp_path / place
        folder.mkdir()
        for number, (name, (data, own)) in enumerate(TOLD.items(), len(place) * 100):
            mark = b"\xef\xbb\xbf" if number % 2 else b""
            put(folder / name, data)
            put(folder / f"{name}.meta", mark + b"fileFormatVersion: 2\nguid: %032x\n" % number + own + TAILS[0])
        put(folder / "alone.txt", b"")
        put(folder / "\u00fcber.txt", b"")
    put(tmp_path / "Assets/Two.plugin.meta", b"fileFormatVersion: 2\nguid: %032x\nfolderAsset: yes\n" % 7)
    (tmp_path / "Assets" / "Lone").mkdir()
    since = time.time_ns() + 60_000_000_000
    pure = read(tmp_path, since=since, way=PURE, roots=ROOTS[:1])
    whole = DirectoryReader.read

    def read_else(reader: DirectoryReader, path: bytes, *rest: Any, **options: Any) -> object:  # noqa: ANN401 - handed through
        assert path == b"Assets/Two.plugin"  # Python reads plug-ins
        return whole(reader, path, *rest, **options)

    monkeypatch.setattr(DirectoryReader, "read", read_else)
    for way in (IN_THREADS, HERE):
        assert read(tmp_path, since=since, way=way, roots=ROOTS[:1]).directories == pure.directories
    found = pure.directories[b"Assets"]
    codes = [each.code for each in decode(found.file_diagnostics)]
    assert len(codes) == len(TOLD) + len(TOLD) // 2, codes
    assert [each.path for each in decode(found.listing_diagnostics)] == [
        "Assets/Lone/",
        "Assets/alone.txt",
        "Assets/\u00fcber.txt",
    ]


def test_what_threads_leave_is_read_with_the_module_here(
    tmp_path: Path, native: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = random.Random(11)
    numbers = iter(range(1, 10_000))
    for number in range(30):
        plant(tmp_path / "Assets" / str(number), chosen, numbers, depth=2)
    since = time.time_ns() + 60_000_000_000
    pure = read(tmp_path, since=since, way=PURE)
    left: list[list[bytes]] = []

    class Leaving:
        def __init__(self, *given: object) -> None:
            self._walk = walk(*given)
            self.push, self.take, self.close = self._walk.push, self._walk.take, self._walk.close

        def asked(self) -> int:
            return self._walk.asked() + 10_000

        def leave(self) -> list[bytes]:
            left.append(self._walk.leave())
            return left[-1]

    walk = native.Walk
    monkeypatch.setattr(native, "Walk", Leaving)
    monkeypatch.setattr("assetdb.scan.native._SAMPLE", 0)
    monkeypatch.setattr("assetdb.scan.workers.can_fork", lambda: True)
    reader = DirectoryReader(os.fsencode(tmp_path), since_ns=since, may_change_directory=False)
    found = scan(ROOTS, {}, reader, workers=2, fork_after=10_000)
    reader.close()
    assert found.directories == pure.directories
    assert len(left) == 1
    assert set(left[0]) <= set(pure.directories)


def test_a_judge_that_fails_leaves_all_to_python(
    tmp_path: Path, native: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert native_module() is native
    plant(tmp_path / "Assets", random.Random(5), iter(range(1, 100)))

    def fails(*_: object) -> object:
        raise ValueError

    for name in ("meta", "plan", "row", "references", "type_key", "without_metas"):
        with monkeypatch.context() as patch:
            patch.setattr(Judge, name, fails)
            assert_same(tmp_path)


def test_a_panic_is_told_once_and_python_reads_on(
    native: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def without_limit(kind: Callable[..., Any]) -> Callable[..., Any]:
        return lambda judges, given: kind(judges, (*given[:2], (2**64 - 1, 2**64 - 1), *given[3:]))

    for name in ("Walk", "FolderReader"):
        monkeypatch.setattr(native, name, without_limit(getattr(native, name)))
    with memory_folder() as root:
        plant(root / "Assets", random.Random(7), iter(range(1, 100)))
        for number, name in enumerate(("One/a.mat", "One/b.mat", "Two/a.mat", "Two/b.mat")):
            path = root / "Assets" / name
            path.parent.mkdir(exist_ok=True)
            put(path, MATERIAL)
            own = b"fileFormatVersion: 2\nguid: %032x\nNativeFormatImporter:\n" % (number + 200)
            put(path.with_name(f"{path.name}.meta"), own + TAILS[0])
            if path.stem == "b":
                enlarge(path)
        results = assert_same(root)
    for found in results:
        assert found.directories[b"Assets/One"].pair_count == found.directories[b"Assets/Two"].pair_count == 2
    told = capfd.readouterr().err
    assert told.count("assetdb: the native module failed at ") == 1, told
    assert len(told.splitlines()) == 1, told


@contextmanager
def memory_folder() -> Iterator[Path]:
    """Yield a folder in memory, where files of any size can be made."""
    if sys.platform == "win32" or not os.access(IN_MEMORY, os.W_OK):  # Wine shows the folder of its host
        pytest.skip("there is no folder in memory")
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        yield Path(folder)


def enlarge(path: Path) -> None:
    """Give a file more bytes than a process can have."""
    try:
        os.truncate(path, 2**63 - 1)
    except OSError as error:
        pytest.skip(f"no file is as large here: {error}")


def test_a_module_of_another_version_is_told_and_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    other = ModuleType("assetdb._native")
    other.VERSION = "0.0.9"  # type: ignore[attr-defined]  # as the module has
    use(other, monkeypatch)
    assert native_module() is None
    assert described_version().endswith("the native module is of 0.0.9 and is not used)")
    other.VERSION = VERSION  # type: ignore[attr-defined]  # the same
    assert native_module() is other
    assert described_version().endswith(" (native)")


def test_a_module_that_cannot_be_loaded_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "assetdb._native", raising=False)
    monkeypatch.delattr(assetdb, "_native", raising=False)
    (tmp_path / FILE_NAME).write_bytes(b"no library")
    monkeypatch.setattr(assetdb, "__path__", [str(tmp_path)])
    monkeypatch.setattr("assetdb.version._NATIVE_FILE", str(tmp_path / FILE_NAME))
    assert native_module() is None
    assert "; the native module cannot be loaded: " in described_version()
