"""The tables of an export, one class each; docs/scale.md describes them.

New columns and tables may be added at any time. Where one is renamed, removed or gets another meaning,
:data:`SCHEMA` gets another number.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

SCHEMA: Final = 1
_MAX_ID: Final = 1 << 63


class ProjectRow(msgspec.Struct, frozen=True, gc=False):
    """A project at a revision; the one row of its partition."""

    schema: int
    assetdb: str
    tables: str
    commit: str
    product_guid: str
    places: bool
    unread_files: int
    absent_files: int


class AssetRow(msgspec.Struct, frozen=True, gc=False):
    """An asset."""

    guid: str
    path: str
    name: str
    extension: str
    class_id: int
    type: str
    script: str
    shares_guid: bool
    labels: str
    size: int


class ObjectRow(msgspec.Struct, frozen=True, gc=False):
    """An object of an asset."""

    asset: str
    path: str
    file_id: int
    class_id: int
    type: str
    script: str
    name: str
    stripped: bool


class ReferenceRow(msgspec.Struct, frozen=True, gc=False):
    """One place that refers to an asset."""

    asset: str
    path: str
    line: int
    file_id: int
    property: str
    override: str
    target: str
    target_file_id: int | None


class FindingRow(msgspec.Struct, frozen=True, gc=False):
    """A finding, as ``assetdb check`` reports it."""

    code: str
    severity: str
    path: str
    line: int
    message: str
    object: str
    property: str
    asset: str
    file_id: int
    target: str
    fixable: bool
    identity: str


class BuiltObjectRow(msgspec.Struct, frozen=True, gc=False):
    """An object of a build, with its asset."""

    file: str
    path_id: int
    class_id: int
    type: str
    script: str
    name: str
    bytes: int
    streamed_bytes: int
    certainty: str
    asset: str
    file_id: int | None
    path: str


Row: TypeAlias = ProjectRow | AssetRow | ObjectRow | ReferenceRow | FindingRow | BuiltObjectRow
TABLES: Final[dict[str, type[Row]]] = {
    "assets": AssetRow,
    "objects": ObjectRow,
    "references": ReferenceRow,
    "findings": FindingRow,
    "built_objects": BuiltObjectRow,
    "projects": ProjectRow,
}
"""By name. The last one is written last: a partition is complete once it exists."""
OF_PROJECT: Final = ("assets", "objects", "references", "findings")
"""Default tables of a project."""
QUICK: Final = ("assets", "references")
"""Tables that need no files."""


def bounded(number: int) -> int:
    """Return a fileID, or 0 for one of more than 64 bits."""
    return number if -_MAX_ID <= number < _MAX_ID else 0


def encodable(text: str) -> str:
    r"""Return a text with undecodable bytes as ``\udcff``."""
    return text.encode("utf-8", "backslashreplace").decode()


def sql_columns(table: str) -> dict[str, str]:
    """Return name and SQL type of each column of a table."""
    kinds = {str: "VARCHAR", int: "BIGINT", int | None: "BIGINT", bool: "BOOLEAN"}
    return {field.name: kinds[field.type] for field in msgspec.structs.fields(TABLES[table])}
