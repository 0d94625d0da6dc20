"""How fast are bundles read? ``python scripts/bench/bundles.py [casset] [unityfs]``, both without a name."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

_KINDS = ("casset", "unityfs")


def main() -> int:
    """Run the benchmarks of the kinds named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=" or ".join(_KINDS))
    kinds = parser.parse_args().kinds
    if not set(kinds) <= set(_KINDS):
        parser.error(f"kinds are {' and '.join(_KINDS)}")
    for kind in kinds or _KINDS:
        name = f"scripts.bench.bundles_{kind}"
        if find_spec(name) is None:
            print(f"{kind}: no benchmark here")
            continue
        import_module(name).measure()
    return 0


if __name__ == "__main__":
    sys.exit(main())
