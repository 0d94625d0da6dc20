"""What does it cost to look into an asset, and to ask as an assistant does?

    python -m scripts.bench.contents PROJECT [--runs 15]

`ls --depth 1` and `ls` of the largest scene, and `get` of one of its objects, in interpreter starts above a bake that
changes nothing; the start of `assetdb mcp` to its first answer, in starts. Then a daemon is started, and a tool's call
is compared with the daemon's own method. The project's output goes to a folder of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import assetdb
from scripts.bench.measuring import environment, in_turns, median
from tests.assetdb.mcp.assistant import FIRST, Assistant

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS = 50


def command(*words: str) -> list[str]:
    """Return a command of this checkout's assetdb."""
    return [sys.executable, "-m", "assetdb", *words]


def server(project: str, out: str) -> subprocess.Popen[bytes]:
    """Start the server for assistants."""
    return subprocess.Popen(
        command("mcp", "--project", project),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**environment(), "ASSETDB_OUT_DIR": out},
    )


def answer(assistant: Assistant, method: str, params: dict[str, Any]) -> float:
    """Ask, and return the seconds until the answer was there."""
    started = time.perf_counter()
    found = assistant.ask(method, params)
    if "error" in found or found["result"].get("isError"):
        raise SystemExit(f"{method}: {found}")
    return time.perf_counter() - started


def first_answer(project: str, out: str) -> float:
    """Return the seconds from the start of the server to its first answer."""
    started = time.perf_counter()
    with server(project, out) as process:
        answer(Assistant(process), "initialize", FIRST)
        wall = time.perf_counter() - started
        if process.stdin is not None:
            process.stdin.close()
    return wall


def tool_calls(
    project: str, out: str, tool: str, arguments: object, method: Callable[[assetdb.Client], object]
) -> tuple[float, float]:
    """Return the median seconds of a tool's call, and of the daemon's own method."""
    call = {"name": tool, "arguments": arguments}
    with server(project, out) as process, assetdb.Client.connect(project) as client:
        assistant = Assistant(process)
        answer(assistant, "initialize", FIRST)
        answer(assistant, "tools/call", call)
        method(client)
        tools, methods = [], []
        for _ in range(CALLS):
            tools.append(answer(assistant, "tools/call", call))
            started = time.perf_counter()
            method(client)
            methods.append(time.perf_counter() - started)
        if process.stdin is not None:
            process.stdin.close()
    return statistics.median(tools), statistics.median(methods)


def main() -> int:
    """Measure one project."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project")
    parser.add_argument("--runs", type=int, default=15)
    arguments = parser.parse_args()
    root = os.path.abspath(arguments.project)
    scenes = [path for path in Path(root, "Assets").rglob("*.unity") if path.read_bytes().startswith(b"%YAML")]
    scene = max(scenes, key=lambda path: path.stat().st_size)
    with tempfile.TemporaryDirectory() as out:
        os.environ["ASSETDB_OUT_DIR"] = out
        place = ("--project", root, "--quiet")
        subprocess.run(command("bake", "--keep-going", *place), check=False, stdout=subprocess.DEVNULL)
        time.sleep(1)  # what was written is told from what it becomes
        path = scene.relative_to(root).as_posix()
        listed = subprocess.run(command("ls", path, "--json", *place), check=True, capture_output=True).stdout
        some = json.loads(listed.splitlines()[-1])
        looks = [
            [sys.executable, "-c", "pass"],
            command("bake", "--keep-going", *place),
            command("ls", path, "--depth", "1", *place),
            command("ls", path, *place),
            command("get", f"{some['guid']}:{some['file_id']}", *place),
        ]
        start, same, *rest = (median(column).wall for column in in_turns(looks, arguments.runs))
        print(f"{path}: {scene.stat().st_size / 1e6:.1f} MB, {len(listed.splitlines()):,} objects")
        print(f"bare start {start * 1000:.1f} ms, a bake that changes nothing {same * 1000:.0f} ms")
        for name, wall in zip(("ls --depth 1", "ls", "get"), rest, strict=True):
            print(f"{name:14}{wall * 1000:7.0f} ms = a look at the tree + {(wall - same) / start:5.1f} starts")
        first = statistics.median(first_answer(root, out) for _ in range(arguments.runs))
        print(f"mcp, to its first answer {first * 1000:.0f} ms = {first / start:.1f} starts")
        subprocess.run(command("watch", "--detach", *place), check=True, stdout=subprocess.DEVNULL)
        try:
            asset = some["guid"]
            asked: tuple[tuple[str, object, Callable[[assetdb.Client], object]], ...] = (
                ("name", {"queries": [asset]}, lambda client: client.resolve([asset])),
                ("usages", {"query": asset}, lambda client: client.usages(asset)),
                ("find", {"pattern": "*.mat"}, lambda client: client.find("*.mat")),
                ("check", {}, lambda client: client.check()),
            )
            for tool, arguments, method in asked:
                call, own = tool_calls(root, out, tool, arguments, method)
                print(f"{tool:8} as a tool {call * 1000:.2f} ms, as a method {own * 1000:.2f}: {call / own:.2f}")
        finally:
            subprocess.run(command("stop", *place), check=False, stdout=subprocess.DEVNULL)
    return 0


if __name__ == "__main__":
    sys.exit(main())
