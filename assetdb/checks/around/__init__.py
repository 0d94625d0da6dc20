"""Findings of the package around a project."""
