"""Files beside a catalog: layout, settings, state, hash and bundles."""
