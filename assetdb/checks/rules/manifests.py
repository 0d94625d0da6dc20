"""Package manifest and lock file: invalid JSON, entries and local paths."""

from __future__ import annotations

import json
import posixpath
import re
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import PACKAGE_MANIFEST
from assetdb.unity.kinds import is_lfs_pointer
from assetdb.unity.settings.packages import LOCK, MANIFEST
from assetdb.unity.yaml.text_asset import conflict_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

_FILE: Final = "file:"
_ABSOLUTE: Final = re.compile(r"/|[A-Za-z]:[/\\]")
_FOLDER: Final = "Packages"


def find_problems(project: View) -> Iterator[Finding]:
    """Yield findings that keep Unity from resolving packages."""
    for path in (MANIFEST, LOCK):
        data = project.read(path)
        if data is None:
            continue
        try:
            content = json.loads(data.decode("utf-8-sig"))
        except ValueError as error:
            yield _finding(path, _why_no_json(data), _line(data, error))
            continue
        except RecursionError:
            yield _finding(path, "is nested too deeply to be a package manifest")
            continue
        dependencies = content.get("dependencies", {}) if isinstance(content, dict) else None
        if not isinstance(dependencies, dict):
            yield _finding(path, "has no object `dependencies`: Unity cannot read it")
        elif path == MANIFEST:
            yield from _gone(project, data, dependencies)


def _gone(project: View, data: bytes, dependencies: dict[str, object]) -> Iterator[Finding]:
    """Yield absent local packages, which keep Unity from opening the project."""
    for name, asked in dependencies.items():
        if not isinstance(asked, str) or not asked.startswith(_FILE):
            continue
        place = asked.removeprefix(_FILE).replace("\\", "/")
        path = place if _ABSOLUTE.match(place) else posixpath.normpath(f"{_FOLDER}/{place}")
        if not project.exists(path):
            at = data.find(json.dumps(name).encode())
            line = data.count(b"\n", 0, at) + 1 if at >= 0 else 0
            yield _finding(
                MANIFEST, f"{name} is requested as {asked}, which does not exist", line, f"dependencies.{name}"
            )


def _why_no_json(data: bytes) -> str:
    if is_lfs_pointer(data):
        return "the file is a Git LFS pointer"
    return "an unresolved merge" if conflict_line(data) else "is not JSON: Unity cannot read it"


def _line(data: bytes, error: ValueError) -> int:
    """Return the line of an error, 0 in a binary file."""
    if isinstance(error, json.JSONDecodeError):
        return conflict_line(data) or error.lineno
    return 0


def _finding(path: str, message: str, line: int = 0, prop: str = "") -> Finding:
    return Finding.of(PACKAGE_MANIFEST, path, message, line, property_path=prop)
