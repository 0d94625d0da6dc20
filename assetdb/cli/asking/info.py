"""``assetdb info``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import counted
from assetdb.checks.overview import counts_text, overview_fields, overview_of
from assetdb.cli.asking import opened
from assetdb.cli.terminal import print_hanging, print_json, table
from assetdb.settings.project import is_part

if TYPE_CHECKING:
    from assetdb.checks.overview import Overview
    from assetdb.cli.arguments import QueryOptions

_TYPES: Final = 6
_USED: Final = 4
_CODES: Final = 4
_NAMES: Final = 3
_UNITS: Final = ("kB", "MB", "GB", "TB")
_STEP: Final = 1000


def info(options: QueryOptions) -> int:
    """Print versions, assets by type, the most used, the last check."""
    project = opened(options)
    project.refresh()
    found = overview_of(project)
    if options.json:
        print_json(overview_fields(found))
    else:
        _print(found)
    return 0


def _print(found: Overview) -> None:
    names = ", ".join(found.absent[:_NAMES]) + (", ..." if len(found.absent) > _NAMES else "")
    absent = f", {len(found.absent):,} not on this machine ({names})" if found.absent else ""
    unread = f", {counted(found.unread, 'file')} could not be read" if found.unread else ""
    lines = [
        ("project", found.root),
        ("unity", found.unity or _without_version(found.root)),
        ("packages", f"{found.packages:,} outside the project{absent}"),
        ("assets", f"{found.assets:,} in {counted(found.folders, 'folder')}, {_bytes(found.bytes)}{unread}"),
        ("references", f"{found.references:,}"),
        ("last check", _check(found)),
    ]
    for topic, text in lines:
        print_hanging(topic, text, 12, "type")
    if found.types:
        print()
        rows = [(row.type, f"{row.assets:,}", _bytes(row.bytes)) for row in found.types[:_TYPES]]
        print(table([("largest", "assets", "size"), *rows], right=frozenset((1, 2)), styles=("type",)))
    if found.used:
        print()
        used = [(row.path, row.type, f"{row.users:,}") for row in found.used[:_USED]]
        print(table([("most used", "type", "users"), *used], right=frozenset((2,)), styles=("path", "type")))


def _without_version(root: str) -> str:
    if is_part(root):
        return "not known: this is a folder of assets, without the project around it"
    return "not known: ProjectSettings/ProjectVersion.txt names no version"


def _check(found: Overview) -> str:
    if found.check is None:
        return "never: run `assetdb check`"
    if not found.check.codes:
        return "found nothing"
    codes = counts_text(found.check.codes, _CODES)
    notes = f", {counted(found.check.notes, 'note')}" if found.check.notes else ""
    return f"{counted(found.check.errors, 'error')}, {counted(found.check.warnings, 'warning')}{notes}: {codes}"


def _bytes(number: float) -> str:
    """Return a size with its unit: ``1.2 GB``."""
    if number < _STEP:
        return counted(int(number), "byte")
    place = 0
    number /= _STEP
    while round(number, 1) >= _STEP and place + 1 < len(_UNITS):  # 999,960 bytes are 1.0 MB, not 1,000.0 kB
        place += 1
        number /= _STEP
    return f"{number:,.1f} {_UNITS[place]}"
