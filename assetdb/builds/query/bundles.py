"""Comparison of two bundles, object by object and value by value.

The objects are paired as a build's objects are, so that a running number that shifts is no change.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from assetdb.builds.build import Build
from assetdb.builds.objects.content import entry_of
from assetdb.builds.objects.difference import reference_token
from assetdb.builds.objects.pairing import PartPair
from assetdb.builds.opening import read_facts
from assetdb.builds.parts.facts import ARCHIVE
from assetdb.builds.parts.finding import Part
from assetdb.builds.parts.reading import open_part
from assetdb.builds.query.comparison import ADDED, REMOVED, ObjectChanges, is_same
from assetdb_formats.unityfs.bundle import ObjectReader
from assetdb_formats.unityfs.queries.diff import ValueChange, value_changes

if TYPE_CHECKING:
    from assetdb.builds.objects.content import Token
    from assetdb.builds.query.comparison import ObjectChange
    from assetdb_formats.inputs import Input
    from assetdb_formats.unityfs.bundle import Bundle
    from assetdb_formats.unityfs.serialized_files.tree_values import PPtr

_SIGNS = {ADDED: "+", REMOVED: "-"}


class BundleChange(NamedTuple):
    """An object that differs.

    Attributes:
        change: ``+`` only in the new bundle, ``-`` only in the old one, ``~`` in both.
        object: ``file:PathID``, of the new one where there are both; so are class and name.
        before: ``file:PathID`` of the old one, where its PathID is another; else ``""``.
        name: ``m_Name``, or the name of the script or the GameObject.
        values: which values differ; none where a class has no layout.
    """

    change: str
    object: str
    before: str
    class_name: str
    name: str
    values: tuple[ValueChange, ...] = ()


class BundleChanges(NamedTuple):
    """The objects that differ, by file and PathID, and problems."""

    changes: tuple[BundleChange, ...]
    problems: tuple[str, ...]


def compare_bundles(old: Input, new: Input) -> BundleChanges:
    """Return the differences of the objects of two bundles.

    Raises:
        FormatError: one of them is damaged.
        OSError: one of them cannot be read.
    """
    before, after = _build_of(old), _build_of(new)
    problems = (*before.problems, *after.problems)
    if is_same(before, after, 0, 0):
        return BundleChanges((), problems)
    part = PartPair(0, 0, is_same=False)
    changes = ObjectChanges(before, after, [part])
    tokens = (
        reference_token(before, changes.pairs.after, is_first=True),
        reference_token(after, changes.pairs.before, is_first=False),
    )
    with open_part(old) as left, open_part(new) as right:
        sides = _Side(before, left), _Side(after, right)
        rows = [_change(row, sides, tokens) for row in sorted(changes.of(part), key=partial(_order, before, after))]
    return BundleChanges(tuple(rows), problems)


def _build_of(file: Input) -> Build:
    """Return a file alone as a build, without an index."""
    part = Part(file.name, file, ARCHIVE, file.size, "")
    return Build([file.name], [part], [read_facts(part)])


def _order(before: Build, after: Build, row: ObjectChange) -> tuple[str, int]:
    build, number = (after, row.after) if row.after is not None else (before, row.before or 0)
    return build.files[build.file_of(number)].facts.name, build.path_ids[number]


class _Side:
    """One bundle, as a build and open."""

    def __init__(self, build: Build, bundle: Bundle) -> None:
        self.build = build
        self.bundle = bundle
        self._nodes = sorted(bundle.nodes)

    def reader(self, number: int) -> ObjectReader | None:
        """Return an object; None if the file has changed since."""
        file = self.build.file_of(number)
        if file >= len(self._nodes):
            return None
        own = self.bundle.file(self._nodes[file])
        entry = entry_of(self.build, own, number)
        return None if entry is None else ObjectReader(self.bundle, own, entry)

    def label(self, number: int) -> str:
        """Return file and PathID of an object."""
        name = self.build.files[self.build.file_of(number)].facts.name if self.bundle.archive is not None else ""
        return f"{name}:{self.build.path_ids[number]}" if name else str(self.build.path_ids[number])


def _change(row: ObjectChange, sides: tuple[_Side, _Side], tokens: tuple[Token, Token]) -> BundleChange:
    side, number = (sides[1], row.after) if row.after is not None else (sides[0], row.before or 0)
    build = side.build
    change = BundleChange(
        _SIGNS.get(row.verdict, "~"),
        side.label(number),
        "",
        build.class_name(build.class_ids[number]),
        build.title(number),
    )
    if row.before is None or row.after is None:
        return change
    old, new = sides[0].reader(row.before), sides[1].reader(row.after)
    if build.path_ids[number] != sides[0].build.path_ids[row.before]:
        change = change._replace(before=sides[0].label(row.before))
    if old is None or new is None:
        return change
    files = sides[0].build.file_of(row.before), build.file_of(row.after)

    def lead_alike(left: PPtr, right: PPtr) -> bool:
        return tokens[0](files[0], *left) == tokens[1](files[1], *right)

    return change._replace(values=value_changes(old, new, lead_alike))
