"""How long does Unity's main thread wait when the package tells the daemon what was written?

    python -m scripts.bench.editor_changes [--changes 10000] [--at-once 1,50,500]

Needs mono (``apt-get install mono-mcs mono-runtime``) and Linux. A program plays the editor: it changes files of a
small project and calls the package's postprocessor after each burst, on its main thread; only the call is timed, by the
clock and by the thread's processor time. What the machine itself does to a thread shows in the control: 20 us of doing
nothing, by the clock. The peer, in turns with it, is what a hook without a thread of its own would do: send ``changed``
on an open connection and wait for the answer.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

from scripts.arguments import Given, script
from scripts.bench.measuring import spread
from tests.editor.mono import EDITOR, add_player, compile_package
from tests.editor.player import Player
from tests.system.watch.daemons import make

ROUNDS = 4


def measure(editor: Player, changes: int, size: int) -> None:
    """Measure bursts of one size, and print how long they and their peers take."""
    own: list[float] = []
    processor: list[float] = []
    control: list[float] = []
    waiting: list[float] = []
    for _ in range(ROUNDS):
        found = editor.do("burst", changes=changes // ROUNDS, at_once=size)
        own += numbers(found["microseconds"])
        processor += numbers(found["processor"])
        control += numbers(found["control"])
        editor.do("idle")
        waiting += numbers(editor.do("burst", changes=changes // ROUNDS, at_once=size, waiting=True)["microseconds"])
    print(f"{size:,} changes at once, {len(own)} sends")
    for what, times in (
        ("main thread, by the clock", own),
        ("main thread, its own time", processor),
        ("20 us of doing nothing", control),
        ("waiting for the daemon", waiting),
    ):
        print(f"  {what:26} {spread(times, 1, 'us', 0)}")
    print(f"  ratio of the medians       {median(waiting) / median(own):.0f}")


def numbers(texts: object) -> list[float]:
    """Return what the player measured."""
    return [float(text) for text in texts] if isinstance(texts, list) else []


@script(__doc__, changes=10_000, at_once="1,50,500")
def main(given: Given) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        assemblies = Path(folder, "assemblies")
        assemblies.mkdir()
        build = compile_package(assemblies, EDITOR)
        add_player(build)
        project = make(Path(folder))
        try:
            project.start()
            with Player(build, project) as editor:
                for size in map(int, given.at_once.split(",")):
                    measure(editor, min(given.changes, 200 * size), size)
        finally:
            project.end()
