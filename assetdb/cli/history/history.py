"""``assetdb history``."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING

from assetdb.cli.arguments import SnapshotOptions
from assetdb.cli.asking import opened, say_unmatched
from assetdb.cli.terminal import not_found, print_rows
from assetdb.history.git.repository import Repository
from assetdb.history.life import CHANGED, Event, former_guid, former_paths, life_of
from assetdb.query.selecting.selector import Unmatched, find_subject
from assetdb.settings.project import ASSET_ROOTS

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, Argument, Fetch, Json, Option
    from assetdb.query.snapshots.snapshot import Snapshot


class HistoryOptions(SnapshotOptions):
    """The options of ``assetdb history``."""

    json: Json = False
    fetch: Fetch = False
    all: Annotated[bool, Option("--all", help="Also the commits that only changed it.")] = False
    limit: Annotated[int | None, Option("--limit", "-n", min=1, metavar="N", help="Only the newest N commits.")] = None


def history(
    options: HistoryOptions,
    query: Annotated[str, Argument(metavar="QUERY", help="A path, name or GUID, also of a deleted asset.")],
) -> int:
    """Show an asset's life in git: added, moved, new GUID, deleted."""
    project = opened(options)
    repository = Repository(project.root, fetch=options.fetch)
    subject = find_subject(query, project, options.cwd)
    if isinstance(subject, Unmatched):
        if subject.ambiguous:
            return say_unmatched(query, subject, as_json=False)
        typed = _typed_path(query, project.root, options.cwd)
        guid = former_guid(repository, typed) if typed else ""
        if not guid:
            former = former_paths(repository, query)
            if len(former) > 1:
                return say_unmatched(query, Unmatched(query, former, ambiguous=True), as_json=False)
            typed = "".join(former)
            guid = former_guid(repository, typed) if typed else ""
        if not guid:
            return say_unmatched(query, subject, as_json=False)
        path = _path_of(guid, project) or typed  # it may have moved on from there
    else:
        guid = subject.guid
        path = subject.path or subject.folder or _path_of(guid, project)
        if not path:
            return not_found(f"nothing has the GUID {guid}, and nothing had it in the available git history")
    events = (event for event in life_of(repository, guid, path) if options.all or event.change != CHANGED)
    found = list(islice(events, options.limit))
    if not found:
        return not_found(f"{path}: git has no commit of it")
    print_rows(found, Event._asdict, _cells, as_json=options.json, styles=("type",))
    return 0


def _typed_path(query: str, root: str, cwd: str) -> str:
    """Return a typed path from the project on, or ``""``."""
    here = os.path.relpath(os.path.abspath(os.path.join(cwd, query)), root)
    paths = (path.replace(os.sep, "/") for path in (here, os.path.normpath(query)))
    return next((path for path in paths if path.partition("/")[0] in ASSET_ROOTS), "")


def _path_of(guid: str, project: Snapshot) -> str:
    """Return where a GUID is, or was last, or ``""``."""
    location = project.resolver.locate(guid)
    if location is not None and location.path:
        return location.path
    held = project.losses.held(guid)
    return held.path if held is not None else ""


def _cells(event: Event) -> tuple[str, ...]:
    where = f"{event.old_path} -> {event.path}" if event.old_path else event.path
    was = f" (was {event.old_guid})" if event.old_guid else ""
    return event.short or "-", event.time[:10], event.author, event.change, where + was, event.subject
