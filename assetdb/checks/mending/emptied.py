"""Folders that moves and removals leave empty.

git keeps no empty folder: with its meta left behind, everybody else has the meta of a folder that is not there. So the
folder goes along as ``git rm`` takes it, unless something refers to it (an Addressables entry of a whole folder).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from assetdb.checks.counting import listed
from assetdb.checks.mending.moving import folders_above, has_meta
from assetdb.query.graph.users import users_of, where
from assetdb.settings.project import META, asset_file, folder_and_parents

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.checks.mending.plan import Plan
    from assetdb.query.snapshots.snapshot import Snapshot


class Completed(NamedTuple):
    """A plan that takes the folders which it empties along.

    Attributes:
        plan: with their removals.
        removed: the highest of the folders that are emptied.
        notes: a sentence for each folder that is left empty, with who refers to it.
    """

    plan: Plan
    removed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def with_emptied(root: str, plan: Plan, open_project: Callable[[], Snapshot]) -> Completed:
    """Complete a plan by the folders that it empties.

    Args:
        root: of the project.
        plan: of moves or removals, not yet carried out.
        open_project: returns the project as it is; called where a folder is emptied, and the project is not closed.

    Raises:
        AssetdbError, OSError: the project cannot be read.
    """
    emptied = emptied_folders(root, plan)
    if not emptied:
        return Completed(plan)
    users: dict[str, set[str]] = {}
    for user in users_of(open_project(), emptied):
        if user.target in emptied:
            users.setdefault(user.target, set()).add(where(user))
    going = [folder for folder in emptied if not any(f"{used}/".startswith(f"{folder}/") for used in users)]
    steps = [path for folder in going for path in (folder, folder + META) if path == folder or has_meta(root, folder)]
    notes = [
        f"{folder} is empty then, which git does not keep, and {listed(sorted(places))} refers to it: it is left"
        for folder, places in sorted(users.items())
    ]
    highest = [folder for folder in going if not any(folder.startswith(f"{other}/") for other in going)]
    completed = plan._replace(removals=(*plan.removals, *steps), emptied=tuple(going))
    return Completed(completed, tuple(highest), tuple(notes))


def emptied_folders(root: str, plan: Plan) -> list[str]:
    """Return the folders that a plan empties, the inner ones first."""
    steps = [*plan.removals, *(move.source for move in plan.moves)]
    removed, found = set(steps), dict[str, None]()
    filled = {folder for move in plan.moves for folder in folder_and_parents(os.path.dirname(move.target))}
    left: dict[str, list[str]] = {}  # by folder the paths in it that may stay, for all steps: listing it for each of
    for path in steps:  # 4,000 moves took a minute
        for folder in reversed(list(folders_above(path))):
            if folder in removed or folder in filled:
                break
            if folder not in left:
                left[folder] = [f"{folder}/{name}" for name in os.listdir(asset_file(root, folder))]
            while left[folder] and left[folder][-1] in removed:
                left[folder].pop()
            if left[folder]:
                break
            removed |= {folder, folder + META}
            found[folder] = None
    return list(found)


def removal_note(folder: str) -> str:
    """Return a sentence on an emptied folder that is removed."""
    return f"{folder} is empty then, and git keeps no empty folder: it goes with its meta"
