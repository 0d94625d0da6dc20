"""``assetdb path``."""

from __future__ import annotations

from assetdb.cli.lookup import is_known, run_queries

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.cli.options import Asking, Queries
    from assetdb.resolve.resolver import Name


def path(options: Asking, queries: Queries) -> int:
    """Say where the asset of each GUID or name is."""
    return run_queries(queries, options, _shown, is_known)


def _shown(name: Name) -> str:
    return name.path
