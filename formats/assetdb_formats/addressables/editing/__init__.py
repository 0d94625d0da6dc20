"""Changes of a catalog's content, and the files written of it."""
