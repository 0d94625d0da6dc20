"""Findings of files: what the scan says of each, in the form that all findings have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.finding import Finding
from assetdb.diagnostics.codes import CODES

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from assetdb.diagnostics import Diagnostic

_OF_THIS_MACHINE: Final = "no-file-locks"  # it is said of a run, not of a project


def file_findings(diagnostics: Iterable[Diagnostic], wanted: Container[str]) -> Iterator[Finding]:
    """Yield a finding for each diagnostic whose code is wanted."""
    for item in diagnostics:
        if item.code in wanted and item.code != _OF_THIS_MACHINE:
            yield Finding(item.code, CODES[item.code].severity, item.path.rstrip("/"), item.message, item.line)
