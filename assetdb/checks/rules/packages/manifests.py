"""Package manifest, lock file and embedded packages: invalid JSON, entries, names, versions."""

from __future__ import annotations

import json
import posixpath
import re
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import PACKAGE_MANIFEST
from assetdb.checks.rules.packages.locks import lines_of_needs
from assetdb.unity.kinds import is_lfs_pointer
from assetdb.unity.settings.packages import EXCLUDED, LOCK, MANIFEST, TARBALLS, listed_package
from assetdb.unity.yaml.text_asset import conflict_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

_FILE: Final = "file:"
_ABSOLUTE: Final = re.compile(r"/|[A-Za-z]:[/\\]")
_FOLDER: Final = "Packages"
_PACKAGE: Final = "package.json"
_VERSION: Final = re.compile(r"\d+\.\d+\.\d+")  # Unity takes nothing shorter, no range and no name
# Without zeros in front (ME.BECS, issue 10: 2023.02.08-rc1) and letters behind (FishNet, issue 903: 4.6.7hf0).
_NUMBER: Final = r"(?:0|[1-9]\d{0,15})"
_PART: Final = rf"(?:{_NUMBER}|\d*[A-Za-z-][0-9A-Za-z-]*)"
_SEMANTIC: Final = re.compile(
    rf"\s*[v=]?{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-{_PART}(?:\.{_PART})*)?(?:\+[0-9A-Za-z.-]+)?\s*", re.ASCII
)
_EDITOR: Final = re.compile(r"\d{4}\.\d{1,2}", re.ASCII)
_NAME: Final = re.compile(r"(?:@[\w.-]+/)?\w[\w.-]*", re.ASCII)
_LONGEST: Final = 300


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
        if path == MANIFEST and isinstance(content, dict):
            for key, why in _wrong_registries(content.get("scopedRegistries", [])):
                place = data.find(b'"scopedRegistries"')
                said = f"a registry of packages {why}: Unity loads no package"
                yield _finding(path, said, data.count(b"\n", 0, place) + 1, f"scopedRegistries{key}")
        dependencies = content.get("dependencies", {}) if isinstance(content, dict) else None
        if not isinstance(dependencies, dict):
            yield _finding(path, "has no object `dependencies`: Unity cannot read it")
            continue
        lines: dict[str, list[int]] | None = None
        for name, entry in dependencies.items():
            why = _wrong(project, name, entry) if path == MANIFEST else _wrong_in_lock(name, entry)
            if why:
                lines = lines_of_needs(data) if lines is None else lines
                yield _finding(path, f"{name} {why}", lines.get(name, [0])[-1], f"dependencies.{name}")


def _wrong_registries(found: object) -> Iterator[tuple[str, str]]:
    """Yield places of registries that Unity refuses, with the reasons.

    Tools leave one without scopes (openupm-cli, issue 134; KtxUnity, issue 76).
    """
    if not isinstance(found, list):
        yield "", "is no list"
        return
    for number, registry in enumerate(found):
        if not isinstance(registry, dict):
            yield f"[{number}]", "is no JSON object"
            continue
        scopes, address = registry.get("scopes"), registry.get("url")
        if not isinstance(scopes, list) or not scopes:
            yield f"[{number}].scopes", "has no scopes"
        if not isinstance(address, str) or not address:
            yield f"[{number}].url", "has no url"


def find_invalid_packages(project: View) -> Iterator[Finding]:
    """Yield embedded packages that Unity refuses, and with them all others.

    It says that the folder Packages contains invalid packages (Scrmizu, issue 16).
    """
    for folder in project.names_in(_FOLDER):
        path = f"{_FOLDER}/{folder}/{_PACKAGE}"
        is_ignored = folder.startswith(".") or folder.endswith("~")
        data = None if is_ignored or not project.exists(path) else project.read(path)
        if data is None:
            continue
        for key, why in _wrong_in_package(data):
            place = data.find(f'"{key}"'.encode()) if key else -1
            line = data.count(b"\n", 0, place) + 1 if place >= 0 else 0
            yield _finding(path, f"{why}: Unity resolves no package", line, key)


def _wrong_in_package(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield keys of a ``package.json`` with why Unity refuses them."""
    if not data.strip():
        yield "", "is empty"
        return
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):  # other codes say so
        return
    if not isinstance(content, dict):
        yield "", "is no JSON object"
        return
    for key, form, what in (("name", _NAME, "no name of a package"), ("version", _SEMANTIC, "no version (1.2.3)")):
        value = content.get(key)
        if not isinstance(value, str) or not value.strip():
            yield key, f"has no {key}"
        elif len(value) > _LONGEST or form.fullmatch(value) is None:
            yield key, f"has the {key} {value[:_LONGEST]!r}, which is {what}"
    editor = content.get("unity")
    if isinstance(editor, str) and editor and _EDITOR.fullmatch(editor) is None:
        yield "unity", f"has `unity` {editor[:_LONGEST]!r}, where Unity takes year and version alone (2021.3)"


def _wrong(project: View, name: str, asked: object) -> str:
    """Return why Unity resolves no package of an entry, or ``""``."""
    if not isinstance(asked, str):
        return "is requested as something that is not text"
    if asked == EXCLUDED:
        return ""
    if asked.startswith(_FILE):
        return _wrong_file(project, asked)
    package = listed_package(name, asked)
    if package is None:
        return f"is requested as {asked!r}: no name or no version of a package"
    is_version = package.source == "git" or _VERSION.match(asked) is not None
    return "" if is_version else f"is requested as {asked!r}, which is no version"


def _wrong_file(project: View, asked: str) -> str:
    """Return why a local package cannot be used, or ``""``."""
    place = asked.removeprefix(_FILE).replace("\\", "/")
    path = place if _ABSOLUTE.match(place) else posixpath.normpath(f"{_FOLDER}/{place}")
    if not project.exists(path):
        return f"is requested as {asked}, which does not exist"
    if path.lower().endswith(TARBALLS) or project.exists(f"{path}/package.json"):
        return ""
    return f"is requested as {asked}, which has no package.json"


def _wrong_in_lock(name: str, entry: object) -> str:
    """Return why an entry of the lock names no package, or ``""``."""
    version = entry.get("version") if isinstance(entry, dict) else entry
    if not isinstance(version, str):
        return "has no version that is text"
    return "" if version.startswith(_FILE) or listed_package(name, version) else f"has {version!r}, which is no version"


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
