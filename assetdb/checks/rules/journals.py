"""A journal that a killed process left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import LEFT_BEHIND
from assetdb.settings.project import JOURNAL_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View


def find_journal(project: View) -> Iterator[Finding]:
    """Yield a finding for a change under way or half done."""
    if project.read(JOURNAL_NAME) is not None:
        said = "a change of several files is in progress, or was interrupted when its process was killed"
        yield Finding.of(LEFT_BEHIND, JOURNAL_NAME, said)
