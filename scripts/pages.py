"""Write the pages of ``docs/`` that are made of the sources.

    python -m scripts.pages

``commands.md`` is made of the declarations of the commands, ``diagnostics.md`` of the table of codes and their texts,
the methods in ``watch.md`` of their registry. A block of ``agents.md`` has calls, ``> TOOL {ARGUMENTS}``, each
with its answer below; they are made in the game that ``tests/assetdb/mcp/guide_project.py`` writes.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple
from unittest.mock import patch

from assetdb.cli.commands import COMMANDS, Command
from assetdb.cli.reading.application import declared_command
from assetdb.daemon.rpc.control_methods import control_methods
from assetdb.daemon.rpc.dispatch import METHODS
from assetdb.daemon.rpc.methods import query_methods
from assetdb.daemon.rpc.registry import documentation
from assetdb.diagnostics.codes import CODES
from assetdb.diagnostics.pages import whole_page
from scripts.programs import CHECKOUT
from tests.assetdb.mcp.assistant import assisting
from tests.assetdb.mcp.guide_project import make_game

DOCS = CHECKOUT / "docs"

# --- commands

COMMON: Final = ("project", "out_dir", "no_refresh", "json", "quiet", "verbose", "color", "version", "help")
"""Options that are listed once, by the names of their parameters."""
WITH_ALL_OF_THEM: Final = ("name",)
_COMMANDS: Final = """\
# All commands

Written by `python -m scripts.pages` from the declarations that the program itself reads. `assetdb help COMMAND` prints
the same. [output.md](output.md) describes the output of the commands.

## Options that most commands have

"""


def leaves(rows: tuple[Command, ...], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Command]]:
    """Yield the words and the row of every command that is no family and not hidden."""
    for row in rows:
        if row.hidden:
            continue
        if row.family:
            yield from leaves(row.rows(), (*path, row.name))
        else:
            yield (*path, row.name), row


def records(path: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """Return how a command's parameters are written and what they do, by their names."""
    with patch.dict(os.environ, NO_COLOR="1"):  # on a terminal help texts are escaped for panels
        command = declared_command(path)
    context = command.make_context(" ".join(path), [], resilient_parsing=True)
    found = {param.name or "": param.get_help_record(context) for param in command.params}
    return {name: record for name, record in found.items() if record is not None}


def table(rows: list[tuple[str, str]]) -> str:
    """Return rows as a table of Markdown."""
    lines = [f"| `{written.replace('|', chr(92) + '|')}` | {_text(does)} |" for written, does in rows]
    return "\n".join(["| argument or option | does |", "|---|---|", *lines, ""])


def _text(text: str) -> str:
    """Return help text in which Markdown finds no tags, links or columns."""
    for character in "\\*_<>[]|":
        text = text.replace(character, "\\" + character)
    return text


def commands_page() -> str:
    """Return the page of all commands."""
    common = records(WITH_ALL_OF_THEM)
    parts = [_COMMANDS, table([common[name] for name in COMMON])]
    for path, row in leaves(COMMANDS):
        own = [record for name, record in records(path).items() if name not in COMMON or record != common[name]]
        parts.append(f"\n## assetdb {' '.join(path)}\n\n{_text(row.summary)}\n")
        if own:
            parts.append("\n" + table(own))
    return "".join(parts)


# --- methods

BEGIN = "<!-- methods, written by scripts/pages.py -->\n"
END = "<!-- end of methods -->\n"
_LISTED = re.compile(r"(?<=; there are )[a-z, ]+")
"""The methods in the transcript of an unknown one."""


def with_methods(text: str) -> str:
    """Return the guide with the methods of the registry.

    They are in its table, and in the transcript of an unknown one.

    Raises:
        ValueError: the guide has no place for it.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"watch.md: {BEGIN.strip()} and {END.strip()} are where the table goes")
    methods = [*query_methods.methods.values(), *control_methods.methods.values()]
    return before + begin + documentation(methods) + end + _LISTED.sub(", ".join(METHODS), after)


# --- answers to assistants

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


def agents_page(text: str) -> str:
    """Return the page for assistants with the answers of its calls."""
    with (
        tempfile.TemporaryDirectory() as folder,
        assisting(make_game(Path(os.path.realpath(folder)) / "Game"), "--allow-write") as assistant,
    ):

        def call(tool: str, arguments: dict[str, object]) -> str:
            return assistant.call(tool, **arguments).replace(os.path.realpath(folder), "/home/you")

        return with_answers(text, call)


def pages() -> dict[str, str]:
    """Return the pages as they should be, by their names."""
    return {
        "commands.md": commands_page(),
        "diagnostics.md": whole_page(list(CODES.values())),
        "watch.md": with_methods((DOCS / "watch.md").read_text("utf-8")),
        "agents.md": agents_page((DOCS / "agents.md").read_text("utf-8")),
    }


def main() -> None:
    """Write all pages."""
    for name, text in pages().items():
        (DOCS / name).write_text(text, "utf-8")
        print(DOCS / name)


if __name__ == "__main__":
    main()
