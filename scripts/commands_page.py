"""Write ``docs/commands.md`` from the declarations of the commands."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

from assetdb.cli.commands import COMMANDS  # noqa: E402 - the same
from assetdb.cli.reading.application import declared_command  # noqa: E402 - of this checkout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.cli.commands import Command

PAGE = CHECKOUT / "docs" / "commands.md"
COMMON: Final = ("project", "out_dir", "no_refresh", "json", "quiet", "verbose", "color", "version", "help")
"""Options that are listed once, by the names of their parameters."""
WITH_ALL_OF_THEM: Final = ("name",)
_HEAD: Final = """\
# All commands

Written by `scripts/commands_page.py` from the declarations that the program itself reads. `assetdb help COMMAND` prints
the same, and `assetdb --install-completion` completes it in a shell. [output.md](output.md) describes what they print.

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


def whole_page() -> str:
    """Return the page."""
    common = records(WITH_ALL_OF_THEM)
    parts = [_HEAD, table([common[name] for name in COMMON])]
    for path, row in leaves(COMMANDS):
        own = [record for name, record in records(path).items() if name not in COMMON or record != common[name]]
        parts.append(f"\n## assetdb {' '.join(path)}\n\n{_text(row.summary)}\n")
        if own:
            parts.append("\n" + table(own))
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(whole_page(), "utf-8")
    print(PAGE.relative_to(CHECKOUT))
