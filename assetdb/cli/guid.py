"""``assetdb guid``."""

from __future__ import annotations

from assetdb.cli.lookup import is_known, run_queries

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.cli.arguments import Asking
    from assetdb.cli.lookup import Cells
    from assetdb.cli.options import Queries, TextureForSprite
    from assetdb.resolve.resolver import Name


def guid(options: Asking, queries: Queries, texture_for_sprite: TextureForSprite = False) -> int:
    """Print the GUID of each path or name.

    Of a sub-asset also the fileID.
    """
    return run_queries(queries, options, _cells, is_known, texture_for_sprite=texture_for_sprite)


def _cells(name: Name) -> Cells:
    return ((name.guid if name.file_id is None else f"{name.guid}:{name.file_id}", ""),)
