"""Findings of unresolved merges, one for each object and property."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from assetdb.checks.changes.conflicts import conflicted, sides
from assetdb.checks.findings.references import object_text
from assetdb.unity.yaml.objects import TextObjects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.checks.changes.conflicts import Conflict
    from assetdb.checks.findings.finding import Finding
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.resolve.resolver import Resolver

_NUMBERS: Final = count()


def conflict_findings(project: Snapshot, finding: Finding) -> Iterator[Finding]:
    """Yield the conflicts of a file in place of its finding."""
    data = project.read(finding.path) or b""
    found = conflicted(data)
    if not found:
        yield finding
        return
    resolver = project.resolver
    # A resolver remembers what it was asked: each text has a key of its own.
    keys = [f"unmerged {next(_NUMBERS)}" for _ in range(2)]
    try:
        for key, text in zip(keys, sides(data), strict=True):
            resolver.add_content(key, TextObjects(text))
        yield from [_finding(finding, item, keys[item.ours is None], resolver) for item in found]
    finally:
        for key in keys:
            resolver.drop_content(key)


def _finding(finding: Finding, item: Conflict, key: str, resolver: Resolver) -> Finding:
    return finding._replace(
        message=_message(item),
        line=item.line,
        object_path=_object(item, key, resolver),
        property_path=item.property,
        anchor=item.file_id,
    )


def _message(item: Conflict) -> str:
    what = "property" if item.property else "object"
    if item.theirs is None:
        return f"an unresolved merge: only the side above has this {what}" + (f" ({item.ours})" if item.ours else "")
    if item.ours is None:
        return f"an unresolved merge: only the side below has this {what}" + (
            f" ({item.theirs})" if item.theirs else ""
        )
    return f"an unresolved merge: {item.ours or 'nothing'} above, {item.theirs or 'nothing'} below"


def _object(item: Conflict, key: str, resolver: Resolver) -> str:
    if not item.file_id:
        return ""
    way = resolver.hierarchy(key, item.file_id) or item.name
    return object_text(way, item.file_id, item.class_id, (item.script, item.script_id), resolver)
