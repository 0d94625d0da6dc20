"""Verdicts on all references of a project, with the places of problems."""
