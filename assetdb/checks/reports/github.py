"""Findings as GitHub Actions' log commands: ``::error file=Assets/a.prefab,line=3,title=dangling::...``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.checks.finding import Finding


def lines(findings: Iterable[Finding], prefix: str = "") -> Iterator[str]:
    """Yield a line for each finding.

    ``prefix`` is the project's folder within the repository, with ``/`` at its end, or ``""``.
    """
    for finding in findings:
        level = "error" if finding.severity == "error" else "warning"
        place = [("file", prefix + finding.path)]
        if finding.line:
            place.append(("line", str(finding.line)))
        place.append(("title", finding.code))
        properties = ",".join(f"{key}={_property(value)}" for key, value in place)
        said = f"{finding.where}: {finding.message}" if finding.where else finding.message
        yield f"::{level} {properties}::{_data(f'{said} ({finding.advice})')}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
