"""The last changes of each asset in git's history, as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.errors import HistoryError
from assetdb.history.git.repository import Repository
from assetdb.history.life import ADDED, CHANGED, DELETED, MOVED, NEW_GUID
from assetdb.history.lives import MOST_CHANGES, lives_of
from assetdb.report.columns import steps, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.report.network import Network

MOST_EVENTS: Final = 200_000
"""Changes of all assets: a page of 60,000 assets has to stay below 4 MB."""
_LONGEST: Final = 100  # characters of a subject
_WORDS: Final = (ADDED, CHANGED, DELETED, MOVED, NEW_GUID)
_COMMIT: Final = ("short", "day", "author", "subject")


def history_facts(project: Snapshot, network: Network, most: int = MOST_EVENTS) -> dict[str, object] | None:
    """Return the last changes of the assets of a network.

    Each asset has the newest of ``counts`` changes, at most ``most`` of them. ``commit`` has the numbers of the commits
    of an asset, each as the difference to the one before it, the first one counted from -1, which is a move that is not
    committed. ``change`` has a digit for each change, a number of ``words``; ``moved`` are the changes that have a path
    in ``old_paths``.

    Args:
        project: as it is.
        network: of the project.
        most: changes of all assets.

    Returns:
        None without a repository.
    """
    try:
        repository = Repository(project.root)
    except HistoryError:
        return None
    try:
        found = lives_of(repository, [(node.guid, node.path) for node in network.assets])
    except HistoryError:
        return {"is_read": False}
    kept = _kept(found.counts, most)
    changes = [rows[:kept] for rows in found.changes]
    used = sorted({row.commit for rows in changes for row in rows if row.commit >= 0})
    numbers = {-1: 0, **{commit: number for number, commit in enumerate(used, start=1)}}
    flat = [row for rows in changes for row in rows]
    commits = [found.commits[number] for number in used]
    return {
        "is_read": True,
        "commits": table(
            [{**row._asdict(), "day": row.time[:10], "subject": row.subject[:_LONGEST]} for row in commits], _COMMIT
        ),
        "counts": found.counts,
        "most": kept,
        "commit": [step for rows in changes for step in steps([numbers[row.commit] for row in rows])],
        "words": _WORDS,
        "change": "".join(str(_WORDS.index(row.change)) for row in flat),
        "moved": [number for number, row in enumerate(flat) if row.old_path],
        "old_paths": [row.old_path for row in flat if row.old_path],
        "cut": found.is_cut,
    }


def _kept(counts: Sequence[int], most: int) -> int:
    """Return how many changes of each asset are within the budget."""
    for kept in range(MOST_CHANGES, 0, -1):
        if sum(min(count, kept) for count in counts) <= most:
            return kept
    return 0
