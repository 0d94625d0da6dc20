"""Paths of a project's files, for plans of changes."""

from __future__ import annotations

import os

from assetdb.settings.project import asset_file, is_hidden


def relative_file(root: str, path: str) -> str:
    """Return the file of a path, relative to the project."""
    return asset_file(root, path)[len(root) + 1 :]


def hidden_part(path: str) -> str:
    """Return the name (``Samples~``) that hides a path from Unity, or ``""``."""
    return next((part for part in path.split("/") if is_hidden(os.fsencode(part))), "")
