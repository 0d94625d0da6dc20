"""Compare what assetdb reads of Unity's text with the rules, written a second time.

    python -m scripts.oracle.scalars FOLDER... [--examples 5]

All text assets and metas below the folders are read twice: by ``assetdb.unity.yaml`` and by the plain statement in
``tests/unity_text.py``, which shares no code with it. Every key and every value must be the same, and so must the names
of sub-assets in metas. Counts are printed, and the differences with file, fileID and both readings.

Values that have anything special are written again, too, as Unity writes them: whether a value gets the quotes that it
has in its file, by one of Unity's writers, says how much the rules know.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from assetdb.unity.metas.meta import read_meta, sub_asset_names
from assetdb.unity.yaml.nodes import END, KEY, SCALAR, UnreadableError, read_nodes
from assetdb.unity.yaml.objects import TextObjects
from scripts.arguments import Given, script
from tests.unity_text import ERAS, Entry, entries, style, value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    Pair = tuple[str | None, str]

_HEAD: Final = b"%YAML"
_MARK: Final = b"\xef\xbb\xbf"
_META: Final = ".meta"
_SIMPLE_FLOW: Final = re.compile(rb"\{[^\[\]{}'\"]*\}")
_SPECIAL: Final = re.compile(r"[^\w. +/()-]|^[ -]| $")
_LARGEST: Final = 1 << 27
_TABLES: Final = {"fileIDToRecycleName": 2, "internalIDToNameTable": 2, "nameFileIdTable": 4, "sprites": 4}


def pairs_of_nodes(body: bytes) -> Iterator[Pair]:
    """Yield keys and values as assetdb reads them, without empty values.

    Raises:
        UnreadableError: assetdb does not read it.
    """
    key: str | None = None
    inside: list[Pair] = []
    depth = start = 0
    for node in read_nodes(body, libyaml=True):
        if node.kind == KEY:
            key = node.text
            if not depth:
                yield key, ""
        elif node.kind == SCALAR:
            if node.text and depth:
                inside.append((key, node.text))
            elif node.text:
                yield key, node.text
            key = None
        elif node.kind == END:
            depth -= bool(depth)
            if not depth and inside:
                if _SIMPLE_FLOW.fullmatch(body[start : node.end]):
                    yield from inside
                inside = []
        else:
            if node.flow and not depth:
                start = node.start
            depth += bool(depth) or node.flow
            key = None


def pairs_of_rules(found: Iterable[Entry]) -> Iterator[Pair]:
    """Yield the same pairs as the rules have them."""
    for entry in found:
        key = None if entry.key is None else value_of([entry.key])
        if key is not None:
            yield key, ""
        if not entry.is_flow:
            value = value_of(entry.value)
            if value:
                yield key, value
            continue
        text = "\n".join(entry.value).rstrip()
        if _SIMPLE_FLOW.fullmatch(text.encode()):
            for part in text[1:-1].split(","):
                name, _, value = part.partition(":")
                if value.strip():
                    yield name.strip(), value.strip()


def names_of_rules(found: Iterable[Entry]) -> dict[int, str]:
    """Return the names of sub-assets by fileID as the rules have them."""
    tables: dict[str, dict[int, str]] = {table: {} for table in _TABLES}
    table, number, name = "", 0, ""
    for entry in found:
        key = value_of([entry.key]) if entry.key is not None else ""
        if _TABLES.get(key) == entry.indent:
            table = key
        elif table and entry.indent <= _TABLES[table]:
            table = ""
        value = "" if entry.is_flow else value_of(entry.value)
        if table == "fileIDToRecycleName" and entry.indent == 4:
            tables[table][int(key)] = value
        elif table == "internalIDToNameTable":
            if key == "second":
                tables[table][number] = value
            elif key.removeprefix("-").isdecimal():
                number = int(value)
        elif table == "nameFileIdTable" and entry.indent == 6:
            tables[table][int(value)] = key
        elif table == "sprites" and entry.indent == 6:
            name = value if key == "name" else name
            if key == "internalID" and name:
                tables[table][int(value)] = name
                name = ""
    names: dict[int, str] = {}
    for rows in tables.values():
        names.update(rows)
    return names


def quotes_differ(entry: Entry) -> bool:
    """Whether no writer of Unity gives a value the quotes that it has."""
    quote = entry.value[0][:1]
    value = value_of(entry.value)
    return (quote if quote in ("'", '"') else "") not in {style(value, era) for era in ERAS}


class Comparison:
    """Counts and differences so far."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.differences: list[str] = []
        self.refused: list[str] = []

    def compare_file(self, path: str) -> None:
        """Read a file twice, if it is a text asset or a meta."""
        with open(path, "rb") as file:
            head = file.read(8)
            is_meta = path.endswith(_META)
            if not is_meta and not head.removeprefix(_MARK).startswith(_HEAD):
                return
            data = (head + file.read(_LARGEST)).removeprefix(_MARK).replace(b"\r\n", b"\n")
        self.counts["files"] += 1
        if not is_meta:
            for item in TextObjects(data).objects.values():
                self._compare(f"{path}:{item.file_id}", item.body)
            return
        found = self._compare(path, b"\n" + data)
        names = {number: row[2].decode() for number, row in sub_asset_names(read_meta(data)[1]).items()}
        self.counts["names of sub-assets"] += len(names)
        try:
            expected = names_of_rules(found)
        except ValueError:
            return  # not as Unity writes it, which the pairs tell
        if names != expected:
            self.differences.append(f"{path}: names {names.items() ^ expected.items()}")

    def _compare(self, place: str, body: bytes) -> list[Entry]:
        text = body.decode("utf-8", "replace")
        self.counts["documents"] += 1
        try:
            read = list(pairs_of_nodes(text.encode()))
        except UnreadableError as error:
            self.refused.append(f"{place}: {error}")
            return []
        found = list(entries(text))
        expected = list(pairs_of_rules(found))
        self.counts["keys"] += sum(1 for _, value in expected if not value)
        self.counts["values"] += sum(1 for _, value in expected if value)
        if read != expected:
            first = next((pair for pair in zip(read, expected, strict=False) if pair[0] != pair[1]), "their number")
            self.differences.append(f"{place}: {first}")
        for entry in found:
            value = "\n".join(entry.value)
            if not entry.is_flow and _SPECIAL.search(value):
                self.counts["special values"] += 1
                self.counts["special values with other quotes"] += quotes_differ(entry)
                self.counts["values with a number sign"] += " #" in value
                self.counts["values of several lines"] += len(entry.value) > 1
        return found


@script(__doc__, "folder+", examples=5)
def main(given: Given) -> bool:
    """Compare all files; fail where a difference was found."""
    compared = Comparison()
    folders: list[Path] = given.folder
    for folder in folders:
        for above, below, names in os.walk(folder):
            below.sort()
            for name in sorted(names):
                path = os.path.join(above, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    compared.compare_file(path)
    for name, count in compared.counts.items():
        print(f"{count:>12,} {name}")
    for what, rows in (("documents that are refused", compared.refused), ("differences", compared.differences)):
        print(f"{len(rows):>12,} {what}")
        for row in rows[: given.examples]:
            print(f"             {row[:400]}")
    return bool(compared.differences)
