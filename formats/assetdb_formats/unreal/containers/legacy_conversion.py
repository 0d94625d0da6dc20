"""Conversion of zen packages to legacy files, with unknowns counted."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from assetdb_formats.codecs.city_hash import package_id
from assetdb_formats.unreal.iostore.container import OpenContainer
from assetdb_formats.unreal.versions import releases_of
from assetdb_formats.unreal.zen.legacy import guess_version, to_legacy
from assetdb_formats.unreal.zen.package import parse_zen_package

if TYPE_CHECKING:
    from assetdb_formats.unreal.containers.pak import OpenPak
    from assetdb_formats.unreal.iostore.build import Build
    from assetdb_formats.unreal.versions import PackageVersion


class LegacyConversion:
    """Converts packages of a build.

    Attributes:
        packages: number of packages converted.
        unknown: what is not in the containers and could not be inferred -> how often.
        versions: releases -> packages that state no version and were written as of that release.
    """

    def __init__(self, build: Build, assume: PackageVersion | None = None) -> None:
        """Convert with names from ``build`` and a version where unstated."""
        self._build = build
        self._assume = assume
        self.packages = 0
        self.unknown: Counter[str] = Counter()
        self.versions: Counter[str] = Counter()

    @staticmethod
    def takes(opened: OpenContainer | OpenPak, chunk: int | None) -> bool:
        """Whether a chunk is a package that can be converted."""
        return (
            chunk is not None
            and isinstance(opened, OpenContainer)
            and opened.toc.chunk_type(chunk) == "ExportBundleData"
        )

    def files(self, name: str, opened: OpenContainer, chunk: int) -> tuple[tuple[str, bytes], tuple[str, bytes]]:
        """Return the two files of the package called ``name``, by name."""
        data = opened.read_chunk(chunk)
        package = parse_zen_package(data)
        naming = self._build.naming(package)
        header_version = self._build.header_version(package_id(package.name))
        version = self._assume or guess_version(package, opened.toc.header.version, header_version)
        found = to_legacy(data, package, naming, version, self._build.classes(package, naming))
        self.packages += 1
        if package.versioning is None and self._assume is None:
            self.versions[releases_of(version)] += 1
        self.unknown.update(found.unknown)
        return (name, found.header), (f"{os.path.splitext(name)[0]}.uexp", found.exports)
