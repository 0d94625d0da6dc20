"""The database of a folder of packages."""
