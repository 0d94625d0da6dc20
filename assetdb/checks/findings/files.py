"""Findings of files, from the diagnostics of the scan.

If folders contain nothing but metas of missing folders, the whole chain is reported.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.codes import NO_FOLDER
from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.selection import is_of_assetdb, severity_of
from assetdb.diagnostics import NOT_SHARED
from assetdb.packages.shared_guids import with_copies
from assetdb.settings.project import META, asset_file

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from assetdb.diagnostics import Diagnostic

_OF_A_RUN: Final = ("cache-not-written", NOT_SHARED, "no-file-locks")  # and not of a project


def file_findings(root: str, diagnostics: Iterable[Diagnostic], wanted: Container[str]) -> Iterator[Finding]:
    """Yield findings of diagnostics with wanted codes."""
    items = [item for item in with_copies(diagnostics) if item.code in wanted and item.code not in _OF_A_RUN]
    emptied = _emptied(root, items)
    for item in items:
        if is_of_assetdb(root, item):
            continue
        path, message = item.path.rstrip("/"), item.message
        if path in emptied:
            message = f"{message}, and with it {emptied[path]} holds nothing: delete the metas of all of them"
        yield Finding(item.code, severity_of(item), path, message, item.line)


def _emptied(root: str, items: Iterable[Diagnostic]) -> dict[str, str]:
    """Return, by meta, the highest folder that holds only such metas.

    git keeps no empty folders: deleting the meta leaves the folder above it empty, and so on (whole trees of old art in
    unitystation). A hidden file (``.gitkeep``) keeps its folder.
    """
    absent = {item.path.removesuffix(META) for item in items if item.code == NO_FOLDER}
    if not absent:
        return {}
    above = {folder for path in absent for folder in _folders_above(path)}
    empty: set[str] = set()
    for folder in sorted(above, key=lambda path: -path.count("/")):  # the deepest first
        names = {name.removesuffix(META) for name in _listed(asset_file(root, folder))}
        if names and all(f"{folder}/{name}" in absent or f"{folder}/{name}" in empty for name in names):
            empty.add(folder)
    tops = {path: [folder for folder in _folders_above(path) if folder in empty] for path in absent}
    return {f"{path}{META}": folders[-1] for path, folders in tops.items() if folders}


def _folders_above(path: str) -> Iterator[str]:
    """Yield the folders above a path, the nearest first, without the top."""
    folder = path.rpartition("/")[0]
    while "/" in folder:
        yield folder
        folder = folder.rpartition("/")[0]


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:  # then it is not reported
        return []
