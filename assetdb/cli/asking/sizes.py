"""Bytes of assets as cells of a table, and their sum."""

from __future__ import annotations

from assetdb.checks.counting import counted

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.unity.textures.imported import ImportedTexture


def size_cells(sizes: Mapping[str, int], path: str, *, wanted: bool = True) -> list[str]:
    """Return the column of an asset's bytes, if wanted."""
    return [f"{sizes[path]:,}" if path in sizes else ""] if wanted else []


def print_total(sizes: Mapping[str, int]) -> None:
    """Print how many files there are, and their bytes."""
    print(f"{counted(len(sizes), 'file')}, {counted(sum(sizes.values()), 'byte')}")


def imported_cells(textures: Mapping[str, ImportedTexture], path: str) -> list[str]:
    """Return the columns of an imported texture: bytes, and size with format."""
    found = textures.get(path)
    if found is None:
        return ["", ""]
    from assetdb.query.imported_sizes import format_name  # noqa: PLC0415 - few ask for textures

    levels = f", {counted(found.mips, 'level')}" if found.mips > 1 else ""
    size = f"{found.bytes:,}" if found.bytes is not None else "?"
    return [size, f"{found.width}x{found.height} {format_name(found)}{levels}"]


def print_imported(textures: Mapping[str, ImportedTexture], platform: str) -> None:
    """Print how many textures have an estimate, and their bytes."""
    known = [found.bytes for found in textures.values() if found.bytes is not None]
    crunched = len(textures) - len(known)
    more = f"; {counted(crunched, 'texture')} crunched, of unknown bytes" if crunched else ""
    print(f"imported for {platform}: {counted(len(known), 'texture')}, {counted(sum(known), 'byte')}, estimated{more}")
