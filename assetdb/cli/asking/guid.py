"""``assetdb guid``."""

from __future__ import annotations

from assetdb.cli.asking import guid_text, run_queries

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.cli.arguments import Asking


def guid(options: Asking, queries: list[str], *, texture_for_sprite: bool = False) -> int:
    """Print the GUID of each path or name, with a sub-asset's fileID."""
    return run_queries(
        *(queries, options, lambda name: ((guid_text(name.guid, name.file_id), ""),)),
        texture_for_sprite=texture_for_sprite,
    )
