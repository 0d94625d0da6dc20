"""How long do the binary assets of a project take, as a bake, a question and a check read them, beside UnityPy?

    python -m scripts.bench.binary_assets [FOLDER ...] [--rounds 5]

Every SerializedFile below the folders that is an asset by its extension is read, by one process, in turns: its facts as
a bake takes them, the text that questions and ``check`` read, and all its values by UnityPy. The times are of the
processor; the ratios are those of the medians to UnityPy. The folders are the corpus's by default.
"""

from __future__ import annotations

import statistics
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any, Final

from assetdb.unity.binary.asset_facts import binary_facts
from assetdb.unity.binary.opening import LARGEST, as_text
from assetdb.unity.referring.references import binary_references
from scripts.arguments import Given, script
from scripts.bench.measuring import alternately, seconds
from scripts.programs import CORPUS

_EXTENSIONS: Final = {".mat", ".prefab", ".controller", ".anim", ".mixer", ".asset", ".physicmaterial", ".unity"}


def assets(folders: list[Path]) -> list[bytes]:
    """Return the binary assets below the folders."""
    found = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() in _EXTENSIONS and path.is_file() and path.stat().st_size <= LARGEST:
                data = path.read_bytes()
                if data.startswith(b"\0") and any(data[:64]):
                    found.append(data)
    return found


def read_facts(files: list[bytes]) -> None:
    """Read classes, scripts, sub-assets and references."""
    for data in files:
        binary_facts(data, rows=True, declared=(11400000,), stem="x", prefab=False)
        binary_references(data)


def read_texts(files: list[bytes]) -> None:
    """Write each file as text."""
    for data in files:
        as_text(data)


def read_by_peer(unitypy: Any, files: list[bytes]) -> None:  # noqa: ANN401 - UnityPy has no types
    """Read all values with UnityPy."""
    for data in files:
        for item in unitypy.load(data).objects:
            item.read_typetree()


@script(__doc__, "folders*", rounds=5)
def main(given: Given) -> None:
    """Print processor seconds and ratios."""
    files = assets(given.folders or [CORPUS / "unity-says"])
    if not files:
        sys.exit("there is no binary asset in these folders")
    print(f"{len(files):,} binary assets, {sum(map(len, files)) / 1e6:.1f} MB")
    works = {"facts": partial(read_facts, files), "text": partial(read_texts, files)}
    try:
        import UnityPy  # noqa: PLC0415 - an extra
    except ModuleNotFoundError:
        print("UnityPy is not here: pip install 'assetdb[oracle]'")
    else:
        works["UnityPy"] = partial(read_by_peer, UnityPy, files)
    timed = {name: partial(seconds, work, time.process_time) for name, work in works.items()}
    medians = {name: statistics.median(found) for name, found in alternately(timed, given.rounds).items()}
    for name, taken in medians.items():
        ratio = f"{taken / medians['UnityPy']:8.2f} of UnityPy" if "UnityPy" in medians else ""
        print(f"{name:8} {taken:8.3f} s {1e6 * taken / len(files):8.0f} us a file {ratio}")
