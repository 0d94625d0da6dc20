"""What a command is asked about: a GUID, GUID:fileID, a pasted reference, a path or a name."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.baking import OUT_DIR
from assetdb.cli.terminal import printable
from assetdb.configuration import read_configuration
from assetdb.database import Database, open_database
from assetdb.errors import DatabaseError
from assetdb.project import ASSET_ROOTS, find_project
from assetdb.store.database import FILE_NAME
from assetdb.unity.builtin import TITLES, built_in_file
from assetdb.unity.classes import class_name
from assetdb.unity.meta import read_meta

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

_GUID: Final = re.compile(r"([0-9a-fA-F]{32})(?::(-?\d{1,19}))?")
_PASTED: Final = re.compile(r"guid:\s*([0-9a-fA-F]{32})")
_PASTED_ID: Final = re.compile(r"fileID:\s*(-?\d{1,19})")


class Target(NamedTuple):
    """What a query means; ``file_id`` is None where it asks for the asset as a whole."""

    guid: str
    file_id: int | None


class Miss(NamedTuple):
    """Why a query means nothing, and what may have been meant."""

    reason: str
    close: tuple[str, ...]


class Described(NamedTuple):
    """An asset, or whatever else a GUID is, as commands show it; ``path`` is ``""`` where it has none here."""

    guid: str
    name: str
    type: str
    path: str


def add_project_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options that say which database is meant."""
    parser.add_argument(
        "--project", metavar="DIR", help="the Unity project (default: here, or the nearest folder above)"
    )
    parser.add_argument("--out-dir", metavar="DIR", help="where its database is (default: Library/assetdb)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def opened(arguments: argparse.Namespace) -> tuple[str, Database]:
    """Return the project's root and its open database.

    Raises:
        ProjectError: there is no project.
        DatabaseError: it has no database, or a damaged one.
    """
    root = find_project(arguments.project)
    folder = arguments.out_dir or os.path.join(root, read_configuration(root).out_dir or OUT_DIR)
    path = os.path.join(folder, FILE_NAME)
    if not os.path.exists(path):
        raise DatabaseError(f"{path} is not there: run `assetdb bake` first")
    return root, open_database(path)


def queries(query: str) -> Iterator[str]:
    """Yield the queries of a command line: ``-`` stands for one in each line of stdin."""
    if query != "-":
        yield query
        return
    for line in sys.stdin:
        if line.strip():
            yield line.strip()


def find_target(query: str, root: str, database: Database) -> Target | Miss:
    """Return what a query means."""
    text = query.strip()
    match = _GUID.fullmatch(text)
    if match:
        return Target(match[1].lower(), int(match[2]) if match[2] else None)
    pasted = _PASTED.search(text)
    if pasted:
        file_id = _PASTED_ID.search(text)
        return Target(pasted[1].lower(), int(file_id[1]) if file_id else None)
    guid = _guid_of_path(text, root)
    if guid:
        return Target(guid, None)
    named = database.by_name(text)
    if len(named) == 1:
        return Target(named[0].guid, None)
    if named:
        return Miss(f"{len(named)} assets are called {text!r}", tuple(asset.path for asset in named))
    return _miss(text, database)


def describe(guid: str, database: Database) -> Described:
    """Return what is known of a GUID."""
    asset = database.by_guid(guid)
    if asset is not None:
        kind = class_name(asset.class_id) or str(asset.class_id)
        if asset.script:
            script = database.by_guid(asset.script)
            kind = script.name if script is not None else kind
        return Described(guid, asset.name, kind, asset.path)
    folder = database.folder(guid)
    if folder is not None:
        return Described(guid, os.path.basename(folder), "folder", folder)
    digit = built_in_file(bytes.fromhex(guid))
    return Described(guid, TITLES[digit], "built-in", "") if digit else Described(guid, "", "not in the project", "")


def shown_miss(query: str, miss: Miss) -> str:
    """Return a miss as a line for people."""
    close = f" (did you mean {', '.join(miss.close)}?)" if miss.close else ""
    return printable(f"{query}: {miss.reason}{close}")


def _guid_of_path(text: str, root: str) -> str:
    """Return the GUID in the meta of a file or folder of the project, named from the root or from here."""
    for start in (root, os.getcwd()):
        path = os.path.abspath(os.path.join(start, text.removesuffix(".meta")))
        if any(path.startswith(os.path.join(root, name) + os.sep) for name in ASSET_ROOTS):
            try:
                with open(path + ".meta", "rb") as file:
                    return read_meta(file.read())[0].decode("ascii")
            except (OSError, ValueError):
                continue
    return ""


def _miss(text: str, database: Database) -> Miss:
    from difflib import get_close_matches  # noqa: PLC0415 - only on a miss

    wanted = text.replace("\\", "/").lower()
    ends = []
    stems: dict[str, str] = {}
    for asset in database:
        if ("/" + asset.path).lower().endswith("/" + wanted):
            ends.append(asset.path)
        stems.setdefault(asset.name, asset.name)
    if ends:
        return Miss("is no path from the project's root", tuple(sorted(ends)[:3]))
    stem = os.path.splitext(os.path.basename(text))[0]
    similar = [name for name in stems if abs(len(name) - len(stem)) <= 3 and name[:1].lower() == stem[:1].lower()]
    return Miss("there is no such asset", tuple(get_close_matches(stem, similar or stems, n=3)))
