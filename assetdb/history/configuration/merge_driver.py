"""The merge drivers of git's configuration, and the extensions that use them.

Git takes a file as it is in ours where a driver cannot start, without a marker: the next ``git add`` would lose theirs.
So the configured line itself falls back to ``git merge-file``: if there is no assetdb, if it was killed, if it does not
merge the file, and if it says that values are open but wrote no marker.
"""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Final

from assetdb.unity.kinds import DOCUMENTS, extensions_with

if TYPE_CHECKING:
    from assetdb.history.git.repository import Repository

DRIVER: Final = "assetdb"
LFS_DRIVER: Final = "assetdb-lfs"
ATTRIBUTE: Final = "merge"
KEY: Final = f"merge.{DRIVER}.driver"
LFS: Final = "lfs"
"""The value of ``merge`` that ``git lfs track`` writes."""
_SHOWS_BASE: Final = " --diff3"
_DIFF3: Final = (b"diff3", b"zdiff3")
_NAME: Final = "scenes, prefabs, assets and metas by object"
_LABELS: Final = "-L ours -L base -L theirs"


def extensions() -> list[str]:
    """Return the extensions of files that are merged by object."""
    return sorted({*extensions_with(DOCUMENTS), "meta"})


def sections(repository: Repository) -> list[str]:
    """Return the lines of both drivers in git's configuration."""
    style = repository.output("config", "--get", "merge.conflictStyle", accept=(0, 1)).strip()
    options = _SHOWS_BASE if style in _DIFF3 else ""
    return [
        *_section(DRIVER, driver_line(options)),
        *_section(LFS_DRIVER, lfs_line(options)),
    ]


def driver_line(options: str = "", program: str = "assetdb") -> str:
    """Return the command that git runs for a file, in its shell."""
    command = f"{program} merge %O %A %B --output %A --path %P --marker-size %L{options}"
    fallback = f"git merge-file{' --diff3' if options else ''} --marker-size=%L {_LABELS} %A %O %B || exit 1"
    return f"{command} || {{ test $? -eq 1 && grep -q '^<<<<<<<' %A && exit 1; {fallback}; }}"


def this_driver(configured: str) -> str:
    """Return a configured line with the assetdb that runs now, or ``""``.

    ``""`` if the line is not one of ours. The program is named by its path: git runs a driver in the work tree, where
    ``-P`` keeps Python from importing a module of the project.
    """
    options = next((options for options in ("", _SHOWS_BASE) if driver_line(options) == configured), None)
    if options is None:
        return ""
    program = f"{shlex.quote(sys.executable)} -P -m assetdb".replace("%", "%%")
    return driver_line(options, program)


def lfs_line(options: str = "") -> str:
    """Return the command for files in Git LFS.

    Git LFS turns pointers into contents and back.
    Git replaces each ``%%`` by ``%``, and Git LFS what follows.
    """
    command = f"assetdb merge %%O %%A %%B --output %%D --marker-size %%L{options}"
    fallback = f"git merge-file --stdout{' --diff3' if options else ''} --marker-size=%%L {_LABELS} %%A %%O %%B >%%D"
    tried = 'test $? -eq 1 && grep -q "^<<<<<<<" %%D && exit 1'
    program = f"{command} || {{ {tried}; {fallback} || exit 1; }}"
    versions = "--ancestor %O --current %A --other %B --marker-size %L --output %A"
    return f"git lfs merge-driver {versions} --program '{program}'"


def _section(name: str, line: str) -> list[str]:
    value = line.replace("\\", "\\\\").replace('"', '\\"')
    return [f'[merge "{name}"]', f"\tname = {_NAME}", f'\tdriver = "{value}"']
