"""Groups as plain data, for ``assetdb groups --json`` and the daemon."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from assetdb.builds.groups.plan import PLAYER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assetdb.builds.groups.implicit import PlannedContent, PlannedDuplicate
    from assetdb.builds.groups.plan import Plan, PlannedGroup


def group_rows(plan: Plan, held: Iterable[PlannedContent]) -> Iterator[dict[str, Any]]:
    """Yield a row for each group, and one for the player."""
    pulled: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for content in held:
        pulled[content.group] = pulled.get(content.group, 0) + len(content.implicit)
        sizes[content.group] = sizes.get(content.group, 0) + content.size
    missing = Counter((row.path, row.group) for row in plan.missing)  # the settings may hold several groups themselves
    for group in plan.groups:
        schema = group.schema
        is_built = bool(group.bundles)  # another group may have the name of one that the settings do not list
        yield {
            "group": group.name,
            "guid": group.guid,
            "path": group.path,
            "skipped": group.skipped,
            "packing": schema.packing if schema else None,
            "compression": schema.compression if schema else None,
            "build_path": group.build_path,
            "load_path": group.load_path,
            "remote": group.remote,
            "profile": plan.profile,
            "entries": group.entries,
            "assets": len(group.members),
            "implicit": pulled.get(group.name, 0) if is_built else 0,
            "source_bytes": sizes.get(group.name, 0) if is_built else 0,
            "missing": missing[group.path, group.name],
            "bundles": [bundle.name for bundle in group.bundles],
        }
    yield {
        "group": "",
        "holder": PLAYER,
        "assets": len(plan.player),
        "implicit": pulled.get("", 0),
        "source_bytes": sizes.get("", 0),
    }


def bundle_rows(held: Iterable[PlannedContent]) -> Iterator[dict[str, Any]]:
    """Yield a row for each bundle, asset by asset."""
    for content in held:
        yield {
            "bundle": content.name,
            "group": content.group,
            "source_bytes": content.size,
            "assets": [member._asdict() for member in content.members],
            "implicit": [pulled._asdict() for pulled in content.implicit],
        }


def entry_rows(chosen: Iterable[PlannedGroup]) -> Iterator[dict[str, Any]]:
    """Yield a row for each asset with an entry of any kind."""
    for group in chosen:
        for member in group.members:
            yield {"group": group.name, **member._asdict()}


def duplicate_rows(rows: Sequence[PlannedDuplicate]) -> Iterator[dict[str, Any]]:
    """Yield a row for each asset that is built more than once."""
    for row in rows:
        yield {**row._asdict(), "wasted": row.wasted}
