"""``assetdb name``."""

from __future__ import annotations

from assetdb.cli.lookup import add_query_arguments, run_queries

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from assetdb.cli.quick import Words
    from assetdb.resolve.resolver import Name

add_arguments = add_query_arguments


def run(arguments: argparse.Namespace | Words) -> int:
    """Say what each reference means."""
    return run_queries(arguments, _shown, _is_named)


def _shown(name: Name) -> str:
    return "  ".join(filter(None, (name.name, name.type if not name.name.endswith(")") else "", name.path)))


def _is_named(name: Name) -> bool:
    return not name.reason
