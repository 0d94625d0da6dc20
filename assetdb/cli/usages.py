"""``assetdb usages``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from assetdb.cli.target import (
    Described,
    Miss,
    add_project_arguments,
    describe,
    find_target,
    opened,
    queries,
    shown_miss,
)
from assetdb.cli.terminal import print_json, printable, table
from assetdb.graph import AssetGraph, Site, settings_sites, sites
from assetdb.unity.classes import class_name

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from assetdb.cli.target import Target
    from assetdb.database import Database


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``assetdb usages``."""
    parser.add_argument("asset", metavar="X", help="a GUID, GUID:fileID, pasted reference, path or name; - for stdin")
    parser.add_argument("--deep", action="store_true", help="also who refers to those, and so on")
    parser.add_argument("--objects", action="store_true", help="which object and which property refers, with the line")
    add_project_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print who refers to assets; 1 if a query finds nothing."""
    root, database = opened(arguments)
    code = 0
    with database:
        graph = AssetGraph(database)
        for query in queries(arguments.asset):
            code = max(code, _answer(query, root, database, graph, arguments))
    return code


def _answer(query: str, root: str, database: Database, graph: AssetGraph, arguments: argparse.Namespace) -> int:
    target = find_target(query, root, database)
    one_line = arguments.asset == "-"
    if isinstance(target, Miss):
        if arguments.json or one_line:
            print_json({"query": query, "guid": None, "reason": target.reason, "close": target.close}, one_line)
        else:
            print(shown_miss(query, target), file=sys.stderr)
        return 1
    files, places = _usages(target, root, database, graph, arguments)
    if arguments.json or one_line:
        answer = {"query": query, **describe(target.guid, database)._asdict(), "file_id": target.file_id}
        answer["deep"] = arguments.deep
        answer["usages"] = [file._asdict() for file in files]
        if arguments.objects:
            answer["objects"] = [_as_json(place, database) for place in places]
        print_json(answer, one_line)
    elif arguments.objects:
        _print_places(places, database)
    elif files:
        print(table(sorted((file.path, file.type, file.guid) for file in files)))
    if not files and not graph.knows(target.guid) and not arguments.json and not one_line:
        print(shown_miss(query, Miss("the project has no asset with this GUID", ())), file=sys.stderr)
    return 0 if files else 1


def _usages(
    target: Target, root: str, database: Database, graph: AssetGraph, arguments: argparse.Namespace
) -> tuple[list[Described], list[Site]]:
    """Return the files that refer, and, where they had to be read, the places."""
    files = [describe(guid, database) for guid in graph.usages(target.guid)]
    places: list[Site] = []
    if arguments.objects or target.file_id is not None:
        places = [place for file in files for place in sites(root, file.path, (target.guid,))]
    places += settings_sites(root, (target.guid,))
    if target.file_id is not None:
        places = [place for place in places if place.file_id == target.file_id]
        holding = {place.path.removesuffix(".meta") for place in places}
        files = [file for file in files if file.path in holding]
    if arguments.deep:
        near = {file.guid for file in files}
        further = {guid for file in files for guid in graph.usages(file.guid, deep=True)}
        files += [describe(guid, database) for guid in sorted(further - near - {target.guid})]
    return [*files, *_settings(places)], places


def _settings(places: Iterable[Site]) -> list[Described]:
    paths = sorted({place.path for place in places if place.path.startswith("ProjectSettings/")})
    return [Described("", path.rpartition("/")[2].rpartition(".")[0], "project settings", path) for path in paths]


def _print_places(places: Iterable[Site], database: Database) -> None:
    for place in places:
        what = _object_text(place, database)
        override = f" = {place.override}" if place.override else ""
        print(printable("  ".join(filter(None, (f"{place.path}:{place.line}", what, place.property + override)))))


def _object_text(place: Site, database: Database) -> str:
    if not place.class_id:
        return ""
    kind = _class_text(place, database)
    return f"{place.object_name} ({kind} &{place.object_id})" if place.object_name else f"({kind} &{place.object_id})"


def _class_text(place: Site, database: Database) -> str:
    script = database.by_guid(place.script) if place.script else None
    return script.name if script is not None else class_name(place.class_id) or str(place.class_id)


def _as_json(place: Site, database: Database) -> dict[str, object]:
    return {**place._asdict(), "class": _class_text(place, database) if place.class_id else ""}
