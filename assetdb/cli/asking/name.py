"""``assetdb name``."""

from __future__ import annotations

from assetdb.cli.asking import run_queries

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.cli.arguments import Asking
    from assetdb.cli.asking import Cells
    from assetdb.resolve.resolver import Name


def name(options: Asking, queries: list[str], *, texture_for_sprite: bool = False) -> int:
    """Print the meaning of each reference."""
    return run_queries(queries, options, _cells, needs_name=True, texture_for_sprite=texture_for_sprite)


def _cells(name: Name) -> Cells:
    return ((name.name, ""), (name.type if not name.name.endswith(")") else "", "type"), (name.path, "path"))
