"""Integrity checks of a build of another engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.builds.engines.detection import CRYSTAL, UNREAL
from assetdb.builds.parts.finding import reason
from assetdb.builds.query.verification import Verification
from assetdb_formats.binary import FormatError
from assetdb_formats.casset.files import load
from assetdb_formats.casset.queries.verify import verify_bundle
from assetdb_formats.files import open_file, words_of
from assetdb_formats.processes import tracked
from assetdb_formats.unreal.containers.opening import each_container
from assetdb_formats.unreal.containers.verify import verify_container
from assetdb_formats.unreal.scanning.mounts import EXTENSIONS
from assetdb_formats.unreal.scanning.scan import check_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.builds.engines.inventory import Inventory, InventoryFile
    from assetdb_formats.processes import Progress
    from assetdb_formats.unreal.problems import Problem


def verify_inventory(inventory: Inventory, *, key: bytes | None = None, progress: Progress = None) -> Verification:
    """Check files as their formats allow, and all references.

    Containers: hashes, lookups and tables; loose packages: every table; bundles: whether they write back to their own
    bytes. Files that could not be checked for want of a key, an extra or a file are unread.
    """
    findings = list(inventory.problems)
    unread = list(inventory.unread)
    findings += _CHECKS[inventory.engine](inventory, key, progress, unread)
    for missing in inventory.missing:
        users = missing.needed_by
        others = f" and {len(users) - 1:,} more refer" if users[1:] else " refers"
        findings.append(f"{missing.name} is not in the build; {users[0]}{others} to it")
    return Verification(tuple(dict.fromkeys(findings)), tuple(dict.fromkeys(unread)), {})


def _bundles(inventory: Inventory, _key: bytes | None, progress: Progress, unread: list[str]) -> Iterator[str]:
    for file in tracked(inventory.files, progress):
        try:
            with open_file(file.path) as stream:
                found = verify_bundle(load(file.path), stream)
        except (FormatError, OSError) as error:
            yield reason(file.name, error)
            continue
        yield from (f"{file.name}: {text}" for text in found.findings)
        unread += [f"{file.name}: {text}" for text in found.notes]


def _unreal(inventory: Inventory, key: bytes | None, progress: Progress, unread: list[str]) -> Iterator[str]:
    loose = [file for file in inventory.files if file.format in EXTENSIONS]
    containers = [file for file in inventory.files if file.format not in EXTENSIONS]
    for file in tracked(loose, progress):
        yield from _package(file)
    for file in containers:
        problems: list[Problem] = []
        try:
            for opened in each_container([file.path], key, problems):
                report = verify_container(opened, progress)
                yield from (f"{file.name}: {finding.what}" for finding in report.findings)
                what = "chunks" if file.format.startswith(".utoc") else "files"
                unread += [f"{file.name}: {count:,} {what}: {reason}" for reason, count in report.unread.items()]
        except (FormatError, OSError) as error:
            yield reason(file.name, error)
        yield from (f"{file.name}: {problem.reason}" for problem in problems)


def _package(file: InventoryFile) -> Iterator[str]:
    try:
        error = check_file(file.path, None)
    except OSError as found:
        error = words_of(found)
    if error:
        yield f"{file.name}: {error}"


_CHECKS: Final = {CRYSTAL: _bundles, UNREAL: _unreal}
