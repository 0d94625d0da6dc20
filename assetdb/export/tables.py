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


class BuiltRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An object of a build with facts, None if unreadable."""

    file: str
    path_id: int
    name: str


class BuiltTextureRow(BuiltRow, frozen=True, gc=False):
    """A Texture2D."""

    width: int | None = None
    height: int | None = None
    format: str | None = None
    mips: int | None = None
    readable: bool | None = None


class BuiltMeshRow(BuiltRow, frozen=True, gc=False):
    """A Mesh."""

    vertices: int | None = None
    indices: int | None = None
    submeshes: int | None = None
    readable: bool | None = None


class BuiltAudioClipRow(BuiltRow, frozen=True, gc=False):
    """An AudioClip."""

    length: float | None = None
    channels: int | None = None
    frequency: int | None = None
    load_type: str | None = None
    compression: str | None = None


class BuiltShaderRow(BuiltRow, frozen=True, gc=False):
    """A Shader."""

    passes: int | None = None
    keywords: int | None = None
    variants: int | None = None


class BuiltFontRow(BuiltRow, frozen=True, gc=False):
    """A Font."""

    names: str | None = None
    font_size: float | None = None
    characters: int | None = None
    data: int | None = None


class BuiltAnimationClipRow(BuiltRow, frozen=True, gc=False):
    """An AnimationClip."""

    length: float | None = None
    frame_rate: float | None = None
    legacy: bool | None = None
    events: int | None = None


Row: TypeAlias = ProjectRow | AssetRow | ObjectRow | ReferenceRow | FindingRow | BuiltObjectRow | BuiltRow
BUILT: Final[dict[str, tuple[str, type[BuiltRow]]]] = {
    "Texture2D": ("built_textures", BuiltTextureRow),
    "Mesh": ("built_meshes", BuiltMeshRow),
    "AudioClip": ("built_audio_clips", BuiltAudioClipRow),
    "Shader": ("built_shaders", BuiltShaderRow),
    "Font": ("built_fonts", BuiltFontRow),
    "AnimationClip": ("built_animation_clips", BuiltAnimationClipRow),
}
"""By class the table of facts of its objects."""
TABLES: Final[dict[str, type[Row]]] = {
    "assets": AssetRow,
    "objects": ObjectRow,
    "references": ReferenceRow,
    "findings": FindingRow,
    "built_objects": BuiltObjectRow,
    **dict(BUILT.values()),
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
    kinds: dict[object, str] = {
        str: "VARCHAR",
        int: "BIGINT",
        bool: "BOOLEAN",
        float: "DOUBLE",
        str | None: "VARCHAR",
        int | None: "BIGINT",
        bool | None: "BOOLEAN",
        float | None: "DOUBLE",
    }
    return {field.name: kinds[field.type] for field in msgspec.structs.fields(TABLES[table])}
