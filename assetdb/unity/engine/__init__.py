"""The engine's own classes, members and built-in objects."""
