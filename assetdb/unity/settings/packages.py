"""The packages of a project, and their folders.

``Packages/manifest.json`` has the requested packages, ``Packages/packages-lock.json`` (from 2019.3 on) the resolved
ones:

- *embedded*: a folder of ``Packages/`` with a ``package.json``; it needs no entry in either file, and precedes both;
- *local*: ``"file:../../Shared/com.acme.tools"``, relative to ``Packages/`` or absolute, maybe outside the project;
- *registry*, *builtin* (with the editor), *git* and *tarball* (``"file:../a.tgz"``): Unity unpacks them below
  ``Library/PackageCache/`` to ``<name>@<version>``, for git ``<name>@<first digits of the commit>``, and in Unity 6
  always to ``<name>@<12 digits of a fingerprint>``, which is in no file: the folder is found by its name and verified
  by the version in its own ``package.json``.

Bad JSON and bad entries are problems in the result, never exceptions. ``assetdb.packages.external`` finds the folders.
"""

from __future__ import annotations

import posixpath

from assetdb.system.json_text import read_json
from assetdb_formats.binary import FormatError
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False  # typing takes longer to import than the two files to read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Final, TypeAlias

    Needs: TypeAlias = tuple[tuple[str, str], ...]
    """Names and versions of the packages that a package requires."""

MANIFEST: Final = "Packages/manifest.json"
LOCK: Final = "Packages/packages-lock.json"
CACHE: Final = "Library/PackageCache"

SIZE_LIMIT: Final = 16 << 20
"""Larger files, in bytes, are refused."""
# Without patterns: their module takes 4 ms to import, and a bake of few assets does without. Package names become names
# of folders, so those that could lead out of it are refused. Unity allows fewer.
_DIGITS: Final = "0123456789"
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_FIRST: Final = frozenset(_LETTERS + _DIGITS + "_")
_OF_NAME: Final = _FIRST | frozenset("._-")
_OF_VERSION: Final = _OF_NAME | frozenset("+")
_OF_COMMIT: Final = frozenset(_DIGITS + "abcdefABCDEF")
_LONGEST_NAME: Final = 214
_LONGEST_VERSION: Final = 101
_COMMIT_SIZES: Final = range(10, 65)
_GIT_BEGINS: Final = ("git+", "git://", "git@", "ssh://", "http://", "https://")
_GIT_ENDS: Final = (".git", ".git\n")
_GIT_INSIDE: Final = (".git?", ".git#")
EXCLUDED: Final = "exclude"
"""In manifests of 2018, for a package of the editor's that the project does without."""
TARBALLS: Final = (".tgz", ".tar.gz")
"""Ends of the names of packed packages."""
_SOURCES: Final = {
    "embedded": "embedded",
    "local": "local",
    "registry": "registry",
    "git": "git",
    "builtin": "builtin",
    "local-tarball": "tarball",
}


class Package(NamedTuple):
    """A package of a project.

    Attributes:
        name: ``com.unity.ugui``.
        version: the resolved one, or as in the manifest (a URL, a ``file:`` path); ``""`` for a folder of
            ``Packages/`` that no file mentions.
        source: ``embedded``, ``local``, ``registry``, ``git``, ``builtin`` or ``tarball``.
        folders: where to look, best first; with ``/``, relative to the project, or absolute for local packages.
        cached: whether it is unpacked below ``Library/PackageCache``, where any folder ``<name>@...`` may be it.
        needs: names and versions of the packages that it requires, by the lock file; None if that does not tell.
        requested: whether it is required by itself: the manifest names it, or it is embedded.
    """

    name: str
    version: str
    source: str
    folders: tuple[str, ...]
    cached: bool
    needs: Needs | None = None
    requested: bool = False


class DeclaredPackages(NamedTuple):
    """The packages of the lists of a project.

    Attributes:
        packages: by name.
        problems: errors as (file, message).
        is_whole: whether there is a manifest without errors.
        is_locked: whether there is a lock file without errors.
        is_read: whether there is a manifest that is an object, maybe with wrong entries.
    """

    packages: tuple[Package, ...]
    problems: tuple[tuple[str, str], ...]
    is_whole: bool = False
    is_locked: bool = False
    is_read: bool = False


