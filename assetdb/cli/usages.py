"""``assetdb usages``."""

from __future__ import annotations

import sys

from assetdb.cli.lookup import add_query_arguments
from assetdb.cli.target import Described, answer_queries, describe, type_text
from assetdb.cli.terminal import print_json, printable, table
from assetdb.graph import SETTINGS_FOLDER, settings_sites, sites

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from assetdb.cli.quick import Words
    from assetdb.graph import AssetGraph, Site
    from assetdb.opening import Opened
    from assetdb.query import Subject


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``assetdb usages``."""
    add_query_arguments(parser)
    parser.add_argument("--deep", action="store_true", help="also who refers to those, and so on")
    parser.add_argument("--objects", action="store_true", help="which object and which property refers, with the line")


def run(arguments: argparse.Namespace | Words) -> int:
    """Print who refers to assets; 1 if one is not found or nothing refers to it."""

    def answer(query: str, subject: Subject, project: Opened, graph: AssetGraph, as_lines: bool) -> bool:  # noqa: FBT001
        files, places = _usages(subject, project, graph, arguments)
        if arguments.json or as_lines:
            fields = {"query": query, **describe(subject.guid, project)._asdict(), "file_id": subject.file_id}
            fields |= {"deep": arguments.deep, "usages": [file._asdict() for file in files]}
            if arguments.objects:
                fields["objects"] = [_as_json(place, project) for place in places]
            print_json(fields, one_line=True)
        elif not files:
            itself = describe(subject.guid, project)
            known = itself.type or graph.knows(subject.guid)
            which = itself.path or subject.guid if subject.file_id is None else f"{subject.guid}:{subject.file_id}"
            what = f"{'nothing refers to' if known else 'the project has no asset'} {which}"
            print(f"assetdb: {printable(what)}", file=sys.stderr)
        elif arguments.objects:
            _print_places(places, project)
            placed = {place.path.removesuffix(".meta") for place in places}
            for file in files:
                if file.path not in placed:  # binary, changed since the bake, or further away
                    print(printable(f"{file.path}  {file.type}"))
        else:
            print(table(sorted(file.row for file in files)))
        return bool(files)

    return answer_queries(arguments, answer)


def _usages(
    subject: Subject, project: Opened, graph: AssetGraph, arguments: argparse.Namespace | Words
) -> tuple[list[Described], list[Site]]:
    """Return the files that refer and, where they had to be read, the places."""
    files = [describe(guid, project) for guid in graph.usages(subject.guid)]
    places: list[Site] = []
    if arguments.objects or subject.file_id is not None:
        places = [place for file in files for place in sites(project.root, file.path, (subject.guid,))]
    places += settings_sites(project.root, (subject.guid,))
    if subject.file_id is not None:
        places = [place for place in places if place.file_id == subject.file_id]
        holding = {place.path.removesuffix(".meta") for place in places}
        files = [file for file in files if file.path in holding]
    if arguments.deep:
        near = {file.guid for file in files}
        further = {guid for file in files for guid in graph.usages(file.guid, deep=True)}
        files += [describe(guid, project) for guid in sorted(further - near - {subject.guid})]
    settings = sorted({place.path for place in places if place.path.startswith(f"{SETTINGS_FOLDER}/")})
    files += [Described("", path.rpartition("/")[2].rpartition(".")[0], "project settings", path) for path in settings]
    return files, places


def _print_places(places: Iterable[Site], project: Opened) -> None:
    for place in places:
        what = _object_text(place, project)
        override = f" = {place.override}" if place.override else ""
        print(printable("  ".join(filter(None, (f"{place.path}:{place.line}", what, place.property + override)))))


def _object_text(place: Site, project: Opened) -> str:
    if not place.class_id:
        return ""
    kind = _class_text(place, project)
    return f"{place.object_name} ({kind} &{place.object_id})" if place.object_name else f"({kind} &{place.object_id})"


def _class_text(place: Site, project: Opened) -> str:
    script = project.assets.by_guid(place.script) if place.script else None
    return script.name if script is not None else type_text(place.class_id)


def _as_json(place: Site, project: Opened) -> dict[str, object]:
    return {**place._asdict(), "class": _class_text(place, project) if place.class_id else ""}
