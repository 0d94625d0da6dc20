"""Shared parts of the graph commands: queries and their answers."""

from __future__ import annotations

from assetdb.cli.asking import STDIN, opened, queries_of, say_cut, say_sharing, say_unmatched
from assetdb.cli.terminal import say
from assetdb.query.completeness import KINDS
from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.relations import class_text
from assetdb.query.selecting.selector import Unmatched, find_subject

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Final

    from assetdb.cli.arguments import QueryOptions
    from assetdb.query.graph.references import Site
    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.indexes.supplement import Unread

_EXAMPLES: Final = 3
ABSENT: Final = "package-not-present"
"""The type of an asset of a package that is not here."""


class Notes:
    """Notes collected by answers, printed after the last one."""

    def __init__(self) -> None:
        self.unread: set[Unread] = set()
        """Files that could not be read."""
        self.absent = False
        """Whether something may be in a package that is not here."""


def answer_queries(
    queries: list[str], options: QueryOptions, answer: Callable[[str, Subject, Snapshot, AssetGraph, bool, Notes], bool]
) -> int:
    """Let ``answer`` print each query's result; 1 if one had none."""
    project = opened(options)
    as_lines = STDIN in queries
    as_json = options.json or as_lines
    notes = Notes()
    found = True
    for query in queries_of(queries):
        project.expire()
        graph = AssetGraph(project)
        subject = find_subject(query, project, options.cwd, folders=True)
        if isinstance(subject, Unmatched):
            found = not say_unmatched(query, subject, as_json=as_json)
            continue
        if not options.quiet:
            say_sharing(subject, project)
        found = answer(query, subject, project, graph, as_json, notes) and found
    if notes.absent and not options.quiet:
        say_cut(project, every=options.verbose)
    if not (options.quiet or as_lines):  # there each line has it
        say_unread(notes.unread, every=options.verbose)
    return 0 if found else 1


def place_cells(place: Site, project: Snapshot) -> list[str]:
    """Return file and line, object and property of a reference."""
    what = ""
    if place.class_id:
        kind = class_text(place, project)
        name = place.hierarchy or place.object_name
        what = f"{name} ({kind} &{place.object_id})" if name else f"({kind} &{place.object_id})"
    override = f" = {place.override}" if place.override else ""
    at = f"{place.path}:{place.line}" if place.line else place.path
    return [cell for cell in (at, what, place.property + override) if cell]


def say_unread(files: Collection[Unread], *, every: bool = False, may: str = "may refer to more") -> None:
    """Print the files that could not be read."""
    if not files:
        return
    kinds: dict[str, int] = {}  # Counter is in a module that takes a tenth of an answer to import
    for file in files:
        kinds[file.code] = kinds.get(file.code, 0) + 1
    counts = ", ".join(f"{KINDS[code]}: {count:,}" for code, count in sorted(kinds.items()))
    examples = sorted(file.path for file in files)[: None if every else _EXAMPLES]
    listed = ", ".join(examples) + (" ..." if len(files) > len(examples) else "")
    say(f"{len(files):,} file{'s' * (len(files) > 1)} could not be read, and {may} ({counts}): {listed}", examples)
