"""The facts of a build: sizes, places of assets, duplicates."""

from __future__ import annotations

import os
import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from assetdb.builds.query.comparison import SAME, compare, object_fields, part_fields
from assetdb.builds.query.duplicates import find_duplicates
from assetdb.builds.query.layouts import assets_of, totals
from assetdb.builds.query.reasons import why
from assetdb.builds.query.sizes import measure
from assetdb.builds.query.summary import summarize
from assetdb.builds.query.tables import (
    ASSEMBLY,
    BUNDLE,
    CLASS,
    GROUP,
    SizeRow,
    assembly_tree,
    names_of_parts,
    size_rows,
    size_tree,
)
from assetdb.builds.reports.tying import reports_of
from assetdb.builds.trace.sizes import asset_sizes
from assetdb.builds.trace.traced import TIED
from assetdb.builds.trace.tracer import Tracer
from assetdb.report.columns import table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.builds.build import Build
    from assetdb.builds.query.duplicates import ObjectDuplicate
    from assetdb.builds.query.tables import TreeRow
    from assetdb.query.snapshots.snapshot import Snapshot

MOST_ROWS: Final = 50_000
"""Rows of a table of a build: a page has to open."""
MOST_WAYS: Final = 500
"""Duplicates of which each copy has the way that brings it in: a way is a search through the build."""

_INSTANCED: Final = (1, 1001)  # models and prefabs
_SIZE: Final = SizeRow._fields
_PLACE: Final = ("guid", "part", "size", "objects", "why", "root", "way")
_DUPLICATE: Final = ("by", "class", "name", "asset", "equal", "size", "saved", "objects")
_LAID_OUT: Final = ("path", "guid", "size", "pulled_in", "bundles")
_PART: Final = ("verdict", "name", "name_before", "size_before", "size_after", "download", "streamed", "is_read")
_OBJECT: Final = (
    *("part", "verdict", "class", "name", "name_before", "asset"),
    *("size_before", "size_after", "file", "path_id", "why", "root"),
)


def build_facts(build: Build, project: Snapshot, against: Build | None = None) -> dict[str, object]:
    """Return the facts of a build of a project, as columns.

    Args:
        build: as it is on the disk.
        project: that it may be of; ``of_project`` says whether.
        against: an older build: what differs from it is a fact, too.

    Raises:
        FormatError: a part is damaged.
        OSError: a part cannot be read.
    """
    tracer = Tracer(build, project, reports=reports_of(build, build.paths, project.root))
    return {
        "names": _names(build),
        "summary": _summary(build),
        "of_project": tracer.is_of_project,
        "untied": tracer.untied,
        "problems": _problems(build),
        **_sizes(build, tracer),
        "shipped": table(list(_shipped(tracer)), _PLACE),
        "duplicates": _duplicates(tracer),
        "against": _change(against, build, tracer) if against is not None else None,
    }


def _names(build: Build) -> list[str]:
    """Return the last names of the paths, no folder of the writer."""
    return [os.path.basename(os.path.abspath(path)) for path in build.paths]


def _problems(build: Build) -> list[str]:
    """Return the problems, with names instead of paths.

    Only a whole path is one: of the build ``.`` any full stop was, and level0.resS became level0Game_DataresS.
    """
    paths = {path.rstrip("/\\"): name for path, name in zip(build.paths, _names(build), strict=True)}
    whole = "|".join(re.escape(path) for path in sorted(paths, key=len, reverse=True) if path)
    if not whole:
        return list(build.problems)
    pattern = re.compile(rf"(?<![^\s'\"(])(?:{whole})(?![^\s'\"):/\\])")
    return [pattern.sub(lambda found: paths[found[0]], text) for text in build.problems]


def _summary(build: Build) -> dict[str, object]:
    found = summarize(build)
    return {
        "product": found.product,
        "unity_versions": found.unity_versions,
        "platforms": found.platforms,
        "objects": found.objects,
        "disk": found.disk,
        "decoded": found.decoded,
        "others": found.others,
    }


