"""Comparison of assetdb's names with names in the editor's own ``Library``."""
