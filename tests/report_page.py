"""What a report page says: the format of its facts, stated a second time."""

from __future__ import annotations

import base64
import json
import re
import zlib
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

_OPENING = '<script id="facts" type="text/plain" data-start="[0-9a-f]*">'


class Page(NamedTuple):
    """The facts of a page; nodes are assets first, then everything else."""

    facts: dict[str, Any]
    paths: list[str]
    guids: list[str]
    types: list[str]
    bytes: list[int | None]
    needs: list[list[int]]

    @property
    def edges(self) -> set[tuple[str, str]]:
        """Pairs of paths, or GUIDs of what has no path."""
        names = [path or guid for path, guid in zip(self.paths, self.guids, strict=True)]
        return {(names[user], names[target]) for user, targets in enumerate(self.needs) for target in targets}

    def rows(self, name: str, below: str = "") -> list[dict[str, Any]]:
        """Return a table of columns as rows."""
        columns = self.facts[name][below] if below else self.facts[name]
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def read_page(path: Path) -> Page:
    """Return the facts of a page."""
    block = re.search(
        r'<script id="facts" type="text/plain" data-start="[0-9a-f]*">([A-Za-z0-9+/=]*)</script>',
        path.read_text("utf-8"),
    )
    assert block is not None
    facts = json.loads(zlib.decompress(base64.b64decode(block[1], validate=True)))
    columns, others = facts["assets"], facts["assets"]["others"]
    folders = [
        folder for folder, count in zip(columns["folders"], columns["counts"], strict=True) for _ in range(count)
    ]
    paths = [f"{folder}/{name}" if folder else name for folder, name in zip(folders, columns["names"], strict=True)]
    guids = re.findall("[0-9a-f]{32}", columns["guids"])
    steps = iter(columns["targets"])
    needs = [list(accumulate(next(steps) for _ in range(degree))) for degree in columns["degrees"]]
    assert next(steps, None) is None
    assert len(needs) == len(paths) + len(others["guid"])
    types = [columns["types"][number] for number in (*columns["type"], *others["type"])]
    sizes = [None if size < 0 else size for size in columns["bytes"]]
    return Page(facts, [*paths, *others["path"]], [*guids, *others["guid"]], types, sizes, needs)
