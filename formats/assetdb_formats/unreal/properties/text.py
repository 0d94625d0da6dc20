"""Gatherable text of a package, for translators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.reader import Reader
from assetdb_formats.unreal.strings import string_at

if TYPE_CHECKING:
    from assetdb_formats.unreal.packages.summary import Summary

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
    """Read the gatherable text of a package.

    Raises:
        UnrealError: if the table does not lie within the data.
    """
    if summary.gatherable_text_count == 0 or summary.gatherable_text_offset <= 0:
        return []
    field = "gatherable_text"
    if summary.gatherable_text_offset > len(data):
        raise UnrealError(f"points to {summary.gatherable_text_offset}, after the end", field=field)
    reader = _TextReader(data, summary.gatherable_text_offset)
    found = []
    for number in range(reader.count(summary.gatherable_text_count, 16, field)):
        part = f"{field}[{number}]"
        namespace = reader.string(part)
        source = reader.string(part)
        metadata = _metadata(reader, part, 0)
        sites = []
        for _ in range(reader.count(reader.i32(part), 24, part)):
            key = reader.string(part)
            site = reader.string(part)
            editor_only, optional = reader.i32(part) != 0, reader.i32(part) != 0
            information = _metadata(reader, part, 0)
            sites.append(TextSite(key, site, editor_only, optional, information, _metadata(reader, part, 0)))
        found.append(GatherableText(namespace, source, metadata, sites))
    return found


class _TextReader(Reader):
    """A reader that also reads FStrings."""

    __slots__ = ("_bytes",)

    def __init__(self, data: bytes, position: int) -> None:
        super().__init__(data, position)
        self._bytes = data

    def string(self, field: str) -> str:
        text, self.position = string_at(self._bytes, self.position, field)
        return text


def _metadata(reader: _TextReader, field: str, depth: int) -> dict[str, MetadataValue]:
    found: dict[str, MetadataValue] = {}
    for _ in range(reader.count(reader.i32(field), 8, field)):
        key = reader.string(field)
        found[key] = _value(reader, field, depth)
    return found


def _value(reader: _TextReader, field: str, depth: int) -> MetadataValue:
    """Read one metadata value: none, boolean, string, array or object, by its number."""
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
        return [_value(reader, field, depth + 1) for _ in range(reader.count(reader.i32(field), 4, field))]
    if kind == 4:
        return _metadata(reader, field, depth + 1)
    raise reader.error(f"metadata of the unknown kind {kind}", field)
