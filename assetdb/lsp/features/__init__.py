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
from assetdb.lsp.features.scripts import call_hierarchy  # noqa: F401 - registers its feature
