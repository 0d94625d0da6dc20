"""References to files that git has and a sparse checkout leaves out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.checks.findings.codes import ABSENT_CODES, NO_FOLDER, ORPHAN
from assetdb.diagnostics.codes import NOTE
from assetdb.errors import HistoryError
from assetdb.history.git.stamp import has_whole_checkout
from assetdb.settings.project import META, asset_prefix, folder_and_parents

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.checks.findings.finding import Finding

_CODES = frozenset((*ABSENT_CODES, NO_FOLDER, ORPHAN))


def with_left_out(root: str, findings: Iterable[Finding]) -> list[Finding]:
    """Return findings; in files that are left out they are notes."""
    rows = list(findings)
    if _CODES.isdisjoint(row.code for row in rows) or has_whole_checkout(root):
        return rows
    from assetdb.history.git.repository import Repository  # noqa: PLC0415 - most projects lack no file
    from assetdb.history.lost_guids import read_guids  # noqa: PLC0415 - the same

    try:
        repository = Repository(root)
        outside = repository.outside_sparse()
        if not outside:
            return rows
        index = repository.index()
        metas = [path for path in outside if path.endswith(META.encode()) and path in index]
        guids = list(read_guids(repository, [index[path].oid for path in metas]))
    except HistoryError:  # no repository, or one that cannot tell
        return rows
    prefix = asset_prefix(root)
    paths = {prefix + os.fsdecode(path) for path in outside}
    paths.update(folder for path in [*paths] for folder in folder_and_parents(path.rpartition("/")[0]))
    assets = {
        guid: prefix + os.fsdecode(path).removesuffix(META) for path, guid in zip(metas, guids, strict=True) if guid
    }
    return [_row(row, assets.get(row.target_guid, ""), paths) for row in rows]


def _row(row: Finding, asset: str, paths: set[str]) -> Finding:
    """Return a finding, as a note if git has the absent file."""
    if row.code in ABSENT_CODES and asset:
        said = f"git has {asset}, which this sparse checkout leaves out"
    elif row.code in (NO_FOLDER, ORPHAN) and row.path.removesuffix(META) in paths:
        said = "git has its asset, which this sparse checkout leaves out"
    else:
        return row
    return row._replace(severity=NOTE, message=said, fixable=False)
