"""Packages outside a project's own folders: where they are, what is in them, and their own database."""
