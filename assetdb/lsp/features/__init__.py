"""Answers to requests about a document, one module for each subject."""

from assetdb.lsp.features import (  # noqa: F401 - importing a module registers its features
    actions,
    completion,
    definition,
    diagnostics,
    folding,
    highlights,
    hover,
    lenses,
    renaming,
    selection,
    symbols,
    usages,
)
