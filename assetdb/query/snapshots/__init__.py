"""Snapshots of a project: refreshed, verified, or of a revision."""
