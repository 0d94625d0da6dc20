"""Options that several of the commands have, and what they mean."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.cli.parsing import positive
from assetdb.errors import UsageError
from formats.unreal.errors import InvalidKeyError
from formats.unreal.keys import parse_key
from formats.unreal.locations import is_container
from formats.unreal.records import KINDS
from formats.unreal.versions import parse_version

if TYPE_CHECKING:
    import argparse

    from formats.unreal.versions import PackageVersion

MOST_WORKERS: Final = 61  # what Windows can wait for at once


def add_version_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--assume-version`` as `assumed_version` reads it."""
    parser.add_argument(
        "--assume-version",
        metavar="VERSION",
        help="version of packages that state none: a release (5.3) or file versions (522/1009); "
        "without it, the newest with which all tables close",
    )


def add_key_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--key`` as `key_of` reads it."""
    parser.add_argument(
        "--key",
        metavar="KEY",
        help="AES-256 key of encrypted containers: 64 hexadecimal digits, base64, or @FILE with one",
    )


def add_scan_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a scan."""
    add_version_argument(parser)
    parser.add_argument("--cache", metavar="FILE", help="keep the scan in this file; only what changed is read again")
    parser.add_argument("--workers", metavar="N", type=positive, default=2, help="processes that read packages (2)")


def add_kind_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--kind`` as `kind_bits` reads it."""
    parser.add_argument(
        "--kind",
        action="append",
        choices=sorted(KINDS),
        help="only dependencies of this kind; may be repeated",
    )


def add_in_argument(parser: argparse.ArgumentParser, help_text: str) -> None:
    """Add ``--in``, where to look."""
    parser.add_argument("--in", dest="where", metavar="PATH", action="append", default=[], help=help_text)


def add_json_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="print JSON Lines")


def kind_bits(arguments: argparse.Namespace) -> int:
    """Return the bits of the kinds that were asked for; all where none was."""
    return sum({KINDS[word] for word in arguments.kind}) if arguments.kind else sum(KINDS.values())


def assumed_version(arguments: argparse.Namespace) -> PackageVersion | None:
    """Return the version of ``--assume-version``.

    Raises:
        UsageError: if it is none.
    """
    if arguments.assume_version is None:
        return None
    try:
        return parse_version(arguments.assume_version)
    except ValueError as error:
        raise UsageError(f"--assume-version: {error}") from None


def key_of(arguments: argparse.Namespace) -> bytes | None:
    """Return the key of ``--key``.

    Raises:
        UsageError: if it is none.
    """
    if arguments.key is None:
        return None
    try:
        return parse_key(arguments.key)
    except InvalidKeyError as error:
        raise UsageError(f"--key: {error.what}") from None


def refuse_options(arguments: argparse.Namespace, options: tuple[str, ...], what: str = "containers") -> None:
    """Refuse options that say nothing about containers, rather than answer as if they had not been given.

    Raises:
        UsageError: if one of ``options``, named as their attributes, is set.
    """
    for option in options:
        if getattr(arguments, option, None):
            raise UsageError(f"--{option.removesuffix('_name').replace('_', '-')} is not for {what}")


def refuse_container(path: str) -> None:
    """Refuse a container where only packages have an answer.

    Raises:
        UsageError: if ``path`` is one.
    """
    if is_container(path):
        raise UsageError(f"{path} is a container; this reads folders of packages, as `extract` gets them out of a .pak")


def are_containers(paths: list[str]) -> bool:
    """Whether ``paths`` are all containers.

    Raises:
        UsageError: some are, and others are folders of packages.
    """
    kinds = {path: is_container(path) for path in paths}
    if len(set(kinds.values())) > 1:
        packed = next(path for path in paths if kinds[path])
        loose = next(path for path in paths if not kinds[path])
        raise UsageError(f"{packed} is a container and {loose} is not: ask them one after the other")
    return kinds[paths[0]]


def default_folder(target: str) -> str:
    """Return the folder to scan for a target that is a file: its content root; else the current folder."""
    from formats.unreal.mounts import content_root  # noqa: PLC0415 - only where no folder was given

    if os.path.isfile(target):
        return content_root(os.path.dirname(os.path.realpath(target))).folder
    return "."
