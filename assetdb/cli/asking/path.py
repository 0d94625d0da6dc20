"""``assetdb path``."""

from __future__ import annotations

from assetdb.cli.asking import run_queries

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.cli.arguments import Asking


def path(options: Asking, queries: list[str], *, texture_for_sprite: bool = False) -> int:
    """Say where the asset of each GUID or name is."""
    return run_queries(queries, options, lambda name: ((name.path, "path"),), texture_for_sprite=texture_for_sprite)
