"""Diagnostics of the last bake, without a new scan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.diagnostics import decode
from assetdb.packages.listing import read_list
from assetdb.scan.directory import diagnostics_of
from assetdb.scan.walking.submodules import without_submodules
from assetdb.settings.effective import read_settings
from assetdb.store.output import Output

if TYPE_CHECKING:
    from assetdb.diagnostics import Diagnostic


def kept_diagnostics(root: str, folder: str) -> tuple[Diagnostic, ...] | None:
    """Return the cache's diagnostics, in order; None if it is outdated.

    Raises:
        ConfigurationError: ``assetdb.toml`` is wrong.
        ScanError: whether there is a list of packages cannot be determined now.
    """
    output = Output(folder, read_settings(root, folder).check_stat)
    known = output.read_cache()
    if not known.directories or known.files != output.identities():
        return None
    found = [*decode(known.problems), *diagnostics_of(known.directories.values()), *read_list(folder).problems]
    return tuple(sorted(without_submodules(root, found)))
