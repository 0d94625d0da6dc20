"""``assetdb history``."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from assetdb.cli.arguments import SnapshotOptions
from assetdb.cli.asking import opened, say_unmatched
from assetdb.cli.terminal import not_found, print_rows
from assetdb.history.git.repository import Repository
from assetdb.history.life import CHANGED, Event, life_of
from assetdb.query.selecting.former import find_known
from assetdb.query.selecting.selector import Unmatched

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, Argument, Fetch, Json, Option


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
    known = find_known(query, project, repository, options.cwd)
    if isinstance(known, Unmatched):
        return say_unmatched(query, known, as_json=False)
    guid, path = known
    if not path:
        return not_found(f"nothing has the GUID {guid}, and nothing had it in the available git history")
    events = (event for event in life_of(repository, guid, path) if options.all or event.change != CHANGED)
    found = list(islice(events, options.limit))
    if not found:
        return not_found(f"{path}: git has no commit of it")
    print_rows(found, Event._asdict, _cells, as_json=options.json, styles=("type",))
    return 0


def _cells(event: Event) -> tuple[str, ...]:
    return event.short or "-", event.day, event.author, event.change, event.where, event.subject
