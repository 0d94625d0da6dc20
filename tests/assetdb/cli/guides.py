"""What a guide of ``docs/`` shows: its indented blocks, and the commands in them with what they print."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[3] / "docs"


def blocks(guide: str) -> list[list[str]]:
    """Return the indented blocks of a guide as lines without their indentation."""
    text = (DOCS / guide).read_text("utf-8")
    found = re.findall(r"(?m)^(?:    .*\n|\n(?=    ))+", text)
    return [[line[4:] for line in block.strip("\n").splitlines()] for block in found]


def transcripts(guide: str) -> list[tuple[str, list[str]]]:
    """Return the commands of a guide, each with the lines that are shown below it."""
    found: list[tuple[str, list[str]]] = []
    for block in blocks(guide):
        for line in block if block[0].startswith("$ ") else ():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    for _, lines in found:
        while lines and not lines[-1]:
            lines.pop()
    return found
