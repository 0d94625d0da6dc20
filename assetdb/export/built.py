"""Objects of a build as rows, with their assets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.builds.objects.columns import facts_of
from assetdb.export.tables import BUILT, BuiltObjectRow, BuiltRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.builds.build import Build
    from assetdb.builds.trace.tracer import Tracer


def built_objects(tracer: Tracer) -> Iterator[BuiltObjectRow]:
    """Yield the objects of a build, with assets where unambiguous."""
    build = tracer.build
    for number in range(len(build)):
        item, traced = build.object(number), tracer.back(number)
        script = item.script
        source = traced.sources[0] if len(traced.sources) == 1 else None
        yield BuiltObjectRow(
            file=build.files[item.file].name,
            path_id=item.path_id,
            class_id=item.class_id,
            type=item.class_name,
            script="" if script is None else script.full_name,
            name=item.name,
            bytes=item.size,
            streamed_bytes=item.streamed,
            certainty=traced.certainty,
            asset="" if source is None else source.guid,
            file_id=None if source is None else source.file_id,
            path="" if source is None else source.path,
        )


def built_facts(build: Build) -> Iterator[tuple[str, Iterator[BuiltRow]]]:
    """Yield tables of facts with their rows, one for each class."""
    for kind, (table, row) in BUILT.items():
        numbers = [number for number in range(len(build)) if build.class_name(build.class_ids[number]) == kind]
        yield table, _rows(build, numbers, row)


def _rows(build: Build, numbers: list[int], row: type[BuiltRow]) -> Iterator[BuiltRow]:
    for found in facts_of(build, numbers):
        file = build.files[build.file_of(found.number)].name
        yield row(file=file, path_id=build.path_ids[found.number], name=build.name(found.number), **found.columns)
