"""Binary catalogs."""
