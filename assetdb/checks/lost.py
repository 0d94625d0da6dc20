"""What was there before: findings of GUIDs that nothing has, with what git knows of them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from assetdb.checks.finding import Finding
    from assetdb.history.git import Held

_LOST: Final = frozenset(("missing-script", "missing-asset", "asmdef-reference", "addressables-entry"))
_DIGITS: Final = 32


def with_history(
    root: str,
    findings: Iterable[Finding],
    ask: Callable[[str, Collection[str]], Mapping[str, Held]] | None = None,
    known: Mapping[str, Held] = MappingProxyType({}),
) -> tuple[Finding, ...]:
    """Return findings, those of a GUID that nothing has with what had it: ``was Assets/Old/X.cs until 3f2c1ab``.

    Who is asked is git by default (:func:`assetdb.history.lost.last_holders`).

    Git is asked once for all of them that are not ``known``, and not at all where there is none: it walks through the
    history, which takes longer than all else where one commit brought a whole project (unitystation: 3 s).
    """
    rows = tuple(findings)
    lost = {guid for row in rows if (guid := _guid(row))}
    unknown = lost - known.keys()
    held = {**known, **(ask or _git())(root, unknown)} if unknown else known
    if not held:
        return rows
    return tuple(row._replace(message=_said(row, held[_guid(row)])) if _guid(row) in held else row for row in rows)


def _git() -> Callable[[str, Collection[str]], Mapping[str, Held]]:
    from assetdb.history.lost import last_holders  # noqa: PLC0415 - most projects miss nothing

    return last_holders


def _guid(finding: Finding) -> str:
    if finding.code not in _LOST:
        return ""
    guid = finding.target[:_DIGITS]
    return guid if len(guid) == _DIGITS and not guid.strip("0123456789abcdef") else ""


def _said(finding: Finding, held: Held) -> str:
    until = f"until {held.commit}" if held.commit else "and its deletion is not committed"
    return f"{finding.message}: was {held.path} {until}"
