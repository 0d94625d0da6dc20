"""References that cannot be judged because packages are absent, as one finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.counting import counted, listed, unknown_needs
from assetdb.checks.findings.codes import ABSENT_PACKAGES
from assetdb.checks.findings.finding import Finding
from assetdb.packages.listing import HOST
from assetdb.query.graph.verdicts import OUTSIDE
from assetdb.resolve.resolver import PACKAGE_NOT_PRESENT
from assetdb.settings.project import OF_PART
from assetdb.system.reading import read_file
from assetdb.unity.settings.packages import LOCK, MANIFEST, requirers

if TYPE_CHECKING:
    from assetdb.checks.verdicts.judging import Problems
    from assetdb.packages.listing import PackageList
    from assetdb.query.snapshots.snapshot import Snapshot

_SHOWN: Final = 5
_GUID, _KIND, _REASON = -4, -2, -1  # fields of a Problem


class AbsentPackage(NamedTuple):
    """A package that is not here, so its files may be unknown.

    Attributes:
        name: ``com.acme.tools``.
        version: as resolved, or as in the manifest.
        required_by: the packages that depend on it, and ``Packages/manifest.json`` where that names it.
    """

    name: str
    version: str
    required_by: tuple[str, ...]


def absent_packages(project: Snapshot) -> list[AbsentPackage]:
    """Return the packages that are absent and unknown, by name."""
    found = project.packages.list.absent
    if not found:
        return []
    brought = requirers(*(read_file(f"{project.root}/{name}") for name in (MANIFEST, LOCK)))
    return sorted(AbsentPackage(row.name, row.version, brought.get(row.name, ())) for row in found)


def unjudged_references(project: Snapshot, problems: Problems) -> tuple[Finding, ...]:
    """Return one finding for all unjudged references, if any."""
    count, guids = 0, set()
    for path in problems:
        for row in problems.rows(path) or ():
            if row[_REASON] == PACKAGE_NOT_PRESENT:
                count += row[0] or 1
                if row[_KIND] == OUTSIDE:
                    guids.add(row[_GUID])
    if not guids:
        return ()
    said = (
        f"{counted(count, 'reference')} to {counted(len(guids), 'GUID')} cannot be judged: "
        f"{_why(project.packages.list)}"
    )
    if project.losses.is_shallow:
        said += "; this clone is shallow, so git's history tells of no file that was deleted before"
    place = OF_PART[0] if HOST in project.packages.list.unknown else MANIFEST
    return (Finding.of(ABSENT_PACKAGES, place, said),)


def _why(packages: PackageList) -> str:
    """Return why a GUID may be in an unknown package."""
    names = [row.name for row in packages.absent]
    if names:
        are = "is" if len(names) == 1 else "are"
        return f"{counted(len(names), 'package')} {are} not on this machine ({listed(names, _SHOWN)})"
    if HOST in packages.unknown:
        return "this is a folder of assets, and the project that it is a part of is not here"
    if MANIFEST in packages.unknown:
        return f"{MANIFEST} cannot be read"
    if packages.unknown:
        return f"{unknown_needs(packages.unknown, _SHOWN)} without {LOCK}"
    return f"{MANIFEST} does not tell the packages"
