"""Bake ``fixtures/unity_project/`` and keep what it became: ``fixtures/golden/asset-db.bin`` and its readable dump.

A change of the bake then shows in the diff of ``asset-db.dump.txt``.
"""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Final

CHECKOUT: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if __name__ == "__main__":
    sys.path.insert(0, CHECKOUT)

from assetdb import bake  # noqa: E402 - the checkout's own, not an installed one
from assetdb.store.dump import lines  # noqa: E402 - the same

PROJECT: Final = os.path.join(CHECKOUT, "fixtures", "unity_project")
TARGET: Final = os.path.join(CHECKOUT, "fixtures", "golden")


def golden(project: str = PROJECT) -> dict[str, bytes]:
    """Return the golden files of a project by name."""
    with tempfile.TemporaryDirectory() as folder:
        result = bake(project, folder, keep_going=True)
        with open(result.database, "rb") as file:
            data = file.read()
    dump = "".join(f"{line}\n" for line in lines(data))
    found = "".join(f"{item}\n" for item in result.diagnostics)
    return {
        "asset-db.bin": data,
        "asset-db.dump.txt": dump.encode(),
        "diagnostics.txt": found.encode(),
    }


def main() -> int:
    """Write the golden files."""
    os.makedirs(TARGET, exist_ok=True)
    for name, data in golden().items():
        path = os.path.join(TARGET, name)
        with open(path, "wb") as file:
            file.write(data)
        print(f"{len(data):,} bytes -> {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
