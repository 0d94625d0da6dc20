"""Manifest, lock file and packages of a project that contradict each other."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import PACKAGE_MANIFEST, PACKAGE_MISMATCH
from assetdb.packages.public.releases import version_key
from assetdb.unity.settings.packages import EXCLUDED, LOCK, MANIFEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

_FOLDER: Final = "Packages"
_PACKAGE: Final = "package.json"
_OWN: Final = ("embedded", "builtin")  # they have the folder's version, or the editor's
_VERSION: Final = re.compile(r"\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,100})?(?:\+[0-9A-Za-z.-]{1,100})?")
# A string without an end is one, too: from each of its quotes on, the rest of its line would be read again.
_TOKEN: Final = re.compile(rb'"((?:[^"\\\n]|\\.)*+)(?:"(\s*+:)?)?|[{}\[\]]')
_PLACE: Final = ["", "dependencies"]


class _Object(dict[str, Any]):
    """A JSON object that knows which of its keys it has twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        seen: set[str] = set()
        self.twice = [key for key, _ in pairs if key in seen or seen.add(key)]  # type: ignore[func-returns-value]


def find_contradictions(project: View) -> Iterator[Finding]:
    """Yield packages that manifest, lock and requirements have otherwise."""
    yield from _of_manifest(project)
    yield from (finding for finding in _needs(project) if finding.code == PACKAGE_MISMATCH)


def _of_manifest(project: View) -> Iterator[Finding]:
    data = project.read(MANIFEST) or b""
    asked = _dependencies(data)
    if asked is None:
        return
    for name in asked.twice:
        said = f"{name} is requested twice: the last version counts, {asked[name]!r}"
        yield _finding(PACKAGE_MISMATCH, MANIFEST, said, _line(data, name, last=True), name)
    lock = project.read(LOCK) or b""
    locked = _dependencies(lock)
    if not locked:
        return
    for name in locked.twice:
        said = f"{name} is locked twice: the last entry counts"
        yield _finding(PACKAGE_MISMATCH, LOCK, said, _line(lock, name, last=True), name)
    for name, wanted in asked.items():
        if isinstance(wanted, str) and wanted != EXCLUDED:
            why = _contradiction(wanted, locked.get(name))
            if why:
                said = f"{name} is requested as {wanted!r}, and {why}: each editor writes the lock file anew"
                yield _finding(PACKAGE_MISMATCH, MANIFEST, said, _line(data, name), name)
    for name, entry in locked.items():
        is_asked_for = isinstance(entry, dict) and entry.get("depth") == 0 and entry.get("source") not in _OWN
        if is_asked_for and name not in asked:
            said = f"{name} is locked as requested by the manifest, which has it no more: the editor removes it"
            yield _finding(PACKAGE_MISMATCH, LOCK, said, _line(lock, name), name)


def _contradiction(wanted: str, entry: object) -> str:
    """Return why a lock contradicts a requested version, or ``""``."""
    if entry is None:  # what is no version is told elsewhere
        return "the lock file has no such package" if _is_version(wanted) else ""
    version = entry.get("version") if isinstance(entry, dict) else None
    if not isinstance(version, str) or (isinstance(entry, dict) and entry.get("source") in _OWN):
        return ""
    are_ordered = _is_version(version) and _is_version(wanted)
    if version == wanted or (are_ordered and version_key(version) >= version_key(wanted)):
        return ""  # another package may require a later one
    return f"locked as {version!r}"


def _needs(project: View) -> Iterator[Finding]:
    locked = _dependencies(project.read(LOCK) or b"")
    folders = [name for name in project.names_in(_FOLDER) if project.exists(f"{_FOLDER}/{name}/{_PACKAGE}")]
    packages = {name: project.read(f"{_FOLDER}/{name}/{_PACKAGE}") or b"" for name in folders}
    known = {_name(data) for data in packages.values()} | set(locked or ())
    for folder, data in packages.items():
        path = f"{_FOLDER}/{folder}/{_PACKAGE}"
        for name, version in (_dependencies(data) or {}).items():
            if not isinstance(version, str) or not _is_version(version):
                said = f"requires {name} as {version!r}, which is no version: Unity resolves no package"
                yield _finding(PACKAGE_MANIFEST, path, said, _line(data, name), name)
            elif locked and name not in known:
                said = f"requires {name} {version}, which the lock file does not have"
                yield _finding(PACKAGE_MISMATCH, path, said, _line(data, name), name)


def find_invalid_needs(project: View) -> Iterator[Finding]:
    """Yield requirements of packages in the project that are no versions."""
    return (finding for finding in _needs(project) if finding.code == PACKAGE_MANIFEST)


def _dependencies(data: bytes) -> _Object | None:
    """Return the dependencies of a file, None without any."""
    try:
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_Object)
    except (ValueError, RecursionError):  # another code says so
        return None
    found = content.get("dependencies") if isinstance(content, _Object) else None
    return found if isinstance(found, _Object) else None


def _name(data: bytes) -> str:
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return ""
    name = content.get("name") if isinstance(content, dict) else None
    return name if isinstance(name, str) else ""


def _is_version(text: str) -> bool:
    return _VERSION.fullmatch(text) is not None


@lru_cache(maxsize=2)
def lines_of_needs(data: bytes) -> dict[str, list[int]]:
    """Return the lines of each key in ``dependencies``, in order.

    The name may be a scope of a registry above, or a need of another locked package.
    """
    found: dict[str, list[int]] = {}
    above: list[str] = []
    key, line, counted = "", 1, 0
    for token in _TOKEN.finditer(data):
        if token[2] is not None:
            key = _unescaped(token[1])
            if above == _PLACE:
                line, counted = line + data.count(b"\n", counted, token.start()), token.start()
                found.setdefault(key, []).append(line)
        elif token[0] in (b"{", b"["):
            above.append(key)
        elif token[0] in (b"}", b"]") and above:
            key = above.pop()
    return found


def _unescaped(text: bytes) -> str:
    if b"\\" not in text:
        return text.decode("utf-8", "replace")
    try:
        return str(json.loads(b'"%b"' % text))
    except ValueError:
        return ""


def _line(data: bytes, name: str, *, last: bool = False) -> int:
    """Return the line of a key, 0 if it is not found."""
    return lines_of_needs(data).get(name, [0])[-1 if last else 0]


def _finding(code: str, path: str, said: str, line: int, name: str) -> Finding:
    return Finding.of(code, path, said, line, property_path=f"dependencies.{name}", target=name)
