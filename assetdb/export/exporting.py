"""``export_project``: a project at a revision into a folder of exports."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.reports.identity import product_guid
from assetdb.checks.verdicts.processing import share_out
from assetdb.errors import UsageError
from assetdb.export.edges import Share, write_graph
from assetdb.export.folder import MANIFEST, Partition, claim, open_folder, staging
from assetdb.export.formats import JSONL, PARQUET, duckdb, write_jsonl, write_parquet, write_sqlite
from assetdb.export.pieces import write_piece
from assetdb.export.tables import OF_PROJECT, SCHEMA, TABLES, ProjectRow, encodable
from assetdb.settings.output_folder import is_kept_free
from assetdb.settings.project import project_above
from assetdb.version import VERSION

if TYPE_CHECKING:
    from assetdb.builds.trace.tracer import Tracer
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb_formats.processes import Progress

WORK_TREE: Final = "worktree"
"""The revision of files on the disk."""
_FEW: Final = 500  # assets that one process writes faster than another starts


class Request(NamedTuple):
    """The request for an export.

    Attributes:
        folder: of exports; created if missing.
        shape: the format: ``parquet``, ``jsonl`` or ``sqlite``.
        commit: the revision's hash, ``""`` for files on the disk.
        tables: the ones of :data:`~assetdb.export.tables.OF_PROJECT` that are wanted.
        places: whether references have their places, which requires reading all files.
    """

    folder: str
    shape: str
    name: str
    commit: str = ""
    tables: tuple[str, ...] = OF_PROJECT
    places: bool = True
    workers: int = 1


class Exported(NamedTuple):
    """The partition that was exported, and its rows by table."""

    partition: Partition
    rows: dict[str, int]


def export_project(
    project: Snapshot,
    request: Request,
    tracer: Tracer | None = None,
    on_progress: Progress = None,
) -> Exported:
    """Export a project at a revision.

    A partition of the same name and revision is replaced. The objects of the tracer's build are exported, too.

    Raises:
        UsageError: the folder contains something else, or another project of that name, or is among its files.
        MissingExtraError: the format's library is not installed.
        AssetdbError: the project cannot be read.
        OSError: the project cannot be read, or the folder cannot be written.
    """
    if request.shape == PARQUET:
        duckdb()
    folder = os.path.abspath(request.folder)
    if request.shape == PARQUET and encodable(folder) != folder:
        raise UsageError(f"{folder}: DuckDB writes only to paths in UTF-8: name another folder, or give --format jsonl")
    for root in (project.root, project_above(os.path.join(os.path.realpath(folder), MANIFEST))):
        if root is not None and is_kept_free(root, folder):
            raise UsageError(f"{folder} is among the files of the project {root}: name a folder elsewhere")
    partition = Partition(encodable(request.name), request.commit or WORK_TREE)
    _ = partition.path  # refuses a name before anything is written
    project.refresh()
    guid = product_guid(project.root)
    open_folder(folder, request.shape)
    claim(folder, request.name, guid)
    with staging(folder) as place:
        rows = _write_pieces(place, project, request, on_progress)
        if tracer is not None:
            from assetdb.export.built import built_facts, built_objects  # noqa: PLC0415 - few exports have a build

            rows["built_objects"] = write_piece(place, "built_objects", built_objects(tracer))
            for table, facts in built_facts(tracer.build):
                rows[table] = write_piece(place, table, facts)
        files = len(project.assets.unread), len(project.absent)
        rows = {table: rows[table] for table in TABLES if table in rows}
        row = ProjectRow(SCHEMA, VERSION, " ".join(rows), request.commit, guid, request.places, *files)
        rows["projects"] = write_piece(place, "projects", [row])
        if request.shape == PARQUET:
            write_parquet(folder, place, partition, rows, workers=request.workers)
        elif request.shape == JSONL:
            write_jsonl(folder, place, partition, rows)
        else:
            write_sqlite(folder, place, partition, rows)
    return Exported(partition, rows)


def _write_pieces(place: str, project: Snapshot, request: Request, on_progress: Progress) -> dict[str, int]:
    """Write the tables of a project; return how many rows each has."""
    wanted = [table for table in OF_PROJECT if table in request.tables]
    graph = {"assets", *(() if request.places else ("references",))}.intersection(wanted)
    read = {"objects", "references"}.intersection(wanted).difference(graph)
    count = len(project.database) + len(project.duplicates)
    parts = request.workers if count > _FEW else 1
    assigned = project.assignments() if "assets" in graph else {}

    def part(number: int) -> dict[str, int]:
        share = Share(number, parts)
        made = write_graph(project, place, graph, assigned, share)
        if read:
            from assetdb.export.contents import write_contents  # noqa: PLC0415 - a quick export does without

            made.update(write_contents(project, place, read, share, on_progress))
        return made

    made = share_out(part, parts)
    rows = {table: sum(counts[table] for counts in made) for table in (*graph, *read)}
    if "findings" in wanted:
        from assetdb.export.findings import findings  # noqa: PLC0415 - a quick export does without

        rows["findings"] = write_piece(place, "findings", findings(project, request.workers))
    return rows
