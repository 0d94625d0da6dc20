"""One rule run over a small project on disk, through the view that a check gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.memo.memo import memo_of
from assetdb.memo.view import View
from assetdb.query.snapshots.snapshot import open_project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from assetdb.checks.findings.finding import Finding


def found_by(rule: Callable[[View], Iterable[Finding]], root: Path) -> list[Finding]:
    """Return the findings of a rule."""
    for folder in ("Assets", "ProjectSettings"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    project = open_project(str(root), str(root.parent / f"{root.name} output"))
    try:
        return list(rule(View(memo_of(project).inputs(project))))
    finally:
        project.close()
