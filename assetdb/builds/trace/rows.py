"""Answers of a trace as plain data, for ``--json`` and the daemon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assetdb.builds.trace.question import Back, Forward, unshipped
from assetdb.builds.trace.traced import Mixed
from assetdb.unity.settings.addressables import is_remote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.builds.groups.plan import Plan
    from assetdb.builds.query.catalogs import Catalogs
    from assetdb.builds.trace.traced import Shipped, Traced
    from assetdb.builds.trace.tracer import Tracer
    from assetdb.query.selecting.selector import Unmatched

LISTS: Final = ("missing", "unshipped", "implicit", "duplicates", "mixed")
"""The lists about a whole build and project."""


def answer_rows(query: str, answer: Forward | Back | Unmatched, tracer: Tracer) -> Iterator[dict[str, Any]]:
    """Yield an answer's rows: one asset, each object, or a miss."""
    if isinstance(answer, Forward):
        yield {
            "query": answer.query,
            "guid": answer.guid,
            "path": answer.path,
            "file_id": answer.file_id,
            "group": answer.group,
            "planned_bundles": list(answer.planned),
            "catalog": [entry._asdict() for entry in answer.entries],
            "layout": [row._asdict() for row in answer.laid_out],
            "state": [row._asdict() for row in answer.stated],
            "parts": [_part_fields(row, tracer) for row in answer.shipped],
        }
    elif isinstance(answer, Back):
        for row in answer.objects:
            yield {"query": answer.query, **_object_fields(row, tracer)}
    else:
        yield {"query": query, **answer.fields()}


def _part_fields(row: Shipped, tracer: Tracer) -> dict[str, Any]:
    return {
        "part": tracer.build.parts[row.part].name,
        "size": row.size,
        "why": row.why,
        "root": row.root,
        "way": list(row.way),
        "objects": [_object_fields(item, tracer) for item in row.objects],
    }


def _object_fields(row: Traced, tracer: Tracer) -> dict[str, Any]:
    build = tracer.build
    script = build.script(row.number)
    return {
        "file": build.file_label(row.number),
        "path_id": build.path_ids[row.number],
        "class": build.class_name(build.class_ids[row.number]),
        "name": build.name(row.number),
        "script": None if script is None else script.full_name,
        "assembly": None if script is None else script.assembly,
        "size": build.sizes[row.number],
        "streamed": build.streamed[row.number],
        "certainty": row.certainty,
        "by": row.by,
        "sources": [source._asdict() for source in row.sources],
    }


def list_rows(name: str, tracer: Tracer, plan: Plan | None) -> list[dict[str, object]]:
    """Return the rows of one of :data:`LISTS`. Raises AssetdbError."""
    build = tracer.build
    if name == "missing":
        return [row._asdict() for row in tracer.missing(plan.missing if plan is not None else ())]
    if name == "unshipped":
        return [row._asdict() for row in unshipped(tracer, plan)]
    if name == "implicit":
        traced = tracer.implicit()
        return [
            {
                "asset": rows[0].sources[0].path,
                "guid": guid,
                "objects": len(rows),
                "bytes": sum(build.bytes_of(row.number) for row in rows),
                "files": sorted({build.parts[build.part_of(row.number)].name for row in rows}),
                "by": [],
            }
            for guid, rows in traced.items()
        ] + [
            {
                "asset": row.path,
                "guid": row.guid,
                "objects": None,
                "bytes": row.size,
                "files": [row.bundle],
                "by": list(row.used_by),
            }
            for row in tracer.laid_out()
            if row.guid not in traced
        ]
    if name == "duplicates":
        return [
            {
                "wasted": tracer.wasted(rows),
                "asset": source.path,
                "guid": source.guid,
                "file_id": source.file_id,
                "files": sorted({build.parts[build.part_of(row.number)].name for row in rows}),
            }
            for source, rows in tracer.duplicates().items()
        ]
    return [row._asdict() for row in mixed(tracer.catalogs)]


def mixed(catalogs: Catalogs) -> list[Mixed]:
    """Return local content that needs bundles which players must download."""
    bundles = catalogs.bundles
    remote = [is_remote(bundle.internal_id) for bundle in bundles]
    return [
        Mixed(item.internal_id, bundles[item.bundle].internal_id, bundles[need].internal_id)
        for item in catalogs.assets
        if item.bundle is not None and remote[item.bundle] is False
        for need in item.needs
        if remote[need]
    ]
