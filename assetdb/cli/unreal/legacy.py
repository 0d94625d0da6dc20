"""`assetdb unreal extract --legacy`: zen packages written as the .uasset and .uexp that they were cooked as."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from assetdb.cli.terminal import printable
from assetdb.cli.unreal.zen_info import open_build
from formats.unreal.iostore.container import OpenContainer
from formats.unreal.iostore.legacy import guess_version, to_legacy
from formats.unreal.iostore.zen_package import parse_zen_package
from formats.unreal.pak import OpenPak
from formats.unreal.versions import releases_of

if TYPE_CHECKING:
    from formats.unreal.versions import PackageVersion


class Conversion:
    """Converts packages, and keeps count of what could not be known."""

    def __init__(self, path: str, key: str | None, assumed: PackageVersion | None) -> None:
        """Open the containers at ``path`` once more, for the names of what packages refer to.

        Raises:
            FormatError: the single one there cannot be read.
        """
        self._stack = ExitStack()
        self._build = open_build(path, key, self._stack)
        self._assumed = assumed
        self._packages = 0
        self._unknown: dict[str, int] = {}
        self._versions: dict[str, int] = {}

    def takes(self, opened: OpenContainer | OpenPak, chunk: int) -> bool:
        """Whether a chunk is a package."""
        return isinstance(opened, OpenContainer) and opened.toc.chunk_type(chunk) == "ExportBundleData"

    def files(self, name: str, opened: OpenContainer | OpenPak, chunk: int) -> list[tuple[str, bytes]]:
        """Return the two files of a package by their names.

        Raises:
            FormatError: it cannot be read.
        """
        if isinstance(opened, OpenPak):
            return []
        data = opened.read_chunk(chunk)
        package = parse_zen_package(data)
        naming = self._build.naming(package)
        version = self._assumed or guess_version(package, opened.toc.header.version)
        found = to_legacy(data, package, naming, version, self._build.classes(package, naming))
        self._packages += 1
        if package.versioning is None and self._assumed is None:
            word = releases_of(version)
            self._versions[word] = self._versions.get(word, 0) + 1
        for what, count in found.unknown.items():
            self._unknown[what] = self._unknown.get(what, 0) + count
        return [(name, found.header), (f"{os.path.splitext(name)[0]}.uexp", found.exports)]

    def say(self) -> None:
        """Say what could not be known."""
        for version, count in self._versions.items():
            _note(f"{count:,} packages state no version; they were written as of {version} (--assume-version)")
        for what, count in self._unknown.items():
            _note(f"not known: {what} ({count:,})")
        if self._packages:
            _note("not known, as no container keeps it: GUIDs, source hashes, soft references, some flags of exports")

    def close(self) -> None:
        """Close the containers."""
        self._stack.close()


def _note(text: str) -> None:
    print(f"assetdb: {printable(text)}", file=sys.stderr)
