"""Textures as a platform gets them, estimated without the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assetdb.errors import UsageError
from assetdb.settings.project import META, asset_file
from assetdb.system.reading import read_head
from assetdb.unity.kinds import extension_of
from assetdb.unity.settings.editor_version import VERSION_FILE, unity_version
from assetdb.unity.textures.formats import TEXTURE_FORMATS
from assetdb.unity.textures.imported import PLATFORMS, imported_texture
from assetdb.unity.textures.pictures import HEAD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.query.sizes import HasPath
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.unity.textures.imported import ImportedTexture

_TEXTURES: Final = frozenset(("png", "jpg", "jpeg", "tga", "psd", "bmp", "gif"))
_LARGEST_META: Final = 1 << 20


def imported_sizes(project: Snapshot, rows: Iterable[HasPath], platform: str) -> dict[str, ImportedTexture]:
    """Return the textures among some assets by path, as imported.

    Args:
        project: where they are.
        rows: the assets; those that are no pictures, or of which nothing is known, are left out.
        platform: a word of :data:`PLATFORMS`, in any case.

    Raises:
        UsageError: there is no such platform.
        ScanError: a file cannot be read now.
    """
    target = PLATFORMS.get(platform.casefold())
    if target is None:
        raise UsageError(f"there is no platform {platform!r} (platforms are {', '.join(PLATFORMS)})")
    version = unity_version(project.read(VERSION_FILE) or b"")[:2]
    found = {}
    for path in dict.fromkeys(row.path for row in rows):
        extension = extension_of(path)
        if extension in _TEXTURES:
            file = asset_file(project.root, path)
            head, meta = read_head(file, HEAD), read_head(file + META, _LARGEST_META)
            texture = imported_texture(head, extension, meta, target, version) if head and meta else None
            if texture is not None:
                found[path] = texture
    return found


def imported_fields(texture: ImportedTexture | None) -> dict[str, Any] | None:
    """Return a texture for JSON."""
    if texture is None:
        return None
    return {**texture._asdict(), "format": format_name(texture)}


def format_name(texture: ImportedTexture) -> str:
    """Return Unity's name of a texture's format."""
    return TEXTURE_FORMATS.get(texture.format, str(texture.format))
