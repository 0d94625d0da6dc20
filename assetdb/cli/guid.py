"""``assetdb guid``."""

from __future__ import annotations

from assetdb.cli.lookup import add_query_arguments, is_known, run_queries

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from assetdb.resolve.resolver import Name

add_arguments = add_query_arguments


def run(arguments: argparse.Namespace) -> int:
    """Say which GUID (and fileID, for a sub-asset) each path or name has."""
    return run_queries(arguments, _shown, is_known)


def _shown(name: Name) -> str:
    return name.guid if name.file_id is None else f"{name.guid}:{name.file_id}"
