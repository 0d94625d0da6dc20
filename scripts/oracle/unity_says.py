"""Compare assetdb's answers of a project with those of Unity's own asset database.

    python -m scripts.oracle.unity_says PROJECT [--examples 5] [--only KIND] [--rows]

Unity's rows are those of ``PROJECT.tsv`` beside the project (corpus ``unity-says``), its references those of
``PROJECT.refs.tsv``; without these tables they are read from the project's own ``Library``, as ``assetdb doctor
--library`` reads it. Three counts are printed: of rows, of the objects that ``ls`` lists of models whose objects are
all known, and of references; then every kind of difference with its first examples. ``--rows`` prints all differences
instead, tab-separated, ``--only`` those of one kind (``--only "wrong name"``). The project itself is not written to.

A corpus has files that are absent or emptied, for their size or licence, so the rows are counted twice. In Unity's
project the file was there: a name that only its content tells cannot be right or wrong here, and the share of files
that are there is the one that says how good the names are. The share of all rows is printed before it, because many
names of an absent file follow from its meta, and are judged. Of ``unity-says``, 71 of 14,913 rows (0.48 %) differ, and
none of the 11,883 whose file is there; the 71 are colliders of SpeedTrees (32), objects of a model with hashed fileIDs
(25), classes of DLLs (12) and lighting data (2), of ten files that are absent or empty.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.doctor.library.comparison import (
    INNER,
    OTHER_PARENTS,
    EditorObject,
    EditorReference,
    compare_lists,
    compare_objects,
    compare_references,
)
from assetdb.doctor.library.reading import Library
from assetdb.doctor.library.report import difference_lines
from assetdb.query.snapshots.snapshot import open_project
from scripts.arguments import Given, script

if TYPE_CHECKING:
    from assetdb.doctor.library.comparison import Difference
    from assetdb.query.snapshots.snapshot import Snapshot

_ESCAPED: Final = re.compile(r"\\(.)")
_ESCAPES: Final = {"t": "\t", "n": "\n", "r": "\r"}


class Word(NamedTuple):
    """What Unity says of a project."""

    objects: list[EditorObject]
    references: list[EditorReference]


class Judged(NamedTuple):
    """The differences between assetdb and Unity."""

    objects: list[Difference]
    lists: list[Difference]
    references: list[Difference]


def read_word(project: Path) -> Word:
    """Return what the tables beside a project have."""
    if not project.with_name(f"{project.name}.tsv").is_file():
        return _read_library(project)
    rows = [
        EditorObject(
            *(guid, path, part, int(file_id), kind, owner, name), tuple(way.split("/")) if way and part == INNER else ()
        )
        for guid, path, part, file_id, kind, owner, name, way in _table(project.with_name(f"{project.name}.tsv"), 8)
    ]
    references = project.with_name(f"{project.name}.refs.tsv")
    found = [EditorReference(*row) for row in _table(references, 4)] if references.is_file() else []
    return Word(rows, found)


def _read_library(project: Path) -> Word:
    """Return what a project's own ``Library`` has; print what is left out of it."""
    with _opened(project) as snapshot:
        library = Library(snapshot)
        assets = list(library.assets())
    print(f"{project.name}: {library.source or 'no Library'}: {library.changed} older, {library.gone} gone")
    for path, problem in library.unread:
        print(f"{project.name}: {path}: {problem}")
    return Word(
        [row for asset in assets for row in asset.objects], [row for asset in assets for row in asset.references]
    )


@contextmanager
def _opened(project: Path) -> Iterator[Snapshot]:
    """Open a project that is baked into a folder elsewhere."""
    with tempfile.TemporaryDirectory(prefix="unity-says-") as folder:
        snapshot = open_project(str(project), folder)
        try:
            yield snapshot
        finally:
            snapshot.close()


def _table(path: Path, columns: int) -> Iterator[list[str]]:
    for line in path.read_text("utf-8").split("\n"):
        if line and not line.startswith("#"):
            yield [_plain(word) for word in (line + "\t" * columns).split("\t")[:columns]]


def _plain(text: str) -> str:
    """Return a column without its backslash escapes."""
    return _ESCAPED.sub(lambda found: _ESCAPES.get(found[1], found[1]), text) if "\\" in text else text


def judge(project: Path, word: Word) -> Judged:
    """Return all differences of a project."""
    with _opened(project) as snapshot:
        return Judged(
            list(compare_objects(word.objects, snapshot)),
            list(compare_lists(word.objects, snapshot)),
            list(compare_references(word.references, snapshot)),
        )


def is_there(project: Path, path: str) -> bool:
    """Return whether a folder, or a file that is not empty, is at a path."""
    place = project / path
    return place.is_dir() or (place.is_file() and place.stat().st_size > 0)


def _show(found: list[Difference], given: Given) -> None:
    if given.rows:
        for difference in found:
            print("", *difference, sep="\t")
        return
    for line in difference_lines(found, given.examples):
        print(f"  {line}")


@script(__doc__, "projects+", examples=5, only="", rows=False)
def main(given: Given) -> None:
    """Print the differences of each project."""
    for project in (path.resolve() for path in given.projects):
        word = read_word(project)
        judged = judge(project, word)
        listed = [row for row in word.objects if row.part == INNER]
        wrong = sum(found.kind != OTHER_PARENTS for found in judged.objects)
        share = 100 * wrong / len(word.objects) if word.objects else 0
        print(f"{project.name}: {wrong} of {len(word.objects)} rows differ ({share:.2f} %)")
        known = [row for row in word.objects if is_there(project, row.path)]
        wrong = sum(found.kind != OTHER_PARENTS and is_there(project, found.path) for found in judged.objects)
        print(f"{project.name}: {wrong} of {len(known)} rows of files that are there differ")
        print(f"{project.name}: {len(judged.lists)} differences in lists of {len(listed)} objects of models")
        print(f"{project.name}: {len(judged.references)} differences in {len(word.references)} references")
        _show([found for part in judged for found in part if given.only in ("", found.kind)], given)
