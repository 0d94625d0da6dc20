"""Comparison of assetdb's names with those of the editor's own ``Library``."""
