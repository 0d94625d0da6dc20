"""``assetdb status``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from assetdb.cli.terminal import print_json, say, shown_path, table
from assetdb.client import control
from assetdb.settings.effective import read_settings
from assetdb.system.durations import duration

if TYPE_CHECKING:
    from assetdb.cli.arguments import DatabaseOptions
    from assetdb.cli.options import Json


def status(options: DatabaseOptions, json: Json = False) -> int:
    """Print the daemon's status; 1 if there is none to ask."""
    settings = read_settings(options.project, options.out_dir)
    state, answer = control.ask_status(settings.root, settings.folder)
    problem = state.problem
    if json:
        fields = {"running": state.running, "problem": problem, "project": settings.root}
        print_json({**fields, **(state.status.fields() if state.status is not None else {}), **answer})
        return 0 if answer else 1
    if not answer:
        missing = f"no daemon is running for {shown_path(settings.root)}"
        message = "the daemon does not answer" if state.running else missing
        advice = "; `assetdb watch --detach` replaces it" if state.running else ""
        say(f"{message}{f': {problem}' if problem else ''}{advice}")
        return 1
    print(table(_rows(answer)))
    return 0


def _rows(answer: dict[str, object]) -> list[tuple[str, str]]:
    started = answer["started"]
    up = int(time.time()) - started if isinstance(started, int) else 0
    rows = [
        ("project", shown_path(str(answer["root"]))),
        ("process", f"{answer['pid']}, version {answer['version']}, up {duration(up)}"),
        ("assets", f"{answer['assets']:,}, {answer['problems']:,} problems"),
        ("clients", f"{answer['clients']}, {answer['subscribers']} subscribed, {answer['requests']:,} requests"),
    ]
    watch = answer["watch"]
    if isinstance(watch, dict):
        rows += [(str(name).replace("_", " "), _shown(value)) for name, value in watch.items() if value != ""]
    return rows


def _shown(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
