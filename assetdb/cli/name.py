"""``assetdb name``."""

from __future__ import annotations

from assetdb.cli.lookup import run_queries

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.cli.options import Asking, Queries
    from assetdb.resolve.resolver import Name


def name(options: Asking, queries: Queries) -> int:
    """Say what each reference means."""
    return run_queries(queries, options, _shown, _is_named)


def _shown(name: Name) -> str:
    return "  ".join(filter(None, (name.name, name.type if not name.name.endswith(")") else "", name.path)))


def _is_named(name: Name) -> bool:
    return not name.reason
