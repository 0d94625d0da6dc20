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
    """Return findings with former holders: ``was Assets/Old/X.cs until 3f2c1ab``.

    Args:
        project: whose history is asked.
        findings: in any order.
        known: former owners of some of the GUIDs, preferred to the history.
    """
    rows = list(findings)
    guids = {guid for row in rows if (guid := _guid(row))}.difference(known)
    holders = {**(project.losses.all_held(guids) if guids else {}), **known}
    found = []
    for row in rows:
        held = holders.get(_guid(row))
        if held is None:
            found.append(row)
        else:
            from assetdb.history.lost_guids import former_holder  # noqa: PLC0415 - takes a tenth of an unchanged check

            found.append(row._replace(message=f"{row.message}: {former_holder(held, project.root)}"))
    return tuple(found)


def _guid(finding: Finding) -> str:
    if finding.code not in _LOST:
        return ""
    guid = finding.target[:_DIGITS]
    return guid if len(guid) == _DIGITS and not guid.strip("0123456789abcdef") else ""
