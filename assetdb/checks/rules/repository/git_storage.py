"""Files that git stores too large, or against its own rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import LARGE_FILE, LFS_MISMATCH
from assetdb.diagnostics.codes import WARNING
from assetdb.unity.kinds import is_lfs_pointer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

_MB = 1_000_000


def find_large(project: View) -> Iterator[Finding]:
    """Yield large files outside Git LFS; they may be on the server."""
    for path, size in sorted(project.storage.large.items()):
        said = f"has {size / _MB:,.0f} MB, and .gitattributes does not give it to Git LFS: GitHub refuses the push"
        yield Finding.of(LARGE_FILE, path, said)._replace(severity=WARNING)


def find_mismatches(project: View) -> Iterator[Finding]:
    """Yield contents where a pointer belongs, and pointers without a rule."""
    for path, size in sorted(project.storage.plain.items()):
        said = f"git has its {size:,} bytes, where .gitattributes says Git LFS: every clone shows it as changed"
        yield Finding.of(LFS_MISMATCH, path, said)._replace(severity=WARNING)
    for path in project.storage.small:
        if is_lfs_pointer(project.read(path) or b""):
            yield uncovered(path)


def uncovered(path: str) -> Finding:
    """Return the finding of a pointer without a rule."""
    said = "is a Git LFS pointer that no rule of .gitattributes covers: no clone gets its content"
    return Finding.of(LFS_MISMATCH, path, said)
