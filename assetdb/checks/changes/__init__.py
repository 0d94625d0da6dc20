"""Findings of a change: staged, since a revision, or of a merge."""
