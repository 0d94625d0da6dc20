"""The database and graph of packages outside the project.

Packages of ``Library/PackageCache`` are immutable by the names of their folders (``<name>@<version>``): each is read
once, and a bake that changes nothing only looks at the times of the folders. ``file:`` packages are scanned like the
project, within bounds if they are outside of it. Embedded ones belong to the project itself.

The files are as in a project (``asset-db.bin``, index, cache), in a folder of this version in the output folder,
with a list of the packages; the project's own database contains nothing of them, because a fixture must not depend on
a machine's cache.
"""

from __future__ import annotations

import os
import time

from assetdb.diagnostics import Diagnostic, encode
from assetdb.errors import DatabaseError, ProjectError
from assetdb.packages.listing import (
    FIELD,
    LIST_NAME,
    NO_PACKAGES,
    PackageList,
    PackageRow,
    head_of,
    read_list,
    stamps_of,
    touched_folders,
)
from assetdb.scan.directory import SLASH
from assetdb.scan.known import cache
from assetdb.scan.reader import DirectoryReader
from assetdb.scan.workers import scan
from assetdb.store.files import DATABASE_NAME, INDEX_NAME, PACKAGES_FOLDER
from assetdb.store.output import Output
from assetdb.system.identity import DEFAULT
from assetdb.version import VERSION
from assetdb_formats.atomic import remove_leftovers, replace_file
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assetdb.packages.external import Bound
    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.walking.limits import Limits
    from assetdb.store.database import Database


def refresh(
    root: str,
    folder: str,
    *,
    workers: int = 1,
    limits: Limits | None = None,
    check_stat: str = DEFAULT,
    own: Database | None = None,
) -> PackageList:
    """Update the packages' files; the caller holds the output folder's lock.

    Args:
        root: the project, absolute.
        folder: its output folder, with its database.
        workers: how many processes may read at once.
        limits: of packages that lie outside the project; :data:`assetdb.packages.external.LIMITS` unless given.
        check_stat: how files are compared, as ``assetdb.settings.effective.Settings`` has it.
        own: the project's database where it is open: a daemon's may not be written yet. Else its file is opened.

    Raises:
        ScanError: the packages cannot be read now.
        OSError: the files cannot be read or written.
    """
    known = read_list(folder)
    stamps = stamps_of(root, check_stat)
    output = Output(os.path.join(folder, PACKAGES_FOLDER), check_stat, root)
    project = Output(folder, check_stat)
    linked = os.path.islink(output.folder)
    same = known.stamps == stamps and known.root == root  # moving a project changes no stamp
    if same and not linked and _is_current(known, output, project):
        return known
    from assetdb.packages.external import LIMITS, find_packages, readable_rows  # noqa: PLC0415 - a no-op does without

    # What a local package needs is in its own package.json, of which there is no stamp.
    listed = known if same and all(row.immutable for row in known.rows if row.folder) else find_packages(root)
    same = same and listed.rows == known.rows
    rows = listed.rows
    here, around = readable_rows(root, rows)
    touched = touched_folders(known.stamps, stamps)
    refused = [
        Diagnostic(
            "package-too-large", f"Packages/{row.name}", 0, f"is {row.folder}, which contains the project: not read"
        )
        for row in around
    ]
    if linked:  # it may come with a cloned repository: files at its target must not be replaced
        os.unlink(output.folder)
        known = NO_PACKAGES
    if not here:
        return _without(output, listed._replace(stamps=stamps, files="", problems=tuple(refused)), known)
    files = _files(output, project)
    mutable = [row for row in here if not row.immutable]
    if not mutable and same and known.files == files and listed is known:
        return known
    _make_folder(output)
    remove_leftovers(output.folder, (DATABASE_NAME, INDEX_NAME, cache.FILE_NAME, LIST_NAME))
    problems = _update(output, here, known, _Reading(root, workers, limits or LIMITS, check_stat, touched))
    files = _files(output, project)
    if problems is not None or known.files != files:
        large = problems if problems is not None else [d for d in known.problems if d.code == "package-too-large"]
        problems = [*dict.fromkeys((*refused, *large)), *_in_both(output, project, own)]
    else:
        problems = list(known.problems)
    made = listed._replace(stamps=stamps, files=files, problems=tuple(problems))
    if made != known:
        _write_list(output, made)
    return made


def _is_current(known: PackageList, output: Output, project: Output) -> bool:
    """Whether the known packages need no scan.

    Their lists are unchanged; nothing was known and none exists, or all are immutable.
    """
    here = [row for row in known.rows if row.folder]
    if not here:
        return not (known.files or known.problems)
    return all(row.immutable for row in here) and known.files == _files(output, project)


def _make_folder(output: Output) -> None:
    """Make the packages' folder in the output folder, which must exist.

    Raises:
        ProjectError: it cannot be made.
    """
    if not os.path.isdir(output.folder):
        try:
            os.mkdir(output.folder)
        except OSError as error:
            from assetdb_formats.files import words_of  # noqa: PLC0415 - only where something is wrong

            raise ProjectError(f"{output.folder} cannot be made: {words_of(error)}") from error


class _Reading(NamedTuple):
    root: str
    workers: int
    limits: Limits
    check_stat: str
    touched: frozenset[str]  # folders of the PackageCache with other times


def _files(output: Output, project: Output) -> str:
    return " ".join(map(str, (*output.identities(), *project.identities())))


