"""Findings of merges that neither side has."""