def _sizes(build: Build, tracer: Tracer) -> dict[str, object]:
    """Return the bytes by every name that they can have."""
    sizes = measure(build)
    catalogs = tracer.catalogs
    groups = names_of_parts(build, GROUP, catalogs)
    group_of = {part.name: groups[number][0] for number, part in enumerate(build.parts) if number in groups}
    bundles = size_rows(build, sizes, BUNDLE)
    kinds = {part.name: known.kind for part, known in zip(build.parts, build.facts, strict=True)}
    named = [{**row._asdict(), "group": group_of.get(row.name, ""), "kind": kinds.get(row.name, "")} for row in bundles]
    laid_out = totals(assets_of(catalogs.layouts)) if catalogs.layouts else []
    return {
        "bundles": table(named, (*_SIZE, "group", "kind")),
        "classes": _rows(size_rows(build, sizes, CLASS)),
        "groups": _rows(size_rows(build, sizes, GROUP, catalogs)),
        "assemblies": _rows(size_rows(build, sizes, ASSEMBLY)),
        "assets": _rows(asset_sizes(tracer)),
        "laid_out": table([row._asdict() for row in laid_out], _LAID_OUT),
        "files": _tree(size_tree(build, sizes)),
        "scripts": _tree(assembly_tree(build, sizes)),
    }


def _rows(rows: Iterable[SizeRow]) -> dict[str, list[object]]:
    return table([row._asdict() for row in rows], _SIZE)


def _tree(rows: Iterable[TreeRow]) -> dict[str, list[object]]:
    return table([{"depth": depth, **row._asdict()} for depth, row in rows], ("depth", *_SIZE))


def _shipped(tracer: Tracer) -> Iterator[dict[str, object]]:
    """Yield the parts that have each asset, as ``trace`` does.

    Asked are the sources of objects, and prefabs and models, whose instances are objects of scenes.
    """
    found = {source.guid for row in tracer.all() for source in row.sources}
    assets = sorted(
        (asset.path, asset.guid)
        for asset in tracer.project.database
        if asset.guid in found or asset.class_id in _INSTANCED
    )
    with tracer.many_lookups():
        for _, guid in assets:
            for row in tracer.shipped(guid):
                yield {
                    "guid": guid,
                    "part": tracer.build.parts[row.part].name,
                    "size": row.size,
                    "objects": len(row.objects),
                    "why": row.why,
                    "root": row.root,
                    "way": list(row.way),
                }


def _duplicates(tracer: Tracer) -> dict[str, object]:
    """Return duplicates, with the way that brings in each copy."""
    found = find_duplicates(tracer.build)
    rows = [_duplicate(row, tracer, with_ways=number < MOST_WAYS) for number, row in enumerate(found[:MOST_ROWS])]
    return {**table(rows, _DUPLICATE), "count": len(found), "sum": sum(row.saved for row in found)}


def _duplicate(row: ObjectDuplicate, tracer: Tracer, *, with_ways: bool) -> dict[str, object]:
    build, first = tracer.build, row.objects[0]
    copies = []
    for number in row.objects:
        copy: dict[str, object] = {"file": build.file_label(number), "path_id": build.path_ids[number]}
        if with_ways:
            reason = why(build, number)
            way = [build.title(step) or build.class_name(build.class_ids[step]) for step in reason.way]
            copy |= {"why": reason.kind, "root": reason.root, "way": way}
        copies.append(copy)
    return {
        "by": row.by,
        "class": build.class_name(build.class_ids[first]),
        "name": build.title(first),
        "asset": _asset(first, tracer),
        "equal": row.equal,
        "size": row.size,
        "saved": row.saved,
        "objects": copies,
    }


def _asset(number: int, tracer: Tracer) -> str:
    """Return the path of an object's only source, ``""`` without one."""
    row = tracer.back(number)
    return row.sources[0].path if row.certainty in TIED else ""


def _change(before: Build, after: Build, tracer: Tracer) -> dict[str, object]:
    """Return the differences from an older build, as ``build diff`` does."""
    rows = compare(before, after)
    different = [row for row in rows if row.verdict != SAME]
    changed = ((row.name, item) for row in different for item in row.objects)
    objects = [
        {
            **object_fields(before, after, item),
            "part": name,
            "asset": _asset(item.after, tracer) if item.after is not None else "",
        }
        for name, item in islice(changed, MOST_ROWS)
    ]
    count = sum(len(row.objects) for row in different)
    return {
        "names": _names(before),
        "platforms": summarize(before).platforms,
        "parts": table([part_fields(before, row) for row in different], _PART),
        "objects": table(objects, _OBJECT),
        "left_out": count - len(objects),
        "all_parts": len(rows),
        "download": sum(row.download for row in rows),
        "grown": sum(row.size_after - row.size_before for row in rows),
    }
