"""Differences of manifest and lock file, as packages and their versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assetdb.unity.settings.packages import LOCK, read_packages

if TYPE_CHECKING:
    from assetdb.unity.settings.packages import Package


class PackageDifference(NamedTuple):
    """A package that differs between two manifests or lock files.

    Attributes:
        name: ``com.acme.tools``.
        old: its version on the older side, ``""`` if it is not there.
        new: its version on the newer side.
    """

    name: str
    old: str
    new: str

    @property
    def note(self) -> str:
        """``1.0.0 to 1.2.0``, or the version of the side that has it."""
        return f"{self.old} to {self.new}" if self.old and self.new else self.old or self.new


def package_differences(path: str, old: bytes, new: bytes) -> list[PackageDifference] | None:
    """Return the packages that differ, by name.

    Returns:
        None if a side is invalid, or only something else differs.
    """
    sides = [read_packages(None, data) if path == LOCK else read_packages(data, None) for data in (old, new)]
    if any(side.problems for side in sides):
        return None
    before, after = ({package.name: _version(package) for package in side.packages} for side in sides)
    found = [
        PackageDifference(name, before.get(name, ""), after.get(name, ""))
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]
    return found or None


def _version(package: Package) -> str:
    commit = package.folders[0].rpartition("@")[2] if package.source == "git" and package.folders else ""
    return f"{package.version} ({commit})" if commit else package.version or package.source
