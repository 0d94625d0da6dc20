"""Lines for references that a change ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.counting import listed
from assetdb.query.graph.users import where

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.query.graph.users import User


def lines_of(users: Iterable[User]) -> list[str]:
    """Return a line for each referring object of a file.

    A prefab that is placed and changed refers to one asset with many overrides.
    """
    groups: dict[tuple[str, str], list[User]] = {}
    for user in users:
        groups.setdefault((user.path, user.object), []).append(user)
    found = []
    for (_, owner), rows in groups.items():
        properties = listed([row.property for row in rows if row.property])
        targets = listed(list(dict.fromkeys(row.target for row in rows)))
        found.append(_line(where(rows[0]), owner, properties, targets))
    return found


def line_of(user: User) -> str:
    """Return the line for one reference."""
    return _line(where(user), user.object, user.property, user.target)


def _line(place: str, owner: str, properties: str, targets: str) -> str:
    what = ": ".join(filter(None, (owner, properties)))
    return "  ".join(filter(None, (place, what, f"-> {targets}")))
