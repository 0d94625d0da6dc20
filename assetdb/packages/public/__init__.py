"""Public packages: the GUIDs of their files, and their releases."""
