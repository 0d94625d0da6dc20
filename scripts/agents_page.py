"""Write the answers in ``docs/agents.md`` from the calls that stand there.

A block of the page has calls, ``> TOOL {ARGUMENTS}``, each with its answer below. They are made in the game that
``tests/assetdb/mcp/guide_project.py`` writes.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

from tests.assetdb.mcp.assistant import assisting  # noqa: E402 - of this checkout
from tests.assetdb.mcp.guide_project import make_game  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PAGE = CHECKOUT / "docs" / "agents.md"
_CALL = re.compile(r"^    > (\w+) (\{.*\})$")
_TASK = re.compile(r"^### (.+)$")


class Task(NamedTuple):
    """A task of the page: its question, and the texts of its calls and answers."""

    question: str
    calls: tuple[str, ...]
    answers: tuple[str, ...]


def with_answers(text: str, call: Callable[[str, dict[str, object]], str]) -> str:
    """Return the page with the answers of its calls.

    Args:
        text: of the page.
        call: makes a call, by tool and arguments, and returns the text of its answer.
    """
    lines: list[str] = []
    skipping = False
    for line in text.split("\n"):
        found = _CALL.match(line)
        if found is not None:
            skipping = True
            lines.append(line)
            answer = call(found[1], json.loads(found[2]))
            lines += [f"    {row}".rstrip() for row in answer.split("\n")]
        elif not (skipping and line.startswith("    ")):
            skipping = False
            lines.append(line)
    return "\n".join(lines)


def tasks(text: str) -> Iterator[Task]:
    """Yield the tasks of the page that have calls."""
    question, calls, answers = "", list[str](), list[str]()
    for line in [*text.split("\n"), "### "]:
        title = _TASK.match(line)
        if title is not None or line == "### ":
            if calls:
                yield Task(question, tuple(calls), tuple(answers))
            question, calls, answers = title[1] if title is not None else "", [], []
        elif _CALL.match(line):
            calls.append(line.strip())
            answers.append("")
        elif calls and line.startswith("    "):
            answers[-1] += line[4:] + "\n"


def written(text: str) -> str:
    """Return the page as it should be."""
    with (
        tempfile.TemporaryDirectory() as folder,
        assisting(make_game(Path(os.path.realpath(folder)) / "Game"), "--allow-write") as assistant,
    ):

        def call(tool: str, arguments: dict[str, object]) -> str:
            result = assistant.request("tools/call", {"name": tool, "arguments": arguments})["result"]
            return str(result["content"][0]["text"]).replace(os.path.realpath(folder), "/home/you")

        return with_answers(text, call)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
    print(PAGE.relative_to(CHECKOUT))
