"""The project that a ``.casset`` is looked at in: where it is, and reading it with a progress bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.terminal import Progress
from formats.casset.files import project_of, scan

if TYPE_CHECKING:
    import argparse

    from formats.casset.project import Project


def project_for(path: str, arguments: argparse.Namespace) -> str:
    """Return the project folder that the user named, or the one around a file."""
    folder: str = arguments.project or project_of(path)
    return folder


def scanned(folder: str, engine: str) -> Project:
    """Read the index of every bundle of a project."""
    progress = Progress("scan")
    try:
        return scan(folder, engine, progress)
    finally:
        progress.close()


def target_name(project: Project, bundle: bytes) -> str | None:
    """Return the logical path of a bundle; of one that is not there the path that its UUID foretells, marked so."""
    entries = project.by_uuid.get(bundle)
    if entries:
        return entries[0].path
    predicted = project.predicted_path(bundle)
    return f"{predicted} (by its id; no such bundle)" if predicted else None
