"""References to removed assets, a line for each object that refers."""

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
        what = ": ".join(filter(None, (owner, properties)))
        found.append("  ".join(filter(None, (where(rows[0]), what, f"-> {targets}"))))
    return found
