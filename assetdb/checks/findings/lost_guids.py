"""Findings of lost GUIDs, with git's knowledge of them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assetdb.checks.findings.finding import Finding
    from assetdb.history.git.questions import Held
    from assetdb.query.snapshots.snapshot import Snapshot

_LOST: Final = frozenset(("missing-script", "missing-asset", "asmdef-reference", "addressables-entry"))
_DIGITS: Final = 32


def with_history(
    project: Snapshot, findings: Iterable[Finding], known: Mapping[str, Held] = MappingProxyType({})
) -> tuple[Finding, ...]:
    """Return findings with former holders of absent GUIDs.

    ``was Assets/Old/X.cs until 3f2c1ab``.

    Args:
        project: whose history is asked.
        findings: in any order.
        known: former owners of some of the GUIDs, preferred to the history.
    """
    rows = tuple(findings)
    lost = {guid for row in rows if (guid := _guid(row))}
    held = {guid: row for guid in lost if (row := known.get(guid) or project.losses.held(guid)) is not None}
    return tuple(row._replace(message=_said(row, held[_guid(row)])) if _guid(row) in held else row for row in rows)


def _guid(finding: Finding) -> str:
    if finding.code not in _LOST:
        return ""
    guid = finding.target[:_DIGITS]
    return guid if len(guid) == _DIGITS and not guid.strip("0123456789abcdef") else ""


def _said(finding: Finding, held: Held) -> str:
    until = f"until {held.commit}" if held.commit else "and its deletion is not committed"
    return f"{finding.message}: was {held.path} {until}"
