"""Findings of unresolved merges, one for each object and property."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from assetdb.checks.changes.conflicts import conflicted, sides
from assetdb.unity.engine.classes import class_name
from assetdb.unity.yaml.objects import TextObjects

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.checks.changes.conflicts import Conflict
    from assetdb.checks.findings.finding import Finding
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.resolve.resolver import Resolver

CODE: Final = "conflict-markers"
_NUMBERS: Final = count()


def with_conflicts(project: Snapshot, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings, with the conflicts of unmerged files.

    In place of the one finding that a file is unmerged.
    """
    for finding in findings:
        if finding.code != CODE:
            yield finding
            continue
        data = project.read(finding.path) or b""
        found = conflicted(data)
        if not found:
            yield finding
            continue
        resolver = project.resolver
        # A resolver caches by key: each text has its own.
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
    script = resolver.script_name(item.script) if item.script else ""
    kind = script or class_name(item.class_id) or ""
    way = resolver.hierarchy(key, item.file_id) or item.name
    if not way:
        return f"{kind} &{item.file_id}"
    return f"{way} ({kind})" if kind else way