def read_packages(manifest: bytes | None, lock: bytes | None, embedded: Iterable[str] = ()) -> DeclaredPackages:
    """Return the packages of the two files and the embedded folders.

    Args:
        manifest: ``Packages/manifest.json``, or None if there is none.
        lock: ``Packages/packages-lock.json``, or None. It takes precedence over the manifest.
        embedded: names of folders of ``Packages/`` with a ``package.json``. They precede both.
    """
    problems: list[tuple[str, str]] = []
    listed = _object(manifest, MANIFEST, problems)
    requested = _dependencies(listed, MANIFEST, problems)
    is_read = manifest is not None and not problems
    hashes = _manifest_hashes(listed)
    resolved = _dependencies(_object(lock, LOCK, problems), LOCK, problems)
    found: dict[str, Package] = {}
    for file, entries in ((MANIFEST, requested), (LOCK, resolved)):
        for name, entry in entries.items():
            if entry == EXCLUDED:
                continue
            if not _is_name(name):
                problems.append((file, f"{name!r} is not a package name"))
                continue
            package = _package(name, entry, hashes.get(name, ""))
            if isinstance(package, str):
                problems.append((file, f"{name}: {package}"))
            else:
                found[name] = package._replace(requested=name in requested)
    by_folder = {package.folders[0]: name for name, package in found.items() if package.source == "embedded"}
    for folder in embedded:
        path = f"Packages/{folder}"
        if path not in by_folder:
            version = found[folder].version if folder in found else ""
            needs = found[folder].needs if folder in found and found[folder].source == "embedded" else None
            found[folder] = Package(folder, version, "embedded", (path,), cached=False, needs=needs)
    files = {file for file, _ in problems}
    packages = (found[name] for name in sorted(found))
    return DeclaredPackages(
        tuple(row._replace(requested=row.requested or row.source == "embedded") for row in packages),
        tuple(problems),
        is_whole=manifest is not None and MANIFEST not in files,
        is_locked=lock is not None and LOCK not in files,
        is_read=is_read,
    )


def listed_package(name: str, version: str) -> Package | None:
    """Return the package that another one needs, None if invalid."""
    package = _package(name, version, "") if _is_name(name) else None
    return package if isinstance(package, Package) else None


def requirers(manifest: bytes | None, lock: bytes | None) -> dict[str, tuple[str, ...]]:
    """Return the manifest or packages that require each package."""
    found: dict[str, list[str]] = {}
    for name in _dependencies(_object(manifest, MANIFEST, []), MANIFEST, []):
        found.setdefault(name, []).append(MANIFEST)
    for name, entry in _dependencies(_object(lock, LOCK, []), LOCK, []).items():
        inner = entry.get("dependencies") if isinstance(entry, dict) else None
        for needed in inner if isinstance(inner, dict) else ():
            found.setdefault(needed, []).append(name)
    return {name: tuple(sorted(by)) for name, by in found.items()}


class PackageIdentity(NamedTuple):
    """The content of a ``package.json``, ``""`` where it lacks something.

    Attributes:
        name: ``com.acme.tools``.
        version: ``1.2.3``.
        needs: names and versions of the packages that it requires; None if the file is no JSON object.
    """

    name: str
    version: str
    needs: Needs | None


def read_identity(data: bytes | None) -> PackageIdentity:
    """Return the content of a ``package.json``."""
    problems: list[tuple[str, str]] = []
    found = _object(data, "package.json", problems)
    return PackageIdentity(
        _text(found.get("name")),
        _text(found.get("version")),
        None if data is None or problems else _needs(found),
    )


def _needs(entry: Mapping[str, object]) -> Needs:
    """Return the named dependencies of a lock entry or a package."""
    inner = entry.get("dependencies")
    return tuple(
        (name, _text(version)) for name, version in (inner.items() if isinstance(inner, dict) else ()) if _is_name(name)
    )


def _text(value: object) -> str:
    """Return a text, ``""`` for anything else.

    JSON may have half of a surrogate pair, which no path and no list of packages can have.
    """
    try:
        return value if isinstance(value, str) and value.encode() else ""
    except UnicodeEncodeError:
        return ""


def _object(data: bytes | None, file: str, problems: list[tuple[str, str]]) -> Mapping[str, object]:
    if data is None:
        return {}
    if len(data) > SIZE_LIMIT:
        problems.append((file, f"has {len(data)} bytes, the limit is {SIZE_LIMIT}"))
        return {}
    try:
        found = read_object(data)
    except (ValueError, RecursionError) as error:
        problems.append((file, f"is not JSON: {error}"))
        return {}
    if not isinstance(found, dict):
        problems.append((file, "is not a JSON object"))
        return {}
    return found


def read_object(data: bytes) -> object:
    """Return the value of JSON as Unity reads it: comments, extra commas.

    Raises:
        ValueError: it is not JSON.
        RecursionError: it is too deep.
    """
    try:
        return read_json(data.decode())
    except (ValueError, RecursionError):
        try:
            return _any_json(data)
        except (ValueError, RecursionError):
            found = _yaml_object(data)
            if found is None:
                raise
            return found


