"""Exports of real projects: every edge of the graph, and places that the files themselves show."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from assetdb.query.graph.references import AssetGraph
from assetdb.query.snapshots.snapshot import open_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SAMPLE = 10_000
_HEADER = re.compile(rb"--- !u!(\d+) &(-?\d+)")


def rows_of(place: Path, table: str) -> Iterator[dict[str, Any]]:
    (path,) = (place / table).rglob("*.jsonl")
    with path.open("rb") as file:
        yield from map(json.loads, file)


@pytest.mark.long
@pytest.mark.corpus("unity/Mirror", "unity/BoatAttack", "unity/unitystation")
@pytest.mark.parametrize("name", ["Mirror", "BoatAttack", "unitystation/UnityProject"])
def test_a_real_project(name: str, corpus: Path, tmp_path: Path) -> None:
    root = corpus / "unity" / name
    words = ["--project", str(root), "--out-dir", str(tmp_path / "files"), "--format", "jsonl", "--quiet"]
    tables = ["--table", "assets", "--table", "objects", "--table", "references"]
    assert main(["export", str(tmp_path / "out"), *words, *tables]) == 0
    project = open_project(str(root), str(tmp_path / "files"))
    graph = AssetGraph(project)
    edges = {(asset.guid, target) for asset in project.database for target in graph.dependencies(asset.guid)}
    edges |= {(duplicate.asset.guid, target) for duplicate in project.duplicates for target in duplicate.targets}
    assert sum(1 for _ in rows_of(tmp_path / "out", "assets")) == len(project.database) + len(project.duplicates)
    rows = list(rows_of(tmp_path / "out", "references"))
    assert {(row["asset"], row["target"]) for row in rows if row["asset"]} == {
        edge for edge in edges if edge[0] != edge[1]
    }
    chance = random.Random(31)
    sample = chance.sample(rows, min(_SAMPLE, len(rows)))
    for row in sample:
        if row["asset"]:
            assert row["asset"] in graph.usages(row["target"])
    project.close()
    sample.sort(key=lambda row: str(row["path"]))
    shown = Counter(_is_shown(root, row) for row in sample)
    assert shown[False] == 0


def _is_shown(root: Path, row: dict[str, Any]) -> bool | None:
    """Whether the text at a place refers as the row says; None where it has no place."""
    if not row["line"]:
        return None
    lines = _lines(root / row["path"])
    line = lines[row["line"] - 1]
    text = lines[row["line"] - 2] + line if row["line"] > 1 else line  # long references are wrapped
    before = b"\n".join(lines[: row["line"]])
    holder = before.rfind(b"\n--- !u!")
    header = _HEADER.match(before, holder + 1) if holder >= 0 else None
    target, key = row["target_file_id"], row["property"].rpartition(".")[2].encode()
    return (
        row["target"].encode() in line.lower()
        and (target is None or re.search(rb"fileID\W+%d\b" % target, text) is not None)
        and (int(header[2]) if header else 0) == row["file_id"]
        and (key.endswith(b"]") or key in (text if header else before))  # lists of JSON have their key in front
    )


@lru_cache(maxsize=1)
def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")
