"""Zen packages, the form that packages have in .utoc containers."""