def _any_json(data: bytes) -> object:
    """Return JSON in other encodings, or with numbers like NaN."""
    from json import loads  # noqa: PLC0415 - hardly any manifest comes here, and it takes 1.5 ms to import

    return loads(data)


def _yaml_object(data: bytes) -> Mapping[str, object] | None:
    """Return an object in nearly-JSON: comments, extra commas."""
    from assetdb.unity.yaml.mapping import read_mapping  # noqa: PLC0415 - hardly any manifest comes here

    try:
        return read_mapping(data)
    except FormatError:
        return None


def _dependencies(found: Mapping[str, object], file: str, problems: list[tuple[str, str]]) -> Mapping[str, object]:
    entries = found.get("dependencies", {})
    if isinstance(entries, dict):
        return entries
    problems.append((file, "dependencies is not a JSON object"))
    return {}


def _manifest_hashes(manifest: Mapping[str, object]) -> dict[str, str]:
    """Return commits below ``lock`` in a manifest of Unity 2019."""
    lock = manifest.get("lock")
    hashes = {}
    for name, entry in lock.items() if isinstance(lock, dict) else ():
        commit = entry.get("hash") if isinstance(entry, dict) else None
        if isinstance(commit, str):
            hashes[name] = commit
    return hashes


def _package(name: str, entry: object, commit: str) -> Package | str:
    """Return a package of a manifest or lock entry, or an error."""
    source = ""
    needs = None
    if isinstance(entry, dict):
        needs = _needs(entry) if "dependencies" in entry else None
        version = entry.get("version", "")
        kind = entry.get("source", "")
        source = _SOURCES.get(kind, "") if isinstance(kind, str) else ""
        found = entry.get("hash", "")
        commit = found if isinstance(found, str) else commit
    else:
        version = entry
    if not isinstance(version, str) or (version and not _text(version)):
        return "its version is not text"
    if version.startswith("file:"):
        found_package = _file_package(name, version, source)
        return found_package if isinstance(found_package, str) else found_package._replace(needs=needs)
    if not source:
        source = "git" if _is_of_git(version) else "builtin" if name.startswith("com.unity.modules.") else "registry"
    if source == "git":
        # 10 digits up to 2022, 12 in Unity 6, all 40 in 2018
        names = [commit[:size] for size in (10, 12, 40)] if _is_commit(commit) else []
    elif _is_version(version):
        names = [version]
    else:
        return f"{version!r} is not a version"
    folders = dict.fromkeys(f"{CACHE}/{name}@{folder}" for folder in names)
    return Package(name, version, source, tuple(folders), cached=True, needs=needs)


def _file_package(name: str, version: str, source: str) -> Package | str:
    path = version.removeprefix("file:").replace("\\", "/").removeprefix("//")
    if path.startswith("/") and _has_drive(path[1:]):
        path = path[1:]  # file:///C:/shared/a
    if not path or "\0" in path:
        return f"{version!r} is not the path of a folder"
    if path.lower().endswith(TARBALLS) or source == "tarball":
        return Package(name, version, "tarball", (), cached=True)
    if source == "embedded":
        if not _is_name(path):
            return f"{version!r} is not a folder of Packages"
        return Package(name, version, "embedded", (f"Packages/{path}",), cached=False)
    folder = posixpath.normpath(path if path.startswith("/") or _has_drive(path) else f"Packages/{path}")
    return Package(name, version, "local", (folder,), cached=False)


def _is_name(name: str) -> bool:
    return name[:1] in _FIRST and len(name) <= _LONGEST_NAME and _OF_NAME.issuperset(name)


def _is_version(version: str) -> bool:
    return version[:1] in _FIRST and len(version) <= _LONGEST_VERSION and _OF_VERSION.issuperset(version)


def _is_commit(text: str) -> bool:
    return len(text) in _COMMIT_SIZES and _OF_COMMIT.issuperset(text)


def _is_of_git(version: str) -> bool:
    """Whether it is a URL of git's: ``user@host:path``, or ends in ``.git``."""
    if version.startswith(_GIT_BEGINS) or version.endswith(_GIT_ENDS) or any(mark in version for mark in _GIT_INSIDE):
        return True
    host, colon, _ = version.partition(":")
    return bool(colon) and "/" not in host and "@" in host[1:-1]


def _has_drive(path: str) -> bool:
    return path[1:3] == ":/" and path[0] in _LETTERS
