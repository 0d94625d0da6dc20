"""Declarations beside a player: build GUID (boot.config) and assemblies."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from assetdb.builds.parts.facts import OTHER
from assetdb_formats.binary import FormatError
from assetdb_formats.files import FileTooLargeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.builds.build import Build

_BOOT: Final = "boot.config"
_ASSEMBLIES: Final = "ScriptingAssemblies.json"
_GUID: Final = "build-guid"
_LARGEST: Final = 4 << 20  # bytes; the largest seen has 3 kB


def build_guid(build: Build) -> str:
    """Return a player build's own GUID from boot.config, or ``""``."""
    for data in _read(build, _BOOT):
        for line in data.decode("utf-8", "replace").splitlines():
            key, _, value = line.partition("=")
            if key.strip() == _GUID and value.strip():
                return value.strip()
    return ""


def declared_assemblies(build: Build) -> tuple[str, ...]:
    """Return a player's assemblies in their order (Unity 2020 and later)."""
    found: dict[str, None] = {}
    for data in _read(build, _ASSEMBLIES):
        try:
            fields = json.loads(data.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            continue
        names = fields.get("names") if isinstance(fields, dict) else None
        found.update(dict.fromkeys(name for name in names if isinstance(name, str)) if isinstance(names, list) else {})
    return tuple(found)


def _read(build: Build, name: str) -> Iterator[bytes]:
    """Yield the contents of readable small files of a name."""
    for part in build.parts:
        if part.kind == OTHER and part.name.rpartition("/")[2] == name:
            try:
                yield part.input.read(largest=_LARGEST)
            except (FormatError, FileTooLargeError, OSError):  # damaged archives are reported when opened
                continue
