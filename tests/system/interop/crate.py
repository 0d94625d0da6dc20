"""The Rust crate unity-assetdb 0.2.0: its command, its reader, and its private cache."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from assetdb.store.entry import Asset, SubAsset
from assetdb_formats.codecs.bincode import Decoder

HERE = Path(__file__).resolve().parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or HERE / "target")  # several checkouts may share what is compiled
CACHE_MAGIC = b"UADCACHE"

# All projects of the corpus: folders with both Assets/ and ProjectSettings/.
PROJECTS = (
    *(f"Addressables-Sample/Advanced/{name}" for name in ("Addressable Variants", "CustomAnalyzeRule")),
    *(f"Addressables-Sample/Advanced/{name}" for name in ("On-Demand Resources", "Play Asset Delivery")),
    *(f"Addressables-Sample/Basic/{name}" for name in ("Basic AssetReference", "ComponentReference", "Scene Loading")),
    *(f"Addressables-Sample/Basic/{name}" for name in ("SpaceShooter", "Sprite Land")),
    "BoatAttack",
    *(f"EntityComponentSystemSamples/Dots101/{name}" for name in ("ContentManagement101", "Entities101", "Jobs101")),
    *(f"EntityComponentSystemSamples/Dots101/{name}" for name in ("Netcode101", "OtherSamples/DotsUI", "Physics101")),
    "EntityComponentSystemSamples/EntitiesSamples",
    *(f"EntityComponentSystemSamples/GraphicsSamples/{name}" for name in ("HDRPSamples", "URPSamples")),
    *(f"EntityComponentSystemSamples/{name}" for name in ("NetcodeSamples", "PhysicsSamples")),
    "FPSSample",
    "Mirror",
    *(f"PhysicsExamples2D/{name}" for name in ("OldPhysics2D", "Primer", "Sandbox", "Snippets")),
    "Pinpoint",
    "UnityPlayground",
    "daggerfall-unity",
    "unity-explorer/Explorer",
    "unitystation/UnityProject",
)
CORPORA = tuple(f"unity/{name}" for name in sorted({project.partition("/")[0] for project in PROJECTS}))


@cache
def _reader() -> Path | str:
    cargo = shutil.which("cargo")
    if cargo is None:
        return "cargo is not installed"
    # The lock file, where there is one, settles the crate's own dependencies.
    found = subprocess.run(
        [cargo, "build", "--release", "--quiet", "--manifest-path", str(HERE / "Cargo.toml")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "CARGO_TARGET_DIR": str(TARGET)},
    )
    if found.returncode:
        return f"cargo cannot build the reader: {found.stderr.strip()[-300:]}"
    return TARGET / "release" / ("read-asset-db.exe" if os.name == "nt" else "read-asset-db")


def reader() -> Path:
    """Return the program that reads a database with the crate; skips where it cannot be built."""
    found = _reader()
    if isinstance(found, str):
        pytest.skip(found)
    return found


def command() -> str:
    """Return the crate's own command; skips where it is not installed."""
    found = shutil.which(
        "unity-assetdb", path=os.pathsep.join((os.environ.get("PATH", ""), str(Path("~/.cargo/bin").expanduser())))
    )
    if found is None:
        pytest.skip("unity-assetdb is not installed: cargo install unity-assetdb --version 0.2.0")
    return found


def bake(project: Path, out: Path) -> str:
    """Bake a project with the crate; return what it says when it refuses, else an empty text."""
    found = subprocess.run(
        [command(), "bake", "--project", str(project), "--out-dir", str(out)],
        capture_output=True,
        check=False,
    )
    return found.stderr.decode("utf-8", "replace").strip() if found.returncode else ""


def entries(path: Path) -> list[Asset]:
    """Return the entries of a database as the crate reads them."""
    found = subprocess.run([str(reader()), str(path)], capture_output=True, check=True)
    assets: list[Asset] = []
    for line in found.stdout.decode("ascii").splitlines():
        fields = line.split("\t")
        if fields[0]:
            guid, kind, value, name, hint = fields
            class_id, script = (int(value), "") if kind == "class" else (114, value)
            assets.append(Asset(guid, class_id, script, _text(name), (), _text(hint)))
        else:
            row = SubAsset(int(fields[1]), int(fields[2]), _text(fields[3]))
            assets[-1] = assets[-1]._replace(sub_assets=(*assets[-1].sub_assets, row))
    return assets


def _text(digits: str) -> str:
    return bytes.fromhex(digits).decode("utf-8")


class CachedType(NamedTuple):
    """An asset's type as the crate's cache has it, which its database mixes up."""

    class_id: int
    script: str


def cached_types(path: Path) -> dict[str, CachedType]:
    """Return the types in the crate's ``asset-db.cache.bin`` by path of the asset."""
    data = path.read_bytes()
    assert data.startswith(CACHE_MAGIC)
    decoder = Decoder(data, len(CACHE_MAGIC))
    assert decoder.unsigned() == 6
    found = {}
    for _ in range(decoder.count(8)):
        hint = decoder.string().decode()
        decoder.unsigned()  # times of the meta
        decoder.unsigned()  # and of the asset
        decoder.unsigned()  # GUID
        is_script = decoder.unsigned()
        value = decoder.unsigned()
        found[hint] = CachedType(114, f"{value:032x}") if is_script else CachedType(value, "")
        for _ in range(decoder.count(3)):
            decoder.signed()
            decoder.unsigned()
            decoder.string()
    assert decoder.position == len(data)
    return found
