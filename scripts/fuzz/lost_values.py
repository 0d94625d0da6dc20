"""Rename and remove serialized fields of real projects, and count the lost values that a check reports.

    python -m scripts.fuzz.lost_values PROJECT... [--most 200] [--seed N] [--verbose]

A field counts if an asset stores it: a line ``  field: `` in an object whose script is the file that declares the field,
by a plain search of both texts. Each field is renamed, removed, and renamed with ``FormerlySerializedAs``; the first two
must be reported at the file and name the assets, the third must not.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from assetdb.checks.changes.lost_values import find_lost_values
from assetdb.query.snapshots.snapshot import open_project
from scripts.arguments import Given, script
from scripts.programs import copied

_FIELD = re.compile(
    r"^(?P<head>[ \t]*(?:\[[^\]\n]*\][ \t]*)*(?:public|\[SerializeField\][ \t]*(?:private|protected)?)[ \t]+"
    r"(?!class|struct|enum|static|const|override|void|abstract|virtual|event|delegate|readonly)"
    r"[\w.<>\[\]]+[ \t]+)(?P<name>\w+)(?P<rest>[ \t]*(?:=[^;{}\n]*)?;)",
    re.MULTILINE,
)
_DOCUMENT = re.compile(r"^--- !u!114 ", re.MULTILINE)
_SCRIPT = re.compile(r"^  m_Script: \{fileID: 11500000, guid: ([0-9a-f]{32})", re.MULTILINE)
_KEY = re.compile(r"^  (\w+):", re.MULTILINE)
_GUID = re.compile(r"^guid: ([0-9a-f]{32})", re.MULTILINE)


class Field(NamedTuple):
    """A field that an asset stores."""

    source: Path
    name: str
    assets: frozenset[str]


def stored_fields(root: Path) -> list[Field]:
    """Return the fields that assets store, by plain searches."""
    keys: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path in sorted(root.rglob("Assets/**/*")):
        if path.suffix in (".prefab", ".unity", ".asset"):
            for part in _DOCUMENT.split(path.read_text("utf-8", "replace"))[1:]:
                found = _SCRIPT.search(part)
                for name in _KEY.findall(part) if found else ():
                    keys[found[1], name].add(path.relative_to(root).as_posix())  # type: ignore[index]  # it was found
    fields = []
    for source in sorted(root.rglob("Assets/**/*.cs")):
        meta = Path(f"{source}.meta")
        guid = _GUID.search(meta.read_text("utf-8", "replace")) if meta.is_file() else None
        text = source.read_text("utf-8-sig", "replace")
        if guid is None or text.count("class ") != 1 or "#if" in text:
            continue  # whose field it is must be plain
        for match in _FIELD.finditer(text):
            assets = keys.get((guid[1], match["name"]))
            if assets:
                fields.append(Field(source, match["name"], frozenset(assets)))
    return fields


def edited(text: str, name: str, way: str) -> str:
    """Return the source of a class after one change of a field."""

    def replace(match: re.Match[str]) -> str:
        if match["name"] != name:
            return match[0]
        if way == "removed":
            return ""
        attribute = f'[UnityEngine.Serialization.FormerlySerializedAs("{name}")] ' if way == "kept" else ""
        return f"{attribute}{match['head']}{name}Renamed{match['rest']}"

    return _FIELD.sub(replace, text)


@script(__doc__, "projects+", most=200, seed=1, verbose=False)
def main(given: Given) -> bool:
    """Change the fields of each project, one at a time."""
    counts: Counter[str] = Counter()
    for project in given.projects:
        with tempfile.TemporaryDirectory(prefix="lost-values-") as folder:
            root = Path(folder) / "project"
            copied(project, root)
            fields = stored_fields(root)
            random.Random(given.seed).shuffle(fields)
            for field in fields[: given.most]:
                before = field.source.read_bytes()
                path = field.source.relative_to(root).as_posix()
                for way in ("renamed", "removed", "kept"):
                    field.source.write_text(edited(before.decode("utf-8-sig", "replace"), field.name, way), "utf-8")
                    snapshot = open_project(str(root), f"{folder}/out")
                    try:
                        found = [
                            row for row in find_lost_values(snapshot, {path: before}) if row.property_path == field.name
                        ]
                    finally:
                        snapshot.close()
                    is_right = bool(found) == (way != "kept")
                    counts[f"{way}: {'right' if is_right else 'wrong'}"] += 1
                    if given.verbose and not is_right:
                        print(f"{project.name}: {path} {field.name} {way}: {[row.message for row in found]}")
                field.source.write_bytes(before)
            print(f"{project.name}: {min(len(fields), given.most)} of {len(fields)} fields that assets store")
    for name, count in sorted(counts.items()):
        print(f"{count:6} {name}")
    return any(name.endswith("wrong") for name in counts)
