"""Declarations beside a player: build GUID (boot.config) and assemblies."""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING, Final

from assetdb.builds.parts.facts import OTHER
from assetdb_formats.binary import FormatError
from assetdb_formats.files import FileTooLargeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.builds.build import Build

_BOOT: Final = "boot.config"
ASSEMBLIES: Final = "ScriptingAssemblies.json"
_GUID: Final = "build-guid"
_LARGEST: Final = 4 << 20  # bytes; the largest seen has 3 kB


def build_guid(build: Build) -> str:
    """Return a player build's own GUID from boot.config, or ``""``."""
    return next(iter(build_guids(build).values()), "")


def build_guids(build: Build) -> dict[str, str]:
    """Return folder -> build GUID of the players that have one."""
    found: dict[str, str] = {}
    for folder, data in _read(build, _BOOT):
        for line in data.decode("utf-8", "replace").splitlines():
            key, _, value = line.partition("=")
            if key.strip() == _GUID and value.strip():
                found.setdefault(folder, value.strip())
    return found


def declared_assemblies(build: Build) -> tuple[str, ...]:
    """Return a player's assemblies in their order (Unity 2020 and later)."""
    return tuple(dict.fromkeys(chain.from_iterable(assemblies_by_folder(build).values())))


def assemblies_by_folder(build: Build) -> dict[str, list[str]]:
    """Return folder -> assemblies that the player there declares."""
    found: dict[str, list[str]] = {}
    for folder, data in _read(build, ASSEMBLIES):
        try:
            fields = json.loads(data.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            continue
        names = fields.get("names") if isinstance(fields, dict) else None
        found[folder] = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    return found


def _read(build: Build, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield folder and content of readable small files of a name."""
    for part in build.parts:
        folder, _, own = part.name.rpartition("/")
        if part.kind == OTHER and own == name:
            try:
                yield folder, part.input.read(largest=_LARGEST)
            except (FormatError, FileTooLargeError, OSError):  # damaged archives are reported when opened
                continue