def _without(output: Output, made: PackageList, known: PackageList) -> PackageList:
    """Record that there are no packages, and remove files of them."""
    if made == known:
        return known
    for path in (output.database, output.index, output.cache):
        if os.path.exists(path):
            os.unlink(path)
    if made.rows or known.rows or made.embedded or made.unknown or made.is_closed:
        _make_folder(output)
        _write_list(output, made)
    return made


def _write_list(output: Output, made: PackageList) -> None:
    rows = [FIELD.join((*row[:3], f"{row.immutable:d}", f"{row.exact:d}")) for row in made.rows]
    lines = [*head_of(made), *rows]
    text = "\n".join(lines).encode("utf-8", "surrogateescape") + b"\n" + encode(list(made.problems))
    replace_file(os.path.join(output.folder, LIST_NAME), [text])


# --- reading ------------------------------------------------------------------------------------------------------


def _update(
    output: Output, rows: Sequence[PackageRow], before: PackageList, reading: _Reading
) -> list[Diagnostic] | None:
    """Read new and changed packages; return diagnostics, None if unchanged."""
    loaded = output.read_cache()
    try:
        return _updated(output, rows, before, reading, loaded)
    except cache.DamagedCacheError:
        return _updated(output, rows, before, reading, cache.EMPTY)


def _updated(
    output: Output, rows: Sequence[PackageRow], before: PackageList, reading: _Reading, loaded: cache.Cache
) -> list[Diagnostic] | None:
    from assetdb.packages.external import Bound, bound_of  # noqa: PLC0415 - the same

    root = reading.root
    settings = _settings_of(reading)
    is_of_files = loaded.files == output.identities()
    was_at = _root_in(loaded.settings)
    if loaded.settings != settings:  # of another version, or of a project copied with its output folder
        is_of_files = False
        loaded = (
            loaded.moved(settings) if loaded.settings == _settings_of(reading._replace(root=was_at)) else cache.EMPTY
        )
    reader = DirectoryReader(
        os.fsencode(root),
        since_ns=time.time_ns(),
        check_stat=reading.check_stat,
        may_change_directory=False,
        complete=loaded.complete,
        mounts={_top(row): os.fsencode(row.folder) for row in rows},
    )
    by_top: dict[bytes, dict[bytes, DirectoryFacts]] = {}
    for path, directory in loaded.directories.items():
        by_top.setdefault(SLASH.join(path.split(SLASH, 2)[:2]), {})[path] = directory
    same = {row.within(was_at) for row in before.rows}
    found: dict[bytes, DirectoryFacts] = {}
    problems: list[Diagnostic] = []
    new: list[bytes] = []
    bound = Bound(reading.limits)
    for row in rows:
        known = by_top.get(_top(row), {}) if row.within(root) in same else {}
        if row.immutable and known and os.path.basename(row.folder) not in reading.touched:
            found.update(known)
        elif row.immutable and not known:
            new.append(_top(row))
        else:
            within, whole = _walk(reader, _top(row), known, bound_of(row, root, bound))
            found.update(within)
            if not whole:
                message = f"{row.folder} has more files than are read; {len(within)} folders of it were"
                problems.append(Diagnostic("package-too-large", f"Packages/{row.name}", 0, message))
    if new:
        found.update(scan(new, {}, reader, workers=reading.workers).directories)
    reader.close()
    if is_of_files and loaded.has_facts_of(found):
        return None
    _write(output, settings, [loaded.complete(found[path]) for path in sorted(found)])
    return problems


def _settings_of(reading: _Reading) -> bytes:
    return f"{VERSION}\0{reading.root}\0{reading.check_stat}".encode("utf-8", "surrogateescape")


def _root_in(settings: bytes) -> str:
    """Return the project of settings, ``""`` if they are invalid."""
    parts = settings.decode("utf-8", "surrogateescape").split("\0")
    return parts[1] if len(parts) > 1 else ""


def _top(row: PackageRow) -> bytes:
    return os.fsencode(f"Packages/{row.name}")


def _walk(
    reader: DirectoryReader, top: bytes, known: Mapping[bytes, DirectoryFacts], bound: Bound | None
) -> tuple[dict[bytes, DirectoryFacts], bool]:
    """Return a package's directories in order, and whether they are complete."""
    found: dict[bytes, DirectoryFacts] = {}
    stack = [top]
    while stack:
        if bound is not None and bound.spent:
            return found, False
        path = stack.pop()
        directory = reader.read(path, known.get(path))
        if directory is None:
            continue
        found[path] = directory
        children = directory.children.split(SLASH) if directory.children else []
        if bound is not None and not bound.take(len(children) + len(directory.identities) // 8):
            return found, False
        stack += [path + SLASH + name for name in reversed(children)]
    return found, True


def _write(output: Output, settings: bytes, directories: Sequence[DirectoryFacts]) -> None:
    from assetdb.state.project_state import ProjectState  # noqa: PLC0415 - only where something changed

    state = ProjectState(directories)
    output.write([state.database], [state.index()])
    output.write_cache(cache.encode(settings, output.identities(), state.asset_count, b"", directories))


def _in_both(output: Output, project: Output, own: Database | None) -> list[Diagnostic]:
    """Return diagnostics of GUIDs that packages share."""
    from assetdb.packages.shared_guids import shared_guids  # noqa: PLC0415 - only where something changed
    from assetdb.store.database import open_database  # noqa: PLC0415 - the same

    try:
        with open_database(output.database) as packages:
            if own is not None:
                return shared_guids(own, packages)
            with open_database(project.database) as opened:
                return shared_guids(opened, packages)
    except (DatabaseError, FileNotFoundError):  # the project's was written without references, or does not exist yet
        return []
