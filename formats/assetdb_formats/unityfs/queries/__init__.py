"""Questions about bundles and their objects."""
