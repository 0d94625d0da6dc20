"""The effect of removing a package from a project, or adding one."""

from __future__ import annotations

import os
import tarfile
import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.package_use import PackageReference, package_references, packages_with
from assetdb.errors import UsageError
from assetdb.packages.external import LIMITS, Bound, locate_packages
from assetdb.packages.public.releases import needs_of, version_key
from assetdb.packages.public.table import public_packages
from assetdb.packages.search import metas_of
from assetdb.settings.project import META, is_hidden
from assetdb.system.reading import read_file
from assetdb.unity.metas.meta import MetaReader
from assetdb.unity.settings.packages import LOCK, MANIFEST, requirers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.packages.external import LocatedPackages
    from assetdb.query.snapshots.snapshot import Snapshot

_TARBALLS: Final = (".tgz", ".tar.gz")
_LARGEST_META: Final = 1 << 20
_MOST_MEMBERS: Final = 400_000
_LARGEST_TARBALL: Final = 4 << 30


class Removal(NamedTuple):
    """The effect of taking a package out.

    Attributes:
        packages: that the project then does not require: the package, and those that only it needs.
        kept_by: the packages that still need it; then nothing is lost.
        lost: references that then lead nowhere.
        unknown: packages of which nobody knows what they need, and which may still bring some.
    """

    packages: tuple[str, ...]
    kept_by: tuple[str, ...]
    lost: tuple[PackageReference, ...]
    unknown: tuple[str, ...]


class Shared(NamedTuple):
    """A GUID that a new package and something of the project have.

    Attributes:
        guid: 32 hex digits.
        path: in the new package.
        other: the file of the project or of its packages.
    """

    guid: str
    path: str
    other: str


class Addition(NamedTuple):
    """The effect of adding a package.

    Attributes:
        name: of the package, or of the folder or file that it is read from.
        files: how many GUIDs it has.
        shared: GUIDs that two would have: Unity takes one of the two files.
    """

    name: str
    files: int
    shared: tuple[Shared, ...]


def without(project: Snapshot, name: str) -> Removal:
    """Return the effect of removing a package.

    Raises:
        UsageError: the project does not require the package.
        ScanError: its packages cannot be determined now.
    """
    before = locate_packages(project.root)
    names = {row.package.name: row.identity.name or row.package.name for row in before.packages}
    if name not in names.values():
        raise UsageError(f"packages: --without {name}: the project does not require it")
    after = locate_packages(project.root, name)
    still = {names.get(each, each) for each in after.reached}
    removed = {names[each] for each in before.reached if each in names} - still
    if name in still:
        brought = requirers(*(read_file(f"{project.root}/{file}") for file in (MANIFEST, LOCK))).get(name, ())
        requiring = [row.package.name for row in before.packages if name in dict(row.identity.needs or ())]
        by = tuple(sorted({*brought, *requiring} - {MANIFEST})) or tuple(sorted(_public_requirers(before, name)))
        return Removal((), by, (), ())
    removed.add(name)  # also one that only a lock file of unknown needs has
    found = package_references(project)
    kept = {reference for package in set(names.values()) - removed for reference in found.get(package, ())}
    guids = {reference.guid for reference in kept if reference.guid}
    lost = {
        reference
        for package in removed
        for reference in found.get(package, ())
        if reference not in kept and (not reference.guid or reference.guid not in guids)
    }
    return Removal(tuple(sorted(removed)), (), tuple(sorted(lost)), after.unknown)


def _public_requirers(located: LocatedPackages, name: str) -> Iterator[str]:
    """Yield the required public packages that need another, by their table."""
    for row in located.packages:
        needs = needs_of(public_packages().releases(row.package.name), row.package.version)
        if name in dict(needs or ()):
            yield row.package.name


def with_package(project: Snapshot, wanted: str) -> Addition:
    """Return the effect of adding a package.

    Args:
        project: as it is.
        wanted: ``NAME@VERSION`` of a public package, a folder, or a tarball.

    Raises:
        UsageError: there is no such package, or it cannot be read.
    """
    if os.path.isdir(wanted):
        name, guids = os.path.basename(os.path.abspath(wanted)), _of_folder(wanted)
    elif wanted.endswith(_TARBALLS):
        name, guids = os.path.basename(wanted), _of_tarball(wanted)
    else:
        name, guids = wanted, _of_release(wanted)
    shared = []
    package_name = name.partition("@")[0]
    for guid, path in sorted(guids.items()):
        asset = project.database.by_guid(guid)
        other = asset.path if asset is not None else project.database.folder(guid) or ""
        if not other:  # of the package itself another version is replaced
            other = next((found for package, found in packages_with(project, guid) if package != package_name), "")
        if other:
            shared.append(Shared(guid, path, other))
    return Addition(name, len(guids), tuple(shared))


def _of_release(wanted: str) -> dict[str, str]:
    name, _, version = wanted.partition("@")
    table = public_packages()
    if not table.releases(name):
        raise UsageError(f"packages: --with {wanted}: neither a folder, nor a tarball, nor a known public package")
    if version not in {release.version for release in table.releases(name) if release.is_complete}:
        raise UsageError(f"packages: --with {wanted}: the files of this version are not known")
    key = version_key(version)
    return {
        guid: file.path
        for guid, file in table.files_of(name).items()
        if not file.is_installed and file.first and version_key(file.first) <= key <= version_key(file.last)
    }


def _of_folder(folder: str) -> dict[str, str]:
    bound = Bound(LIMITS)
    found = dict(metas_of(folder, bound))
    if bound.spent:
        raise UsageError(f"packages: --with {folder}: it has more files than are read")
    return found


def _of_tarball(path: str) -> dict[str, str]:
    reader = MetaReader()
    found: dict[str, str] = {}
    total = 0
    try:
        with tarfile.open(path, "r:gz") as archive:
            for number, member in enumerate(archive):
                total += member.size
                if number > _MOST_MEMBERS or total > _LARGEST_TARBALL:
                    raise UsageError(f"packages: --with {path}: it is larger than is read")
                name = member.name.partition("/")[2]
                parts = name.removesuffix(META).encode("utf-8", "replace").split(b"/")
                if not member.isfile() or not name.endswith(META) or any(map(is_hidden, parts)):
                    continue
                file = archive.extractfile(member) if member.size <= _LARGEST_META else None
                guid = reader.read(file.read())[0] if file is not None else b""
                if guid:
                    found[guid.decode()] = name.removesuffix(META)
    except (OSError, EOFError, tarfile.TarError, zlib.error, ValueError) as error:
        raise UsageError(f"packages: --with {path}: it cannot be read: {error}") from error
    return found
