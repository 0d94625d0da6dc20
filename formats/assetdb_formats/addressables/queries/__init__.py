"""Questions about catalogs."""
