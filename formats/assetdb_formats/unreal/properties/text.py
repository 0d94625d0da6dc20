"""Gatherable text of a package, for translators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.packages.names import TableReader

if TYPE_CHECKING:
    from assetdb_formats.unreal.packages.summary import Summary
    from assetdb_formats.unreal.reader import Reader

_DEEPEST: Final = 16  # no writer nests metadata at all; what nests deeper than this is damage
MetadataValue = bool | str | list["MetadataValue"] | dict[str, "MetadataValue"] | None


class TextSite(NamedTuple):
    """One place in the package where a text is used."""

    key: str
    site: str
    editor_only: bool
    optional: bool
    information: dict[str, MetadataValue]
    key_metadata: dict[str, MetadataValue]


class GatherableText(NamedTuple):
    """One text with all its places."""

    namespace: str
    source: str
    source_metadata: dict[str, MetadataValue]
    sites: list[TextSite]


def read_gatherable_text(data: bytes, summary: Summary) -> list[GatherableText]:
    """Read the gatherable text of a package."""
    if summary.gatherable_text_count == 0 or summary.gatherable_text_offset <= 0:
        return []
    field = "gatherable_text"
    reader = TableReader(data, summary.gatherable_text_offset, field)
    found = []
    for number in range(reader.count(summary.gatherable_text_count, 16, field)):
        part = f"{field}[{number}]"
        namespace, source = reader.string(part), reader.string(part)
        metadata = _metadata(reader, part, 0)
        sites = []
        for _ in reader.items(24, part):
            key, site = reader.string(part), reader.string(part)
            editor_only, optional = reader.i32(part) != 0, reader.i32(part) != 0
            information = _metadata(reader, part, 0)
            sites.append(TextSite(key, site, editor_only, optional, information, _metadata(reader, part, 0)))
        found.append(GatherableText(namespace, source, metadata, sites))
    return found


def _metadata(reader: Reader, field: str, depth: int) -> dict[str, MetadataValue]:
    return {reader.string(field): _value(reader, field, depth) for _ in reader.items(8, field)}


def _value(reader: Reader, field: str, depth: int) -> MetadataValue:
    if depth > _DEEPEST:
        raise reader.error("metadata nests too deep", field)
    kind = reader.i32(field)
    if kind == 0:
        return None
    if kind == 1:
        return reader.i32(field) != 0
    if kind == 2:
        return reader.string(field)
    if kind == 3:
        return [_value(reader, field, depth + 1) for _ in reader.items(4, field)]
    if kind == 4:
        return _metadata(reader, field, depth + 1)
    raise reader.error(f"metadata of the unknown kind {kind}", field)
