"""What the commands of the graph share: what each query means, and how an asset is shown."""

from __future__ import annotations

import sys

from assetdb.cli.lookup import STDIN, opened, queries_of, unmatched_fields, why_unmatched
from assetdb.cli.terminal import print_json, printable
from assetdb.graph import AssetGraph
from assetdb.query import Unmatched, find_subject
from assetdb.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from typing import Final

    from assetdb.cli.quick import Words
    from assetdb.opening import Opened
    from assetdb.query import Subject


_BUILT_IN: Final = "0000000000000000"


class Described(NamedTuple):
    """An asset, or whatever else a GUID is; ``path`` is ``""`` where it has none on this machine."""

    guid: str
    name: str
    type: str
    path: str

    @property
    def row(self) -> tuple[str, str, str]:
        """Path (or what stands for it), type and GUID, as people see it."""
        return self.path or f"({self.name or 'not in the project'})", self.type, self.guid


def answer_queries(
    arguments: argparse.Namespace | Words, answer: Callable[[str, Subject, Opened, AssetGraph, bool], bool]
) -> int:
    """Let ``answer`` print what it finds for each query; 1 if there was one for which it found nothing.

    Its last argument is whether to print one line of JSON.

    Raises:
        DatabaseError: the database has no references.
    """
    project = opened(arguments)
    graph = AssetGraph(project)
    as_lines = STDIN in arguments.queries
    found = True
    for query in queries_of(arguments.queries):
        subject = find_subject(query, project)
        if not isinstance(subject, Unmatched):
            found = answer(query, subject, project, graph, as_lines) and found
            continue
        found = False
        if arguments.json or as_lines:
            print_json({"query": query, **unmatched_fields(subject)}, one_line=True)
        else:
            print(f"assetdb: {printable(why_unmatched(query, subject))}", file=sys.stderr)
    return 0 if found else 1


def describe(guid: str, project: Opened) -> Described:
    """Return what is known of a GUID."""
    assets = project.assets
    asset = assets.by_guid(guid)
    if asset is not None:
        script = assets.by_guid(asset.script) if asset.script else None
        return Described(guid, asset.name, script.name if script is not None else type_text(asset.class_id), asset.path)
    folder = assets.folder(guid)
    if folder is not None:
        return Described(guid, folder.rpartition("/")[2], "folder", folder)
    if guid.startswith(_BUILT_IN):
        from assetdb.unity.builtin import TITLES, built_in_file  # noqa: PLC0415 - only for what is built in

        digit = built_in_file(bytes.fromhex(guid))
        if digit:
            return Described(guid, TITLES[digit], "built-in", "")
    location = project.resolver.locate(guid)
    if location is None:
        return Described(guid, "", "", "")
    return Described(guid, location.path.rpartition("/")[2], "package", location.path)


def type_text(class_id: int) -> str:
    """Return the name of a class, or its number where nobody has named it."""
    from assetdb.unity.classes import class_name  # noqa: PLC0415 - a table that few answers do without, but some do

    return class_name(class_id) or str(class_id)
