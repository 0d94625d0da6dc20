"""Package versions that a build records.

A player does not list the packages that it was built with, but some files beside it have versions.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.parts.facts import CATALOG, LAYOUT, OTHER
from assetdb_formats.addressables.companions.finding import open_layout, open_settings
from assetdb_formats.addressables.opening import open_input
from assetdb_formats.addressables.queries.provenance import provenance_of
from assetdb_formats.binary import FormatError
from assetdb_formats.files import FileTooLargeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.builds.build import Build
    from assetdb.builds.parts.finding import Part

ADDRESSABLES: Final = "com.unity.addressables"
_SETTINGS: Final = "settings.json"
_SERVICES: Final = "UnityServicesProjectConfiguration.json"
_VERSION_KEY: Final = re.compile(r"(com\.[\w.-]+)\.version")
_LARGEST: Final = 4 << 20  # bytes of a project's configuration, which has a few kB


class PackageVersion(NamedTuple):
    """A package, its version or range, and the file that has it.

    A range (``1.21.3 to 1.21.19``) names the versions that write the format of the build's catalog; it is not exact.
    """

    name: str
    version: str
    source: str
    is_exact: bool = True


def package_versions(build: Build, *, catalogs: bool = True) -> tuple[PackageVersion, ...]:
    """Return the package versions in the readable files of a build.

    ``settings.json`` of Addressables has the package's version since 1.16.13, and so has a build layout. Without both
    files, the format of a catalog tells a range of versions. ``catalogs`` is whether layouts and catalogs are read.
    """
    found: dict[tuple[str, str], PackageVersion] = {}
    for part in build.parts:
        for name, version in _recorded(part):
            found.setdefault((name, version), PackageVersion(name, version, part.name))
    for kind, version_in in ((LAYOUT, _layout_version), (CATALOG, _catalog_version)):
        if not catalogs or any(name == ADDRESSABLES for name, _ in found):
            break
        for part in build.parts:
            version = version_in(part) if part.kind == kind else ""
            if version:
                row = PackageVersion(ADDRESSABLES, version, part.name, kind == LAYOUT)
                found.setdefault((ADDRESSABLES, version), row)
    return tuple(found.values())


def _recorded(part: Part) -> list[tuple[str, str]]:
    """Return the packages and versions that a settings file records."""
    name = part.name.rpartition("/")[2]
    if part.kind != OTHER or name not in (_SETTINGS, _SERVICES):
        return []
    try:
        if name == _SETTINGS:
            version = open_settings(part.input).version
            return [(ADDRESSABLES, version)] if version else []
        return list(services_versions(part.input.read(largest=_LARGEST)))
    except (FormatError, FileTooLargeError, OSError):  # another program's settings.json, or reported by `verify`
        return []


def services_versions(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield packages and versions of a ``UnityServicesProjectConfiguration.json``."""
    try:
        fields = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return
    if not isinstance(fields, dict):
        return
    keys, values = fields.get("Keys"), fields.get("Values")
    for key, value in zip(keys, values, strict=False) if isinstance(keys, list) and isinstance(values, list) else ():
        match = _VERSION_KEY.fullmatch(key) if isinstance(key, str) else None
        version = value.get("m_Value") if isinstance(value, dict) else None
        if match is not None and isinstance(version, str) and version:
            yield match[1], version


def _layout_version(part: Part) -> str:
    try:
        return open_layout(part.input).package_version or ""
    except (FormatError, OSError):  # reported when its catalogs are read
        return ""


def _catalog_version(part: Part) -> str:
    try:
        opened = open_input(part.input)
        origin = provenance_of(opened.catalog, opened.settings)
    except (FormatError, OSError):  # reported when the catalogs are read
        return ""
    if origin.version:
        return origin.version
    return origin.first if origin.first == origin.last else f"{origin.first} to {origin.last}"
