from __future__ import annotations

import pkgutil
import subprocess
import sys
from pathlib import Path

import assetdb_formats.casset

ROOT = Path(__file__).resolve().parents[3]


def test_it_needs_nothing_but_the_standard_library() -> None:
    package = assetdb_formats.casset
    names = [module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    assert len(names) > 10
    # -S: no installed packages. xxhash is imported only where a UUID is predicted.
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'formats')!r}); import {', '.join(names)}; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True, capture_output=True, text=True)
    assert not [name for name in found.stdout.split() if name.split(".")[0] in ("assetdb", "xxhash", "msgspec")]
