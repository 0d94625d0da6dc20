"""Queries on a build: summary, sizes, duplicates, differences, reasons, catalogs."""
