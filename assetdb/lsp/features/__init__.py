"""The answers to requests about a document, one module a subject; importing this registers them all."""

from assetdb.lsp.features import completion, definition, folding, hover, inlay, renaming, symbols, usages
from assetdb.lsp.registry import FEATURES

__all__ = ["FEATURES", "completion", "definition", "folding", "hover", "inlay", "renaming", "symbols", "usages"]
