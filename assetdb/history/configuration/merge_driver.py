"""The merge drivers of git's configuration, and the extensions that use them.

Git takes a file as it is in ours where a driver cannot start, without a marker: the next ``git add`` would lose theirs.
So the configured line itself falls back to ``git merge-file``: if there is no assetdb, if it was killed, if it does not
merge the file, and if it says that values are open but wrote no marker.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from typing import TYPE_CHECKING, Final

from assetdb.errors import UsageError
from assetdb.unity.kinds import DOCUMENTS, extensions_with

if TYPE_CHECKING:
    from assetdb.history.git.repository import Repository

DRIVER: Final = "assetdb"
LFS_DRIVER: Final = "assetdb-lfs"
ATTRIBUTE: Final = "merge"
KEY: Final = f"merge.{DRIVER}.driver"
LFS: Final = "lfs"
"""The value of ``merge`` that ``git lfs track`` writes."""
_ARGUMENTS: Final = " merge %O %A %B --output %A --path %P --marker-size %L"
_SHOWS_BASE: Final = " --diff3"
_SPECIAL: Final = re.compile(r"""["'$`%\\\n\r]""")
_DIFF3: Final = (b"diff3", b"zdiff3")
_NAME: Final = "scenes, prefabs, assets and metas by object"
_LABELS: Final = "-L ours -L base -L theirs"


def extensions() -> list[str]:
    """Return the extensions of files that are merged by object."""
    return sorted({*extensions_with(DOCUMENTS), "meta"})


def sections(repository: Repository, tool: str = "") -> list[str]:
    """Return the lines of both drivers in git's configuration.

    Args:
        repository: whose style of conflicts the drivers follow.
        tool: the program that merges first, ``""`` for none.

    Raises:
        UsageError: as of :func:`tool_option`.
    """
    style = repository.output("config", "--get", "merge.conflictStyle", accept=(0, 1)).strip()
    options = (_SHOWS_BASE if style in _DIFF3 else "") + (tool_option(tool) if tool else "")
    return [
        *_section(DRIVER, driver_line(options)),
        *_section(LFS_DRIVER, lfs_line(options)),
    ]


def driver_line(options: str = "", program: str = "assetdb") -> str:
    """Return the command that git runs for a file, in its shell."""
    command = f"{program}{_ARGUMENTS}{options}"
    fallback = f"git merge-file{_base_of(options)} --marker-size=%L {_LABELS} %A %O %B || exit 1"
    return f"{command} || {{ test $? -eq 1 && grep -q '^<<<<<<<' %A && exit 1; {fallback}; }}"


def options_of(configured: str) -> str | None:
    """Return the options in a line of ours, None for another line."""
    options = configured.removeprefix(f"assetdb{_ARGUMENTS}").partition(" || ")[0]
    return options if driver_line(options) == configured else None


def tool_option(program: str) -> str:
    """Return the option for another program that merges first.

    Raises:
        UsageError: git's shell would read the path in another way.
    """
    path = program.replace("\\", "/") if os.name == "nt" else program
    if not path or _SPECIAL.search(path):
        raise UsageError(f"--tool: {program!r}: a path without quotes, $, `, %, \\ and line breaks is needed")
    return f' --tool "{path}"'


def this_driver(configured: str) -> str:
    """Return a configured line with the assetdb that runs now, or ``""``.

    ``""`` if the line is not one of ours. The program is named by its path: git runs a driver in the work tree, where
    ``-P`` keeps Python from importing a module of the project.
    """
    options = options_of(configured)
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
    fallback = f"git merge-file --stdout{_base_of(options)} --marker-size=%%L {_LABELS} %%A %%O %%B >%%D"
    tried = 'test $? -eq 1 && grep -q "^<<<<<<<" %%D && exit 1'
    program = f"{command} || {{ {tried}; {fallback} || exit 1; }}"
    versions = "--ancestor %O --current %A --other %B --marker-size %L --output %A"
    return f"git lfs merge-driver {versions} --program '{program}'"


def _base_of(options: str) -> str:
    return _SHOWS_BASE if options.startswith(_SHOWS_BASE) else ""


def _section(name: str, line: str) -> list[str]:
    value = line.replace("\\", "\\\\").replace('"', '\\"')
    return [f'[merge "{name}"]', f"\tname = {_NAME}", f'\tdriver = "{value}"']
