"""Streamed data: the bytes of objects in resource files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.builds.build import Build


class StreamedData(NamedTuple):
    """Bytes of an object in resource data.

    Attributes:
        path: as the object says it.
        file: place of the file that has them, or None.
        is_inside: whether the file has that many bytes there.
    """

    object: int
    path: str
    file: int | None
    offset: int
    size: int
    is_inside: bool


def resolve_streams(build: Build) -> Iterator[StreamedData]:
    """Yield all streamed data of a build."""
    for part, known in enumerate(build.facts):
        base = build.objects_of_part(part).start
        for stream in known.streams:
            file = build.find_file(stream.path, part)
            inside = file is not None and stream.offset + stream.size <= build.files[file].facts.size
            yield StreamedData(base + stream.object, stream.path, file, stream.offset, stream.size, inside)
