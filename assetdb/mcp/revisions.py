"""Answers from git: differences by object, and an asset's life."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from assetdb.checks.changes.differences import as_text
from assetdb.checks.counting import counted
from assetdb.checks.findings.paths import project_paths
from assetdb.errors import UsageError
from assetdb.history.git.repository import Repository
from assetdb.history.life import CHANGED, life_of
from assetdb.mcp.paging import Answer
from assetdb.query.differences import compared_revisions, within
from assetdb.query.selecting.former import find_known
from assetdb.query.selecting.selector import Unmatched

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.client.engine import Engine
    from assetdb.history.life import Event

    Arguments = Mapping[str, Any]

_MOST_EVENTS: Final = 1000
_WORKING_TREE: Final = "HEAD"  # this commit compared with the files
_REACHED: Final = "reached by "  # lines that begin so matter most, and come first


def diff(arguments: Arguments, engine: Engine) -> Answer:
    """List the changes between two revisions, by object."""
    asked = arguments.get("revisions", _WORKING_TREE)
    paths = project_paths(engine.root, arguments.get("paths", ()), engine.root)
    engine.expire_old()
    with compared_revisions(engine.snapshot(), asked) as compared:
        found = within(compared, paths)
        *lines, summary = as_text(found, every=True)
        absent = f"; {counted(len(found.absent), 'file')} could not be compared" if found.absent else ""
        rows = sorted(filter(None, lines), key=lambda line: not line.startswith(_REACHED))
        return Answer(f"{asked}: {summary}{absent}", rows)


def history(arguments: Arguments, engine: Engine) -> Answer:
    """List the commits that added, moved, changed or deleted an asset.

    Raises:
        UsageError: no asset ever had this name, or several assets had it.
    """
    query = arguments["query"]
    engine.expire_old()
    project = engine.snapshot()
    repository = Repository(project.root)
    known = find_known(query, project, repository, project.root)
    if isinstance(known, Unmatched):
        raise UsageError(f"{known.why}, nor did any commit have one" if not known.ambiguous else known.why)
    guid, path = known
    if not path:
        raise UsageError(f"nothing has the GUID {guid}, and nothing had it in the available git history")
    wanted = (event for event in life_of(repository, guid, path) if arguments.get("every") or event.change != CHANGED)
    events = list(islice(wanted, _MOST_EVENTS))
    older = ", and older ones that are not listed" if next(wanted, None) is not None else ""
    summary = f"{path} {guid}: {counted(len(events), 'commit')}, the newest first{older}"
    return Answer(summary, list(map(_event_row, events)))


def _event_row(event: Event) -> str:
    cells = (event.short or "not committed", event.day, event.author, event.change, event.where, event.subject)
    return "  ".join(filter(None, cells))
