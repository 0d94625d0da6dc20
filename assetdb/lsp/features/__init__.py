"""Answers to requests about a document, one module for each subject."""

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
from assetdb.lsp.protocol.registry import FEATURES

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
