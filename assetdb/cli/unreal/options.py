"""Options of the Unreal commands, declared once."""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

from assetdb.cli.arguments import JsonOptions
from assetdb.cli.options import Argument, Option
from assetdb.cli.reading.misuse import not_a_choice
from assetdb.errors import UsageError
from assetdb_formats.unreal.containers.keys import parse_key
from assetdb_formats.unreal.containers.locations import is_container
from assetdb_formats.unreal.errors import InvalidKeyError
from assetdb_formats.unreal.scanning.records import KINDS
from assetdb_formats.unreal.versions import parse_version

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assetdb.cli.options import Key
    from assetdb_formats.unreal.versions import PackageVersion

Package = Annotated[str, Argument(metavar="PACKAGE", help="A package's name (/Game/A/B), the end of it, or its file.")]
Packages = Annotated[str, Argument(metavar="PATH", help="A .uasset or .umap, or a folder of them.")]


class KeyOptions(JsonOptions):
    """Options of commands on containers."""

    key: Key = None

    @property
    def secret(self) -> bytes | None:
        """The bytes of the key; raises UsageError."""
        return secret_of(self.key)


def secret_of(key: str | None) -> bytes | None:
    """Return the bytes of a key as typed; raises UsageError."""
    if key is None:
        return None
    try:
        return parse_key(key)
    except InvalidKeyError as error:
        raise UsageError(f"--key: {error.what}") from None


class PackageOptions(JsonOptions):
    """Options of commands on packages."""

    assume_version: Annotated[
        str | None,
        Option(
            "--assume-version",
            metavar="VERSION",
            help="Version of packages without one: a release (5.3) or file versions (522/1009);"
            " by default the newest that fits all tables.",
        ),
    ] = None

    @property
    def assumed(self) -> PackageVersion | None:
        """The version of packages that state none; raises UsageError."""
        if self.assume_version is None:
            return None
        try:
            return parse_version(self.assume_version)
        except ValueError as error:
            raise UsageError(f"--assume-version: {error}") from None


class ScanOptions(PackageOptions):
    """Options of commands on folders of packages."""

    cache: Annotated[
        str | None, Option("--cache", metavar="FILE", help="Keep the scan in this file; read again only what changed.")
    ] = None
    workers: Annotated[
        int | None, Option("--workers", min=1, metavar="N", help="Processes that read packages (default: 2).")
    ] = None


class SearchOptions(ScanOptions, KeyOptions):
    """Options of commands on folders of packages and containers."""


class ListOptions(SearchOptions):
    """Options of lists of packages."""

    class_name: Annotated[
        str | None, Option("--class", metavar="CLASS", help="Only this class, such as Texture2D.")
    ] = None


class DependencyOptions(SearchOptions):
    """Options of questions about dependencies."""

    kind: Annotated[
        list[str] | None,
        Option(
            "--kind",
            metavar="KIND",
            help="Only dependencies of this kind: hard, soft, searchable, build, external or named; may be repeated.",
        ),
    ] = None

    @property
    def kinds(self) -> int:
        """The bits of the kinds, or of all; raises UsageError."""
        for word in self.kind or ():
            if word not in KINDS:
                raise UsageError(not_a_choice("--kind", word, sorted(KINDS)))
        return sum(KINDS[word] for word in set(self.kind or KINDS))


def refuse_given(given: Mapping[str, object], what: str = "containers") -> None:
    """Refuse options that do not apply to containers, with UsageError."""
    for option, value in given.items():
        if value:
            raise UsageError(f"{option} is not for {what}")


def refuse_scan(options: ScanOptions, given: Mapping[str, object] = MappingProxyType({})) -> None:
    """Refuse options for containers: ``given``, and a scan's."""
    refuse_given({**given, "--cache": options.cache, "--assume-version": options.assume_version})


def refuse_container(path: str) -> None:
    """Refuse a container for a question about packages, with UsageError."""
    if is_container(path):
        raise UsageError(f"{path} is a container; this reads folders of packages, as `extract` gets them out of a .pak")


def are_containers(paths: Sequence[str]) -> bool:
    """Whether all paths are containers; raises UsageError if only some are."""
    kinds = {path: is_container(path) for path in paths}
    if len(set(kinds.values())) > 1:
        packed = next(path for path in paths if kinds[path])
        loose = next(path for path in paths if not kinds[path])
        raise UsageError(f"{packed} is a container and {loose} is not: name either containers or folders")
    return kinds[paths[0]]


def default_folder(target: str) -> str:
    """Return the folder to scan for a file: its content root."""
    from assetdb_formats.unreal.scanning.mounts import content_root  # noqa: PLC0415 - only where no folder was given

    if os.path.isfile(target):
        return content_root(os.path.dirname(os.path.realpath(target))).folder
    return "."
