"""Whether a report is of a build, and its rows by object.

Both must have one build GUID, where both have one, and the objects and sizes of the report's files must be as in
the build: Unity overwrites its report with every build, so the one beside a project is often of a later build.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.parts.naming import folded, folder_of
from assetdb.builds.query.declarations import build_guids
from assetdb.builds.reports.finding import reports_near
from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.build_report import BuildReport, PackedObject, read_build_report

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.builds.build import Build, BuildFile


class Reported(NamedTuple):
    """A report that is of a build.

    Attributes:
        rows: by number of an object of the build.
    """

    path: str
    report: BuildReport
    rows: dict[int, PackedObject]


class Refused(NamedTuple):
    """A report that is not used, and why not."""

    path: str
    why: str

    def __str__(self) -> str:
        return f"{self.path}: the build report is not used: {self.why}"


class Reports(NamedTuple):
    """The report of a build, or without one the refused reports."""

    used: Reported | None
    refused: tuple[Refused, ...]

    def problem(self) -> str:
        """Return why there is no report, or ``""``."""
        if not self.refused:
            return ""
        others = len(self.refused) - 1
        more = {0: "", 1: "; nor is 1 other report"}.get(others, f"; nor are {others} other reports")
        return f"{self.refused[0]}{more}"


NO_REPORTS: Final = Reports(None, ())


def tie(path: str, report: BuildReport, build: Build) -> Reported | Refused:
    """Join a report with its build, or say why not."""
    packed = {folded(file.name): {row.path_id: row for row in file.objects} for file in report.packed}
    sizes = {folded(file.path): file.size for file in report.files}
    guids = build_guids(build)
    rows: dict[int, PackedObject] = {}
    refused = []
    for folder, files in _by_folder(build).items():
        known = [file for file in files if folded(file.facts.name) in packed]
        if not known:
            continue
        guid = guids.get(folder, "")
        if guid and report.guid and guid != report.guid:
            refused.append(f"it is of the build with the GUID {report.guid}, and this one has {guid}")
            continue
        why = next(_differences(build, files, packed, sizes), "")
        if why:
            refused.append(f"it is of another build: {why}")
            continue
        for file in known:
            own = packed[folded(file.facts.name)]
            rows.update((number, own[build.path_ids[number]]) for number in file.numbers)
    if rows:
        return Reported(path, report, rows)
    return Refused(path, refused[0] if refused else "it is of another build: none of its files is in this one")


def _by_folder(build: Build) -> dict[str, list[BuildFile]]:
    """Return the files of each player, and of each folder of bundles."""
    found: dict[str, list[BuildFile]] = {}
    for file in build.files:
        found.setdefault(folder_of(build.parts[file.part].name), []).append(file)
    return found


def _differences(
    build: Build, files: Sequence[BuildFile], packed: dict[str, dict[int, PackedObject]], sizes: dict[str, int]
) -> Iterator[str]:
    """Yield a sentence for each difference of files from a report."""
    for file in files:
        name = folded(file.facts.name)
        if sizes.get(name, file.facts.size) != file.facts.size:
            yield f"{file.name} has {file.facts.size:,} bytes, in the report {sizes[name]:,}"
        rows = packed.get(name)
        if rows is None or not file.facts.serialized:
            continue
        mine = {build.path_ids[number]: (build.class_ids[number], build.sizes[number]) for number in file.numbers}
        if len(mine) != len(rows):
            yield f"{file.name} has {len(mine):,} objects, in the report {len(rows):,}"
        elif mine.keys() != rows.keys():
            yield f"{file.name}#{min(mine.keys() - rows.keys())} is not in the report"
        for path_id, row in rows.items():
            if mine.get(path_id) not in (None, (row.class_id, row.size)):
                yield f"{file.name}#{path_id} has another class or size in the report"


def reports_of(build: Build, builds: Sequence[str], root: str = "", given: str = "") -> Reports:
    """Return the given report of a build, else one near.

    Args:
        build: the build.
        builds: its paths.
        root: of the project, or ``""``.
        given: path of a report, or ``""``.

    Raises:
        FormatError: ``given`` is no report, or damaged.
        OSError: ``given`` cannot be read.
    """
    if given:
        found = tie(given, read_build_report(given), build)
        return Reports(found, ()) if isinstance(found, Reported) else Reports(None, (found,))
    refused = []
    for path in reports_near(builds, root):
        try:
            near = tie(path, read_build_report(path), build)
        except FormatError as error:
            near = Refused(path, str(error.at("")))
        except OSError as error:
            near = Refused(path, error.strerror or str(error))
        if isinstance(near, Reported):
            return Reports(near, ())
        refused.append(near)
    return Reports(None, tuple(refused))
