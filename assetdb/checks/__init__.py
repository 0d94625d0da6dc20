"""Checks of a project: findings, their reports, and fixes."""
