"""Paths of a project's files, for plans of changes."""

from __future__ import annotations

import os

from assetdb.settings.project import is_hidden


def hidden_part(path: str) -> str:
    """Return the name (``Samples~``) that hides a path from Unity, or ``""``."""
    return next((part for part in path.split("/") if is_hidden(os.fsencode(part))), "")
