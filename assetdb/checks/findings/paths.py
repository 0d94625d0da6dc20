"""Paths of findings, relative to the project, repository or working directory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.checks.findings.selection import is_pattern, within
from assetdb.errors import UsageError
from assetdb.query.selecting.spelling import as_listed
from assetdb.settings.project import (
    META,
    SETTINGS_FOLDERS,
    asset_file,
    asset_prefix,
    folder_and_parents,
    project_above,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assetdb.checks.findings.finding import Finding
    from assetdb.query.snapshots.snapshot import Snapshot


def project_of(words: Sequence[str], cwd: str = "") -> str | None:
    """Return the project around the first path, None without paths."""
    return project_above(os.path.join(cwd, words[0], "x")) if words else None


def project_paths(root: str, words: Iterable[str], cwd: str = "") -> tuple[str, ...]:
    """Return words, maybe patterns, as paths in a project (``""``: all).

    Words are relative to the working directory, or else to the project.

    Raises:
        UsageError: nothing has such a path, or it is outside the project.
    """
    return tuple(_project_path(root, word, cwd) for word in words)


def _project_path(root: str, word: str, cwd: str) -> str:
    here = os.path.abspath(os.path.join(cwd, word))
    there = os.path.normpath(os.path.join(root, word))
    is_pattern = _has_wildcard(word)
    for path in (here, there):
        if os.path.lexists(path) or (not is_pattern and os.path.lexists(path + META)):
            return _inside(root, path, word)
    if is_pattern:
        if "/" not in word.replace(os.sep, "/"):  # a bare name matches anywhere
            return word
        for path in (here, there):
            inside = relative_path(root, path, os.path.realpath(path))
            if inside is not None and os.path.lexists(_fixed_part(path)):
                return _mounted(root, inside)
    raise UsageError(f"{word}: no such file or folder, here or in {root}")


def without_assets(project: Snapshot, paths: Iterable[str]) -> list[str]:
    """Return the paths and patterns of :func:`project_paths` without assets.

    Such words are patterns without a match, folders that Unity hides, and folders beside the assets. Settings of a
    project are not assets, but have findings.
    """
    asked = list(dict.fromkeys(paths))
    plain = {path: path.rstrip("/") for path in asked if path not in ("", ".") and not is_pattern(path)}
    left = set(plain.values())
    patterns = {path: within((path,)) for path in asked if path not in plain}
    folder = None
    for known in _known_paths(project):  # each is looked up: a hook gives thousands of paths, and a project has more
        left -= {known, known.removesuffix(META)}
        above = os.path.dirname(known)
        if above != folder:
            folder = above
            left.difference_update(folder_and_parents(folder))
        for path in [path for path, inside in patterns.items() if inside(known)]:
            del patterns[path]
        if not (left or patterns):
            break
    return [path for path in asked if path in patterns or plain.get(path) in left]


def _known_paths(project: Snapshot) -> Iterator[str]:
    """Yield the paths that may have findings."""
    listing = project.listing()
    if listing is None:
        yield from (asset.path for asset in project.database)
        yield from (path for _guid, path in project.database.folders())
    else:
        for path, directory in listing.directories.items():
            yield os.fsdecode(path)
            yield from (os.fsdecode(path + b"/" + name) for name in directory.files.split(b"/") if name)
    for folder in SETTINGS_FOLDERS:
        try:
            yield from (f"{folder}/{name}" for name in os.listdir(os.path.join(project.root, folder)))
        except OSError:  # then it has none
            continue


def _fixed_part(pattern: str) -> str:
    """Return the folder in front of a pattern's first wildcard."""
    while _has_wildcard(pattern):
        pattern = os.path.dirname(pattern)
    return pattern


def _has_wildcard(word: str) -> bool:
    return any(character in word for character in "*?[")


def _inside(root: str, place: str, word: str) -> str:
    spelled = as_listed(root, place)
    path = relative_path(root, spelled, os.path.realpath(spelled))
    if path is None:
        raise UsageError(f"{word} is not in the project {root}")
    return _mounted(root, path)


def relative_path(root: str, place: str, real_place: str) -> str | None:
    """Return a path relative to the project; ``""`` for itself, None outside."""
    for folder, inside in ((root, place), (os.path.realpath(root), real_place)):
        if folder == inside:
            return ""
        if inside.startswith(os.path.join(folder, "")):
            return inside[len(os.path.join(folder, "")) :].replace(os.sep, "/")
    return None


def _mounted(root: str, path: str) -> str:
    """Return a path as assets have it, in a package below ``Packages``."""
    return asset_prefix(root) + path if path else path


def with_files(root: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings with paths as the repository of a package has them."""
    if not asset_prefix(root):
        yield from findings
        return
    for finding in findings:
        file = asset_file(root, finding.path)
        yield finding._replace(path=relative_path(root, file, os.path.realpath(file)) or finding.path)
