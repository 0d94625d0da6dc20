"""Queries on a snapshot of a project's database."""
