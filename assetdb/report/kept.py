"""The facts of a page, kept while they stay true.

The facts of unitystation took fourteen times as long as finding out that nothing had changed.

Beside the findings a page shows sizes, contents and references of assets, whose files the scan covers; the files of
``ProjectSettings/``; packages; and git's history.
"""

from __future__ import annotations

import os
from stat import S_ISREG
from typing import TYPE_CHECKING, ClassVar

from assetdb.checks.reports.kept import KeptOutput
from assetdb.errors import HistoryError
from assetdb.history.git.repository import Repository
from assetdb.packages.external import locate_packages
from assetdb.packages.listing import read_list
from assetdb.settings.project import SETTINGS_FOLDERS
from assetdb.system.failures import mode_of

if TYPE_CHECKING:
    from collections.abc import Iterator


class KeptFacts(KeptOutput):
    """The last facts of a whole project, as a page has them."""

    prefix: ClassVar = "facts of a page: "
    most: ClassVar = 1  # they are megabytes
    shows_contents: ClassVar = True

    def more_files(self) -> Iterator[str]:
        """Yield folders of settings and package lists, and their files."""
        for folder in SETTINGS_FOLDERS:
            yield folder
            yield from (f"{folder}/{name}" for name in self.project.names_in(folder))

    def read_state(self) -> str:
        """Return facts that no input has, ``""`` if some cannot be compared.

        Files of a package are read beside its database: names of assemblies, classes of a DLL. Unity does not let the
        files in its cache be changed, but the files of a local package may change at any time.
        """
        state = super().read_state()
        packages = read_list(self.project.folder)
        if not state or any(row.folder and not row.immutable for row in packages.rows):
            return ""
        root = self.project.root
        located = [
            (row, bool(row.folder) and S_ISREG(mode_of(os.path.join(row.folder, "package.json"))))
            for row in locate_packages(root).packages
        ]
        try:
            digits = Repository(root).short_digits()  # of the commits, which a fetch may change
        except HistoryError:
            digits = 0
        return repr((state, located, digits))
