"""Inference of an unversioned package's version, by trying.

A version is accepted only if every table closes.

Cooked packages carry 0/0/0. The version is inferred from where the tables lie: the summary ends where the names
start, each table ends where the next begins, and the size of an import and of an export tells 12 layouts apart.
Versions with the same layout cannot be told apart by it; the newest is taken and all are named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.objects import export_size, import_size
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.packages.summary import PACKAGE_TAG, is_unversioned, package_tag, read_summary
from assetdb_formats.unreal.versions import RELEASES, PackageVersion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb_formats.unreal.files.package_file import Source


class Inference(NamedTuple):
    """An inferred version, and all that fit (oldest first)."""

    version: PackageVersion
    alike: list[PackageVersion]

    def __str__(self) -> str:
        names = [name for name, version in RELEASES.items() if version in self.alike]
        return f"{names[0]} to {names[-1]}" if len(names) > 1 else names[0]


def infer_version(data: bytes, source: Source | None = None) -> Inference:
    """Find the newest version with which an unversioned package's tables close.

    ``source`` is the whole file, where ``data`` is its header alone.

    Raises:
        UnrealError: this is not a package, it carries a version, or no known version closes.
    """
    alike = []
    for package in _closing(data, source):
        alike.append(package.summary.version)
        del package  # the next is not to be in memory beside this one
    return Inference(alike[0], alike[::-1])


def open_inferred(data: bytes, source: Source | None = None) -> Package:
    """Open an unversioned package with the newest fitting version."""
    return next(_closing(data, source))


def _closing(data: bytes, source: Source | None = None) -> Iterator[Package]:
    """Yield the package in each fitting version, newest first.

    Raises UnrealError if there is none.
    """
    if package_tag(data) != PACKAGE_TAG:
        read_summary(data)  # raises an error about what it is instead
    if not is_unversioned(data):
        raise UnrealError("the package carries its version: nothing to infer", offset=8, field="version")
    found = False
    reason = ""
    for version in reversed(dict.fromkeys(RELEASES.values())):
        package = None  # the one before, with its tables, is not to be in memory beside this one
        try:
            package = Package(data, version, source)
            _close(package)
        except UnrealError as error:
            reason = reason or str(error)  # the error itself would keep all that was read before it
        else:
            found = True
            yield package
    if not found:
        raise UnrealError(
            f"no version from {next(iter(RELEASES))} to {next(reversed(RELEASES))} closes its tables; "
            f"with the newest: {reason}",
            offset=8,
            field="version",
        )


def _legacy_versions(version: PackageVersion) -> tuple[int, ...]:
    """Return the legacy versions that packages of a version were seen with."""
    if version.ue5:
        return (-9,) if version.ue5 >= 1016 else (-8,)
    if version.ue4 >= 508:
        return (-7,)
    return (-6, -5) if version.ue4 >= 482 else (-5, -4, -3, -2)


def _close(package: Package) -> None:
    """Check that all tables are contiguous and readable."""
    summary = package.summary
    legacy = summary.legacy_version
    version = summary.version
    if legacy not in _legacy_versions(version):
        raise UnrealError(f"legacy version {legacy} is not of {version}", offset=4, field="legacy_version")
    if summary.name_offset != summary.end:
        raise UnrealError(
            f"the names are at {summary.name_offset}, the summary ends at {summary.end}",
            offset=summary.end,
            field="name_offset",
        )
    tables = sorted(
        offset
        for offset in (
            summary.import_offset,
            summary.export_offset,
            summary.depends_offset,
            summary.cell_import_offset,
            summary.cell_export_offset,
            summary.soft_object_path_offset,
            summary.total_header_size,
        )
        if offset > 0
    )
    for offset, count, size, field in (
        (summary.import_offset, summary.import_count, import_size(version, editor=summary.editor), "imports"),
        (
            summary.export_offset,
            summary.export_count,
            export_size(version, unversioned_properties=summary.unversioned_properties),
            "exports",
        ),
    ):
        end = offset + count * size
        following = next((start for start in tables if start > offset), end) if count else end
        if field == "exports" and summary.depends_offset == 0 and 508 <= version.ue4 <= 510:
            following = end  # cooked by 4.14 and 4.15: the dependencies follow without an offset
        if end != following:
            raise UnrealError(f"ends at {end}, the next table starts at {following}", offset=offset, field=field)
    damage = package.damage()
    if damage:
        raise damage[0].at("")  # not itself: its traceback would hold the list that holds it, and the package
    _check_exports(package)


def _check_exports(package: Package) -> None:
    """Check that the exports' data are contiguous from the header on."""
    expected = package.summary.total_header_size
    columns = package.exports.layout.columns
    offset, size = columns["serial_offset"], columns["serial_size"]
    for number, (start, length) in enumerate(sorted((row[offset], row[size]) for row in package.exports.rows)):
        if length < 0 or start < expected:
            raise UnrealError(
                f"{length} bytes at {start}, after {expected}",
                offset=package.exports.offset,
                field=f"exports[{number}].serial_offset",
            )
        expected = start + length
