"""Assets outside the database: of packages, and of stray metas."""

from __future__ import annotations

import os
import time
from operator import itemgetter

from assetdb.diagnostics import STAND_ALONE, Diagnostic
from assetdb.errors import FileError
from assetdb.packages.external import Bound, bound_of, find_packages, readable_rows
from assetdb.packages.location import Location
from assetdb.scan.reader import LARGEST_META
from assetdb.settings.project import META, asset_file, asset_roots, is_hidden, is_inner_project, is_opaque
from assetdb.system.cancelling import check_cancelled
from assetdb.system.failures import excuse
from assetdb.system.mirrors import is_folder
from assetdb.system.reading import open_regular
from assetdb.unity.kinds import type_of_extension, type_of_importer
from assetdb.unity.metas.meta import MetaReader

TYPE_CHECKING = False  # typing takes 9 ms to import

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.packages.listing import PackageList


def find_elsewhere(root: str, *, everything: bool) -> tuple[dict[str, Location], PackageList]:
    """Search the metas of packages, and metas without assets.

    Args:
        root: of the project.
        everything: all metas, not only orphaned ones, for a project without a database.

    Returns:
        Where the asset of each GUID is, and the packages that the project requires.
    """
    found = find_orphan_metas(root, everything=everything)
    in_packages, packages = find_in_packages(root)
    return {**in_packages, **found}, packages


def find_orphan_metas(root: str, *, everything: bool = False) -> dict[str, Location]:
    """Search the metas without assets, or with ``everything`` all metas."""
    reader = MetaReader()
    found: dict[str, Location] = {}
    for top in asset_roots(root):
        metas = _metas(asset_file(root, top), top, everything=everything, of_package="/" in top)
        for path, shown in sorted(metas, key=itemgetter(1)):
            _add(found, reader, path, shown, "")  # for a shared GUID, the first by path
    return found


def orphan_metas(root: str, diagnostics: Iterable[Diagnostic], *, has_excluded: bool) -> dict[str, Location]:
    """Return the metas without assets, by the diagnostics of a scan.

    They are searched where a scan does not tell them all: of what the settings exclude, and names that are no UTF-8.
    """
    metas = [found.path for found in diagnostics if found.code in STAND_ALONE]
    if has_excluded or any("\ufffd" in path for path in metas):
        return find_orphan_metas(root)
    return read_orphan_metas(root, metas)


def read_orphan_metas(root: str, metas: Iterable[str]) -> dict[str, Location]:
    """Search metas known to have no assets, by paths in the project."""
    reader = MetaReader()
    found: dict[str, Location] = {}
    for asset in sorted(meta.removesuffix(META) for meta in metas):
        _add(found, reader, asset_file(root, asset), asset, "")
    return found


def find_in_packages(root: str, bound: Bound | None = None) -> tuple[dict[str, Location], PackageList]:
    """Search the metas of packages outside the project.

    Returns also the packages. Those searched only partly count as absent; ``bound`` has them. These are the packages of
    their database, with the same bounds; other threads' time does not count.
    """
    bound = bound or Bound(clock=time.thread_time)
    packages = find_packages(root)
    here, refused = readable_rows(root, packages.rows)
    bound.cut += refused
    reader = MetaReader()
    found: dict[str, Location] = {}
    for row in here:
        limit = bound_of(row, root, bound)
        for path, shown in _metas(row.folder, f"Packages/{row.name}", everything=True, of_package=True, bound=limit):
            _add(found, reader, path, shown, row.name)
        if limit is not None and limit.spent:
            bound.cut.append(row)
    cut = [Diagnostic("package-too-large", f"Packages/{row.name}", 0, "is read in part") for row in bound.cut]
    return found, packages._replace(problems=tuple(cut))


def metas_of(folder: str, bound: Bound) -> Iterator[tuple[str, str]]:
    """Yield GUID and path of each meta of a package's folder."""
    reader = MetaReader()
    found: dict[str, Location] = {}
    for path, shown in _metas(folder, "", everything=True, of_package=True, bound=bound):
        _add(found, reader, path, shown.removeprefix("/"), "package")
    yield from ((guid, location.path) for guid, location in found.items())


def _metas(
    folder: str, shown: str, *, everything: bool, of_package: bool, bound: Bound | None = None
) -> Iterator[tuple[str, str]]:
    """Yield path and shown path of assets with metas, unless hidden."""
    stack = [(folder, shown)]
    while stack:
        here, above = stack.pop()
        try:
            with os.scandir(here) as entries:
                listed = [(entry.name, is_folder(entry)) for entry in entries]
        except OSError as error:
            excuse(above, error)
            continue
        check_cancelled()
        if bound is not None and not bound.take(len(listed)):
            return
        names = {name for name, _ in listed}
        metas = {os.fsencode(name) for name in names if name.endswith(META)} if of_package else set()
        for name, is_directory in sorted(listed):
            if is_directory:
                if not (
                    is_hidden(os.fsencode(name))
                    or is_opaque(os.fsencode(name))
                    or name.endswith(META)
                    or (of_package and is_inner_project(os.fsencode(here), os.fsencode(name), metas))
                ):  # as the scan of the project
                    stack.append((os.path.join(here, name), f"{above}/{name}"))
            elif name.endswith(META):
                asset = name[: -len(META)]
                if (everything or asset not in names) and not is_hidden(os.fsencode(asset)):
                    yield os.path.join(here, asset), f"{above}/{asset}"


def _add(found: dict[str, Location], reader: MetaReader, path: str, shown: str, package: str) -> None:
    try:
        with open(open_regular(path + META), "rb") as file:
            data = file.read(LARGEST_META + 1)
    except FileError:
        return
    except OSError as error:
        excuse(shown, error)
        return
    if len(data) > LARGEST_META:
        return
    guid, facts, _ = reader.read(data)
    if guid:
        extension = shown.rpartition("/")[2].rpartition(".")[2]
        folder = facts.folder or os.path.isdir(path)
        number = 0 if folder else type_of_extension(extension) or type_of_importer(facts.importer) or 0
        shown = os.fsencode(shown).decode("utf-8", "replace")
        absent = not package and not folder and not os.path.lexists(path)
        found.setdefault(guid.decode(), Location(shown, path, number, "", folder, package, absent))
