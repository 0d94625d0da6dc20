"""JSON catalogs."""
