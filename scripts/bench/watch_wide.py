"""How soon is a new asset of a wide folder in a daemon's answers, compared with a bake that changes nothing?

    python -m scripts.bench.watch_wide [--assets 100000] [--edits 7]

Makes a project of one folder in a temporary directory, adds one asset after the other, and prints the median wait of
``sync`` beside the time of the bake.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from scripts.bench.measuring import in_turns, median
from scripts.bench.watch import assetdb_command, daemon

META = "fileFormatVersion: 2\nguid: {:032x}\nTextScriptImporter:\n"


def add(folder: Path, name: str, number: int) -> None:
    """Add an asset and its meta."""
    (folder / name).write_text("x")
    (folder / f"{name}.meta").write_text(META.format(number))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assets", type=int, default=100_000)
    parser.add_argument("--edits", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="assetdb-wide-") as scratch:
        project = Path(scratch)
        folder = project / "Assets" / "Wide"
        folder.mkdir(parents=True)
        (project / "ProjectSettings").mkdir()
        for number in range(arguments.assets):
            add(folder, f"f{number}.txt", number + 1)
        bake = assetdb_command("bake", "--project", str(project), "--keep-going")
        unchanged = median(in_turns([bake], 3)[0]).wall
        waits = []
        with daemon(project) as client:
            for number in range(arguments.edits):
                add(folder, f"new{number}.txt", (1 << 100) + number)
                started = time.perf_counter()
                client.sync()
                waits.append(time.perf_counter() - started)
                time.sleep(1.0)
    wait = statistics.median(waits)
    print(f"sync {wait:.3f} s, unchanged bake {unchanged:.3f} s, ratio {wait / unchanged:.2f}")


if __name__ == "__main__":
    main()
