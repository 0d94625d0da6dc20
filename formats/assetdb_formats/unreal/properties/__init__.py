"""Properties of exports: tagged and unversioned, with their values."""
