"""Broken builds for the fuzz run: small ones of every shape, damaged as they lie or before they are packed."""

from __future__ import annotations

import gzip
import json
import random
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
from scripts.fuzz.running import damaged_build, small_files
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture
from tests.assetdb.builds.scripted import scripted_player
from tests.assetdb_formats.addressables.builder import SETTINGS, make_content, make_layout, write
from tests.assetdb_formats.unityfs import builder

_HASHED = 1 << 40
_IN_AN_APK = "assets/bin/Data/"

Files = dict[str, bytes]
"""The files of a build, by their names in its folder."""


class Shape(NamedTuple):
    """A build: files that are damaged, and how they are packed afterwards."""

    files: Files
    packed: Callable[[Files], Files]


def shapes() -> dict[str, Shape]:
    """Return a build of every shape."""
    player, bundles, catalogs = _files(making.player), _bundles(), _catalogs()
    scripted = _files(scripted_player)
    libraries = {name: data for name, data in scripted.items() if name.startswith("Managed/")}
    serialized = {"CAB-a": player["level0"], "CAB-a.resS": bytes(64)}

    def raw(files: Files) -> Files:
        return files

    def in_bundle(compression: int, block: int = 1 << 17) -> Callable[[Files], Files]:
        return lambda files: {
            "one.bundle": builder.archive(list(files.items()), compression=compression, block=block, info_compression=0)
        }

    def web(files: Files) -> Files:
        return {"Game.data": builder.web_data(files)}

    def packed_web(files: Files) -> Files:
        return {"Game.data.gz": gzip.compress(web(files)["Game.data"], 1)}

    def in_pieces(files: Files) -> Files:
        level = files["level0"]
        cuts = (0, len(level) // 3, len(level) // 2, len(level))
        pieces = {f"level0.split{n}": level[cuts[n] : cuts[n + 1]] for n in range(3)}
        return pieces | {name: data for name, data in files.items() if name != "level0"}

    found = {
        "player": Shape(player, raw),
        "pieces": Shape(player, in_pieces),
        "scripts": Shape(scripted, raw),
        "managed DLL": Shape(libraries, lambda files: scripted | files),
        "bundles": Shape(bundles, raw),
        "catalogs": Shape(bundles | catalogs, raw),
        "stored bundle": Shape(serialized, in_bundle(0)),
        "bundle of LZMA": Shape(serialized, in_bundle(1)),
        "bundle of LZ4": Shape(serialized, in_bundle(2, 200)),
        "data.unity3d": Shape(player, lambda files: {"data.unity3d": in_bundle(2)(files)["one.bundle"]}),
        "web": Shape(player | {"data.unity3d": bundles["t.bundle"]}, web),
        "packed web": Shape(player, packed_web),
        "zip": Shape(player, lambda files: {"game.apk": _zipped(files)}),
        "zip of a bundle": Shape(bundles, lambda files: {"game.apk": _zipped(files)}),
    }
    for kind, data in builder.every_kind().items():
        name = "level0" if kind.startswith(("version", "big", "no")) else "a.bundle"
        found[f"unityfs, {kind}"] = Shape({name: data}, raw)
    return found


def packed(files: dict[str, Shape]) -> dict[str, Files]:
    """Return builds as they lie, nothing broken."""
    return {name: shape.packed(dict(shape.files)) for name, shape in files.items()}


def corpus_shapes(folder: Path) -> dict[str, Shape]:
    """Return the files below a folder, each a build of its own."""
    return {str(path): Shape({path.name: path.read_bytes()}, lambda files: files) for path in small_files(folder)}


def cases(count: int, seed: int, builds: dict[str, Shape]) -> Iterator[Files]:
    """Yield ``count`` broken builds, the same ones for the same ``seed``: half of them broken before they are packed."""
    choice = random.Random(seed)
    whole = packed(builds)
    names = list(builds)
    for _ in range(count):
        name = choice.choice(names)
        if choice.random() < 0.5:
            yield builds[name].packed(damaged_build(builds[name].files, choice, "level0"))
        else:
            yield damaged_build(whole[name], choice, "level0")


def _files(write_player: Callable[[Path], Path]) -> Files:
    with tempfile.TemporaryDirectory() as temporary:
        folder = write_player(Path(temporary) / "Game_Data")
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _bundles() -> Files:
    one, two = "CAB-" + "a" * 32, "CAB-" + "b" * 32
    bark = Texture(_HASHED, "bark", b"brown" * 40, "assets/bark.png")
    trees: list[Texture | Material] = [bark, Material(_HASHED + 1, "oak", ((0, _HASHED), (1, 9)), "assets/oak.mat")]
    rows = (("t", one, trees, 3), ("b", two, [*trees[:1]], 1), ("s", two, [*trees[:1]], 0))
    return {
        f"{name}.bundle": making.bundle(cab, name, assets, (two,), compression=compression)
        for (name, cab, assets, compression) in rows
    }


def _catalogs() -> Files:
    content = make_content()
    flavours = (next(iter(JSON_FLAVOURS.values())), next(iter(BINARY_FLAVOURS.values())))
    found = {
        f"catalog_{number}.{'json' if data[:1] == b'{' else 'bin'}": data
        for number, data in enumerate(write(content, flavour) for flavour in flavours)
    }
    return found | {"buildlayout.json": json.dumps(make_layout()).encode(), "settings.json": SETTINGS.encode()}


def _zipped(files: Files) -> bytes:
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(f"{_IN_AN_APK}{name}"), data, zipfile.ZIP_DEFLATED)
        archive.writestr(zipfile.ZipInfo("../outside"), b"no")
    return target.getvalue()
