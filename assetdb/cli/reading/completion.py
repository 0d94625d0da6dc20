"""Completion of words with TAB: assets, codes of findings, projects.

Each function is called with the word that is begun. A word with a ``/`` is completed from the files on the disk, any
other from the names of the last bake: TAB starts no bake, and prints nothing without a project or database.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.commands import COMMANDS
from assetdb.settings.project import META

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_MOST: Final = 200
"""Names that are offered at once; more are of no use."""
_DEPTH: Final = 3
_MOST_FOLDERS: Final = 2000
"""Folders to search for projects."""
_SKIPPED: Final = frozenset(("Assets", "Library", "Packages", "ProjectSettings", "Temp", "node_modules"))


def assets_beginning(given: Mapping[str, Any], incomplete: str) -> list[str]:
    """Return paths and names of assets that complete a word."""
    from assetdb.errors import AssetdbError  # noqa: PLC0415 - most completions are of options
    from assetdb.settings.project import find_project  # noqa: PLC0415 - the same

    try:
        root = find_project(given.get("project"))
        if "/" in incomplete or not incomplete:
            return _paths(root, incomplete)
        return [*_paths(root, incomplete), *_names(root, incomplete, given.get("out_dir"))]
    except (AssetdbError, OSError):  # no project here, no database yet: nothing is offered
        return []


def codes_beginning(incomplete: str) -> list[str]:
    """Return the codes that complete the last of a list with commas."""
    from assetdb.diagnostics.codes import ALL, CODES  # noqa: PLC0415 - as above

    before, comma, begun = incomplete.rpartition(",")
    given = before.split(",")
    words = [*CODES] if comma else [ALL, *CODES]
    return [before + comma + word for word in words if word.startswith(begun) and word not in given]


def projects_beginning(incomplete: str) -> list[str]:
    """Return the Unity projects that complete a path."""
    above, begun = os.path.split(incomplete)
    return sorted(_projects(above, begun))


def _paths(root: str, begun: str) -> list[str]:
    """Return the entries of a project's folder; a lone folder's own."""
    above, _, name = begun.rpartition("/")
    while True:
        found = _children(root, above, name)
        if len(found) != 1 or not found[0].endswith("/"):
            return found
        above, name = found[0].rstrip("/"), ""


def _children(root: str, above: str, name: str) -> list[str]:
    from assetdb.settings.project import ASSET_ROOTS  # noqa: PLC0415 - as above

    if not above:
        return [f"{one}/" for one in ASSET_ROOTS if one.startswith(name) and os.path.isdir(os.path.join(root, one))]
    parts = above.split("/")
    if parts[0] not in ASSET_ROOTS or ".." in parts:
        return []
    with os.scandir(os.path.join(root, above)) as entries:
        return sorted(
            f"{above}/{entry.name}{'/' if entry.is_dir() else ''}"
            for entry in entries
            if entry.name.startswith(name) and not entry.name.startswith(".") and not entry.name.endswith(META)
        )


def _names(root: str, begun: str, out_dir: str | None) -> list[str]:
    from assetdb.settings.output_folder import output_folder  # noqa: PLC0415 - as above
    from assetdb.store.database import open_database  # noqa: PLC0415 - the same
    from assetdb.store.files import DATABASE_NAME  # noqa: PLC0415 - the same

    found: set[str] = set()
    with open_database(os.path.join(output_folder(root, out_dir).path, DATABASE_NAME)) as database:
        for asset in database.containing(os.fsencode(begun)):
            name = asset.path.rpartition("/")[2]
            if name.startswith(begun):
                found.add(name)
                if len(found) == _MOST:
                    break
    return sorted(found)


def _projects(above: str, begun: str) -> Iterator[str]:
    from assetdb.settings.project import MARKERS  # noqa: PLC0415 - as above

    waiting = [(above, begun, 0)]
    examined = 0
    while waiting and examined < _MOST_FOLDERS:
        folder, start, depth = waiting.pop()
        examined += 1
        try:
            with os.scandir(folder or os.curdir) as entries:
                inside = [entry.name for entry in entries if entry.name.startswith(start) and entry.is_dir()]
        except OSError:  # an unreadable folder: nothing in it is offered
            continue
        for name in inside:
            path = os.path.join(folder, name)
            if all(os.path.isdir(os.path.join(path, marker)) for marker in MARKERS):
                yield path
            elif depth + 1 < _DEPTH and name[0] != "." and name not in _SKIPPED:
                waiting.append((path, "", depth + 1))


def commands_beginning(incomplete: str) -> list[str]:
    """Return the commands that a word may become."""
    return [row.name for row in COMMANDS if row.name.startswith(incomplete) and not row.hidden]


COMPLETIONS: Final[Mapping[str, Callable[[Mapping[str, Any], str], list[str]]]] = {
    "assets": assets_beginning,
    "codes": lambda _, incomplete: codes_beginning(incomplete),
    "commands": lambda _, incomplete: commands_beginning(incomplete),
    "projects": lambda _, incomplete: projects_beginning(incomplete),
}
"""By the name that an option or argument gives."""
