"""The answers to requests about a document, one module a subject; importing this registers them all."""

from assetdb.lsp.features import actions, completion, definition, folding, hover, inlay, renaming, symbols, usages
from assetdb.lsp.registry import FEATURES

__all__ = [
    "FEATURES",
    "actions",
    "completion",
    "definition",
    "folding",
    "hover",
    "inlay",
    "renaming",
    "symbols",
    "usages",
]
