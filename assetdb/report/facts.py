"""Everything that a page shows, from the functions that answer the commands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.builds.query.summary import summarize
from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.lost_guids import with_history
from assetdb.checks.overview import overview_fields, overview_of
from assetdb.checks.package_use import package_fields, used_packages
from assetdb.checks.request import Question, answer
from assetdb.query.graph.unused import find_unused, has_build_scenes, lacking
from assetdb.query.graph.unused_rows import unused_fields
from assetdb.query.sizes import sizes_of
from assetdb.query.snapshots.same_contents import same_contents
from assetdb.report.change import change_facts
from assetdb.report.columns import kept_columns, network_columns, place_columns, table
from assetdb.report.history import history_facts
from assetdb.report.imported import imported_facts, platform_word
from assetdb.report.network import network_of
from assetdb.report.places import places_of
from assetdb.report.shipped import build_facts
from assetdb.settings.project import is_part
from assetdb.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from assetdb.builds.build import Build
    from assetdb.checks.findings.engine import Report
    from assetdb.checks.findings.selection import Selection
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.report.kept import KeptFacts
    from assetdb.report.network import Network

    Facts: TypeAlias = dict[str, object]

FORMAT: Final = 1
"""Of the facts; the page that reads them is in the same file."""

_FINDING: Final = (*Finding._fields, "advice")
_UNUSED: Final = ("path", "type", "guid", "packed_by", "bytes")
_PACKAGE: Final = ("name", "version", "source", "here", "required_by", "references", "users")


def project_facts(
    project: Snapshot,
    selection: Selection,
    *,
    since: str | None = None,
    with_places: bool = False,
    build: Build | None = None,
    against: Build | None = None,
    imported: str | None = None,
    workers: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
    kept: KeptFacts | None = None,
) -> Facts:
    """Return the facts of a project, for JSON.

    A page is handed around: it has no path outside of the project.

    Args:
        project: as it is.
        selection: of its findings, as ``check`` has it.
        since: a revision: what differs from it, and the findings that it lacks, are facts too.
        with_places: whether references have their objects and properties; all files are read for them.
        build: where assets ship, and what they weigh there.
        against: an older build than that.
        imported: the platform whose textures are estimated, by default the build's.
        workers: how many processes may read files.
        on_progress: called periodically with the files judged and the total.
        kept: told which codes the facts rest on.

    Raises:
        FormatError: a part of a build is damaged.
        UsageError: there is no such platform.
        AssetdbError, OSError: the project or a build cannot be read.
    """
    project.database.hold()
    network = network_of(project)
    sizes = {node.path: node.bytes for node in network.assets if node.bytes is not None}
    if network.left_out:
        sizes = sizes_of(project, [*project.database, *(row.asset for row in project.duplicates)])
    platform = imported or (platform_word(summarize(build).platforms) if build is not None else "")
    textures = imported_facts(project, network, platform) if platform else None
    report = answer(project, Question(selection), workers=workers, on_progress=on_progress).report
    change = None
    if since is not None:
        introduced = answer(project, Question(selection, since=since), workers=workers).report
        change = {**change_facts(project, since), "findings": _findings(project, introduced)}
    places = places_of(project, network, workers=workers, on_progress=on_progress) if with_places else None
    history = history_facts(project, network)
    if kept is not None and report.is_sure and (history is None or history["is_read"]):
        kept.codes = report.codes
    return {
        "format": FORMAT,
        "version": VERSION,
        "project": os.path.basename(project.root),
        "overview": {
            name: value for name, value in overview_fields(overview_of(project, sizes)).items() if name != "root"
        },
        "assets": network_columns(network),
        "places": place_columns(places) if places is not None else None,
        "findings": _findings(project, report),
        "change": change,
        "same": _same(project, network),
        "build": build_facts(build, project, against) if build is not None else None,
        "imported": textures,
        "history": history,
        "unused": _unused(project, network, sizes),
        "packages": table(
            [{**package_fields(row), "here": bool(row.folder)} for row in used_packages(project)], _PACKAGE
        ),
        "unread": [item._asdict() for item in project.unread],
    }


def _findings(project: Snapshot, report: Report) -> Facts:
    found = with_history(project, report.findings, known=report.held)
    return dict(table([finding.fields() for finding in found], _FINDING))


def _same(project: Snapshot, network: Network) -> Facts:
    found = same_contents(project, {node.path: node.bytes for node in network.assets if node.bytes is not None})
    return {
        "bytes": [row.bytes for row in found.copies],
        "paths": [row.paths for row in found.copies],
        "unread": found.unread,
    }


def _unused(project: Snapshot, network: Network, sizes: Mapping[str, int]) -> Facts:
    report = find_unused(project)
    return {
        "unused": table([{"bytes": None, **row} for row in unused_fields(report.unused, sizes)], _UNUSED),
        "kept": kept_columns(report.kept, network),
        "roots": report.roots,
        "lacking": [item._asdict() for item in lacking(project.root, project.database)],
        "without_scenes": not is_part(project.root) and not has_build_scenes(project.root),
    }
