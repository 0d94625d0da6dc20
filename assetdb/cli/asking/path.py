"""``assetdb path``."""

from __future__ import annotations

from assetdb.cli.asking import is_known, run_queries

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.cli.arguments import Asking
    from assetdb.cli.asking import Cells
    from assetdb.resolve.resolver import Name


def path(options: Asking, queries: list[str], *, texture_for_sprite: bool = False) -> int:
    """Say where the asset of each GUID or name is."""
    return run_queries(queries, options, _cells, is_known, texture_for_sprite=texture_for_sprite)


def _cells(name: Name) -> Cells:
    return ((name.path, "path"),)
