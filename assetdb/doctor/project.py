"""Examination of the project: Unity, output folder, database, packages, files."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import counted, listed
from assetdb.checks.findings.unjudged import absent_packages
from assetdb.checks.verdicts.judging import last_counts, scan_tree
from assetdb.daemon.files.lock import is_held
from assetdb.doctor.item import ERROR, OK, WARNING, Item
from assetdb.errors import AssetdbError, DatabaseError, FileError
from assetdb.query.graph.verdicts import OUTSIDE
from assetdb.query.snapshots.last_diagnostics import kept_diagnostics
from assetdb.query.snapshots.snapshot import open_project
from assetdb.settings.output_folder import OUT_DIR_VARIABLE, output_folder
from assetdb.settings.project import is_part, package_name
from assetdb.store.database import open_baked
from assetdb.store.files import DATABASE_NAME
from assetdb.system.durations import duration
from assetdb.system.reading import read_file
from assetdb.unity.settings.editor_version import VERSION_FILE, editor_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.settings.effective import Settings

_POINTER: Final = "lfs-pointer"
_LONG: Final = 1.0  # seconds of scanning that are worth a warning
_BAKE: Final = "run `assetdb bake`; the first question also creates it"


def examine_project(settings: Settings) -> Iterator[Item]:
    """Yield the lines about a project and its database."""
    yield _unity(settings.root)
    yield _output(settings)
    path = os.path.join(settings.folder, DATABASE_NAME)
    if not os.path.lexists(path):
        yield Item("database", WARNING, "there is none yet", _BAKE)
        return
    try:
        open_baked(path)[0].close()
        project = open_project(settings.root, settings.folder, refresh=False)
    except (DatabaseError, FileError) as error:
        yield Item("database", ERROR, str(error), "run `assetdb bake`, which rebuilds it")
        return
    try:
        yield from _database(project, path)
        yield _packages(project)
        yield from _files(settings)
    finally:
        project.close()


def _unity(root: str) -> Item:
    if package_name(root):
        return Item("project", OK, f"{root}, a package")
    if is_part(root):
        return Item("project", OK, f"{root}, a folder of assets without a project")
    version = editor_version(read_file(os.path.join(root, VERSION_FILE)) or b"")
    if version:
        return Item("project", OK, f"{root}, Unity {version}")
    advice = "commit that file; until then metas are written as the newest Unity does"
    return Item("project", WARNING, f"{root}: {VERSION_FILE} names no version of Unity", advice)


def _output(settings: Settings) -> Item:
    topic, folder = "output folder", settings.folder
    existing = folder
    while not os.path.isdir(existing) and os.path.dirname(existing) != existing:
        existing = os.path.dirname(existing)
    if not os.access(existing, os.W_OK | os.X_OK):
        advice = f"let this user write there, or name another folder (--out-dir or {OUT_DIR_VARIABLE})"
        return Item(topic, ERROR, f"{existing} cannot be written to", advice)
    chosen = output_folder(settings.root)
    reason = f": {chosen.reason}" if chosen.reason and chosen.path == folder else ""
    return Item(topic, OK, f"{folder}{reason}")


def _database(project: Snapshot, path: str) -> Iterator[Item]:
    assets, folders = project.database.counts
    age = duration(max(time.time() - os.stat(path).st_mtime, 0))
    message = f"{counted(assets, 'asset')} in {counted(folders, 'folder')}, written {age} ago"
    began = time.monotonic()
    try:
        _, is_current = scan_tree(project)
    except AssetdbError as error:
        yield Item(
            "database", ERROR, f"{message}; the project cannot be read: {error}", "run `assetdb bake` for all errors"
        )
        return
    took = time.monotonic() - began
    if is_current:
        yield Item("database", OK, f"{message}, up to date")
    else:
        yield Item("database", OK, f"{message}, files changed since: the next question reads these")
    cost = f"a scan of all files took {took:.2f} s; without a daemon most questions begin with one"
    if took > _LONG and not is_held(project.folder):
        yield Item("speed", WARNING, cost, "run `assetdb watch --detach`: it receives change events")
    else:
        yield Item("speed", OK, cost)


def _packages(project: Snapshot) -> Item:
    absent = absent_packages(project)
    rows = project.packages.list.rows
    if not absent:
        known = sum(not row.folder for row in rows)
        note = f", {known:,} of them public ones that are not here and whose GUIDs are known" if known else ""
        return Item("packages", OK, f"{counted(len(rows), 'package')} outside the project{note}")
    counts = last_counts(project.folder)
    hidden = sum(count for (kind, _), count in (counts or {}).items() if kind == OUTSIDE)
    effect = (
        f"{counted(hidden, 'reference')} could not be judged by the last check"
        if counts is not None
        else "references to their assets cannot be judged"
    )
    names = listed([f"{row.name}@{row.version}" if row.version else row.name for row in absent])
    advice = "open the project in Unity once, which fills Library/PackageCache"
    return Item("packages", WARNING, f"{len(absent):,} of {len(rows):,} are not here ({names}): {effect}", advice)


def _files(settings: Settings) -> Iterator[Item]:
    found = kept_diagnostics(settings.root, settings.folder)
    if found is None:
        return
    pointers = [row.path for row in found if row.code == _POINTER]
    if pointers:
        message = f"{counted(len(pointers), 'file')} of Git LFS not fetched: their names and references are not known"
        yield Item("files", WARNING, f"{message}: {listed(pointers)}", "run `git lfs pull`")
    others = len(found) - len(pointers)
    if others:
        yield Item("files", WARNING, f"{counted(others, 'problem')} in metas and assets", "run `assetdb check`")
    if not found:
        yield Item("files", OK, "no problems in metas and assets")
