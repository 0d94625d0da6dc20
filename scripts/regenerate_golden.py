"""Bake ``fixtures/unity_project/`` and keep what it became: ``fixtures/golden/asset-db.bin`` and its readable dump.

    python -m scripts.regenerate_golden

A change of the bake then shows in the diff of ``asset-db.dump.txt``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from assetdb import bake
from assetdb.store.dump import lines
from scripts.fixture import FIXTURE, GOLDEN


def golden(project: str = str(FIXTURE)) -> dict[str, bytes]:
    """Return the golden files of a project by name."""
    with tempfile.TemporaryDirectory() as folder:
        result = bake(project, folder, keep_going=True)
        data = Path(result.database).read_bytes()
    dump = "".join(f"{line}\n" for line in lines(data))
    found = "".join(f"{item}\n" for item in result.diagnostics)
    return {"asset-db.bin": data, "asset-db.dump.txt": dump.encode(), "diagnostics.txt": found.encode()}


def main() -> None:
    """Write the golden files."""
    GOLDEN.mkdir(exist_ok=True)
    for name, data in golden().items():
        (GOLDEN / name).write_bytes(data)
        print(f"{len(data):,} bytes -> {GOLDEN / name}")


if __name__ == "__main__":
    main()
