"""The answers to requests about a document, one module a subject; importing this registers them all."""

from assetdb.lsp.features import (
    actions,
    completion,
    definition,
    diagnostics,
    folding,
    highlights,
    hover,
    inlay,
    links,
    renaming,
    selection,
    symbols,
    usages,
)
from assetdb.lsp.registry import FEATURES

__all__ = [
    "FEATURES",
    "actions",
    "completion",
    "definition",
    "diagnostics",
    "folding",
    "highlights",
    "hover",
    "inlay",
    "links",
    "renaming",
    "selection",
    "symbols",
    "usages",
]
