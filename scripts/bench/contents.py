"""What does it cost to look into an asset, and to ask as an assistant does?

    python -m scripts.bench.contents PROJECT [--runs 15]

`ls --depth 1` and `ls` of the largest scene, and `get` of one of its objects, in interpreter starts above a bake that
changes nothing; the start of `assetdb mcp` to its first answer, in starts. Then a daemon is started, and a tool's call
is compared with the daemon's own method. The project's output goes to a folder of its own.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from assetdb import Client
from scripts.arguments import Given, script
from scripts.bench.measuring import environment, in_turns, median, medians, run, seconds
from scripts.programs import BARE, assetdb, daemon
from tests.assetdb.mcp.assistant import FIRST, Assistant

CALLS = 50


def server(project: Path, out: str) -> subprocess.Popen[bytes]:
    """Start the server for assistants."""
    variables = {**environment(), "ASSETDB_OUT_DIR": out}
    pipe = subprocess.PIPE
    return subprocess.Popen(assetdb("mcp", project=project), stdin=pipe, stdout=pipe, env=variables)


def ended(process: subprocess.Popen[bytes]) -> None:
    """Have a server end."""
    if process.stdin is not None:
        process.stdin.close()
    process.wait()


def first_answer(project: Path, out: str) -> float:
    """Return the seconds from the start of the server to its first answer."""
    started = time.perf_counter()
    with server(project, out) as process:
        Assistant(process).ask("initialize", FIRST)
        wall = time.perf_counter() - started
        ended(process)
    return wall


def tool_calls(project: Path, out: str, tool: str, asked: dict[str, Any], method: Callable[[], object]) -> list[float]:
    """Return the median seconds of a tool's call, and of the daemon's own method."""
    with server(project, out) as process:
        call = partial(Assistant(process).call, tool, **asked)
        taken = medians({"tool": partial(seconds, call), "method": partial(seconds, method)}, CALLS, warm=1)
        ended(process)
    return list(taken.values())


def questions(client: Client, asset: str) -> tuple[tuple[str, dict[str, Any], Callable[[], object]], ...]:
    """Return tools with their arguments and the daemon's own methods."""
    return (
        ("name", {"queries": [asset]}, lambda: client.resolve([asset])),
        ("usages", {"query": asset}, lambda: client.usages(asset)),
        ("find", {"pattern": "*.mat"}, lambda: client.find("*.mat")),
        ("check", {}, client.check),
    )


@script(__doc__, "project", runs=15)
def main(given: Given) -> None:
    """Measure one project."""
    root = given.project.resolve()
    scenes = [path for path in Path(root, "Assets").rglob("*.unity") if path.read_bytes().startswith(b"%YAML")]
    if not scenes:
        raise SystemExit(f"{root}: has no scene written as text")
    scene = max(scenes, key=lambda path: path.stat().st_size)
    with tempfile.TemporaryDirectory() as out:
        os.environ["ASSETDB_OUT_DIR"] = out

        def command(*words: str) -> list[str]:
            return assetdb(*words, "--quiet", project=root)

        run(command("bake", "--keep-going"), codes=(0, 1))
        time.sleep(1)  # so that a file's time shows that it was changed again
        path = scene.relative_to(root).as_posix()
        listed = run(command("ls", path, "--json"), given="").printed.splitlines()
        some = json.loads(listed[-1])
        looks = [
            BARE,
            command("bake", "--keep-going"),
            command("ls", path, "--depth", "1"),
            command("ls", path),
            command("get", f"{some['guid']}:{some['file_id']}"),
        ]
        start, same, *rest = (median(column).wall for column in in_turns(looks, given.runs))
        print(f"{path}: {scene.stat().st_size / 1e6:.1f} MB, {len(listed):,} objects")
        print(f"bare start {start * 1000:.1f} ms, a bake that changes nothing {same * 1000:.0f} ms")
        for name, wall in zip(("ls --depth 1", "ls", "get"), rest, strict=True):
            print(f"{name:14}{wall * 1000:7.0f} ms = a look at the tree + {(wall - same) / start:5.1f} starts")
        first = statistics.median(first_answer(root, out) for _ in range(given.runs))
        print(f"mcp, to its first answer {first * 1000:.0f} ms = {first / start:.1f} starts")
        with daemon(root) as client:
            for tool, asked, method in questions(client, some["guid"]):
                call, own = tool_calls(root, out, tool, asked, method)
                print(f"{tool:8} as a tool {call * 1000:.2f} ms, as a method {own * 1000:.2f}: {call / own:.2f}")
