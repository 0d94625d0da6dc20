"""Questions to a build: what it is, its bytes, what is there twice, missing, changed, and why; its catalogs."""
