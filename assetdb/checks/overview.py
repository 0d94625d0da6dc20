"""A project at a glance: ``info``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.findings.unjudged import absent_packages
from assetdb.checks.request import last_summary
from assetdb.query.graph.relations import describe, describe_asset
from assetdb.query.sizes import sizes_of
from assetdb.unity.kinds import main_type
from assetdb.unity.settings.editor_version import VERSION_FILE, editor_version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.checks.request import CheckSummary
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset

_MOST_ROWS: Final = 8


class TypeRow(NamedTuple):
    """The assets of one type: their number, and bytes without metas."""

    type: str
    assets: int
    bytes: int


class UsedRow(NamedTuple):
    """An asset, and how many assets refer to it."""

    path: str
    type: str
    guid: str
    users: int


class Overview(NamedTuple):
    """A project at a glance.

    Attributes:
        root: absolute.
        unity: version of the editor, ``""`` if it is not known.
        packages: outside the project.
        absent: those not on this machine that may have referenced assets.
        assets: how many the project has.
        folders: how many the project has.
        bytes: of all assets.
        references: pairs of assets, one referring to the other.
        unread: files that could not be read.
        types: by bytes, the largest first.
        used: most referred to first.
        check: None if the project was never checked.
    """

    root: str
    unity: str
    packages: int
    absent: tuple[str, ...]
    assets: int
    folders: int
    bytes: int
    references: int
    unread: int
    types: list[TypeRow]
    used: list[UsedRow]
    check: CheckSummary | None


def overview_of(project: Snapshot, bytes_of: Mapping[str, int] | None = None) -> Overview:
    """Return a project at a glance.

    Args:
        project: as it is.
        bytes_of: files by path, as :func:`assetdb.query.sizes.sizes_of` has them, if they are known.

    Raises:
        AssetdbError, OSError: the project cannot be read.
    """
    database = project.database
    numbers: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    scripts: dict[str, str] = {}
    if bytes_of is None:
        bytes_of = sizes_of(project, database)
    for asset in database:
        kind = scripts.get(asset.script) or _kind(asset, project)
        if asset.script and not project.resolver.is_library(asset.script):
            scripts[asset.script] = kind
        numbers[kind] += 1
        sizes[kind] += bytes_of.get(asset.path, 0)
    graph = database.graph
    users = Counter({node: len(graph.incoming(node)) for node in range(graph.asset_count)})
    used = []
    for node, count in users.most_common(_MOST_ROWS):
        found = describe(f"{graph.guid(node):032x}", project)
        if count:
            used.append(UsedRow(found.path, found.type, found.guid, count))
    assets, folders = database.counts
    return Overview(
        project.root,
        editor_version(project.read(VERSION_FILE) or b""),
        len(project.packages.list.rows),
        tuple(row.name for row in absent_packages(project)),
        assets,
        folders,
        sum(sizes.values()),
        graph.edge_count,
        len(project.unread),
        [TypeRow(kind, numbers[kind], size) for kind, size in sizes.most_common(_MOST_ROWS)],
        used,
        last_summary(project),
    )


def _kind(asset: Asset, project: Snapshot) -> str:
    """Return the type of an asset; a library's script needs its file."""
    if not asset.script:
        return main_type(asset.class_id, asset.path)
    if project.resolver.is_library(asset.script):
        return describe_asset(asset, project).type
    return project.resolver.script_name(asset.script) or asset.script


def overview_fields(found: Overview) -> dict[str, object]:
    """Return an overview for JSON."""
    return {
        **found._asdict(),
        "types": [row._asdict() for row in found.types],
        "used": [row._asdict() for row in found.used],
        "check": found.check._asdict() if found.check is not None else None,
    }


def counts_text(counts: Mapping[str, int], most: int) -> str:
    """Return counts, largest first: ``12 missing-script, 3 dangling and 4 more``."""
    rows = Counter(counts).most_common()
    more = sum(count for _, count in rows[most:])
    shown = ", ".join(f"{count:,} {code}" for code, count in rows[:most])
    return f"{shown} and {more:,} more" if more else shown
