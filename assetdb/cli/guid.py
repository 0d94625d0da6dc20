"""``assetdb guid``."""

from __future__ import annotations

from assetdb.cli.lookup import is_known, run_queries

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.cli.options import Asking, Queries
    from assetdb.resolve.resolver import Name


def guid(options: Asking, queries: Queries) -> int:
    """Say which GUID (and fileID, for a sub-asset) each path or name has."""
    return run_queries(queries, options, _shown, is_known)


def _shown(name: Name) -> str:
    return name.guid if name.file_id is None else f"{name.guid}:{name.file_id}"
