"""``assetdb graph``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.cli.arguments import QueryOptions
from assetdb.cli.asking import opened, say_sharing, say_unmatched
from assetdb.cli.asking.target import say_unread
from assetdb.cli.output import path_of_output, write_lines
from assetdb.cli.terminal import print_json, say, shown_path
from assetdb.errors import UsageError
from assetdb.query.completeness import of_whole, unread_fields
from assetdb.query.drawing.languages import dot_lines, mermaid_lines
from assetdb.query.drawing.picture import MOST_ASSETS, picture_around, picture_fields, picture_of_ways
from assetdb.query.drawing.svg import svg_lines
from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.ways import find_ways_between, one_asset
from assetdb.query.selecting.selector import Unmatched, find_subject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Literal

    from assetdb.cli.options import Annotated, Argument, Option
    from assetdb.query.drawing.picture import Picture
    from assetdb.query.snapshots.snapshot import Snapshot

_WRITERS: Final[dict[str, Callable[[Picture], Iterator[str]]]] = {
    "svg": svg_lines,
    "dot": dot_lines,
    "mmd": mermaid_lines,
}
_MOST_HOPS: Final = 4
_MOST_DRAWN: Final = 2000
_MOST_CHAINS: Final = 20


class GraphOptions(QueryOptions):
    """The options of ``assetdb graph``."""

    to: Annotated[
        str | None,
        Option("--to", metavar="ASSET", help="Draw the shortest chains of references to this asset instead."),
    ] = None
    hops: Annotated[int, Option("--hops", metavar="N", help="How many references away, 1 to 4.")] = 1
    only: Annotated[Literal["users", "deps"] | None, Option("--only", help="Draw users, or dependencies, alone.")] = (
        None
    )
    most: Annotated[
        int, Option("--most", metavar="N", help="Draw this many users and this many dependencies; the rest is counted.")
    ] = MOST_ASSETS
    output: Annotated[
        str | None, Option("--output", "-o", metavar="FILE", help="The file to write: .svg, .dot or .mmd (Mermaid).")
    ] = None
    shape: Annotated[
        Literal["svg", "dot", "mmd"] | None,
        Option("--format", help="The format (default: by the name of FILE, else dot)."),
    ] = None


def graph(
    options: GraphOptions,
    query: Annotated[str, Argument(metavar="QUERY", help="The asset: a path, a name or a GUID.")],
) -> int:
    """Draw an asset's users and dependencies; 1 if it has none."""
    if not 1 <= options.hops <= _MOST_HOPS:
        raise UsageError(f"--hops is 1 to {_MOST_HOPS}")
    if not 1 <= options.most <= _MOST_DRAWN:
        raise UsageError(f"--most is 1 to {_MOST_DRAWN}")
    shape = options.shape or _shape_of(options.output)
    project = opened(options)
    project.expire()
    subject = find_subject(query, project, options.cwd, folders=True)
    if isinstance(subject, Unmatched):
        return say_unmatched(query, subject, as_json=options.json)
    path = _output(options, project)
    if not options.quiet:
        say_sharing(subject, project)
    references = AssetGraph(project)
    if options.to is not None:
        ways, _ = find_ways_between(query, subject, options.to, project, references, options.cwd, most=_MOST_CHAINS)
        picture = picture_of_ways(ways, project)
    else:
        asset = one_asset(query, subject, project)
        users, needs = options.only != "deps", options.only != "users"
        picture = picture_around(
            asset.guid, project, references, hops=options.hops, users=users, needs=needs, most=options.most
        )
    if options.json:
        print_json({"query": query, **picture_fields(picture), **unread_fields(of_whole(project))})
    elif path:
        write_lines(path, _WRITERS[shape](picture))
        if not options.quiet:
            say(f"{len(picture.nodes):,} assets, {len(picture.edges):,} references (in {shown_path(path)})")
    else:
        for line in _WRITERS[shape](picture):
            print(line)
    if not options.quiet:
        if picture.left_out:
            say(f"left out: {picture.left_out}")
        say_unread(of_whole(project), every=options.verbose)
    return 0 if picture.edges else 1


def _shape_of(output: str | None) -> str:
    """Return the format that a file's name asks for."""
    if output is None:
        return "dot"
    extension = output.rpartition(".")[2].lower()
    shape = {"gv": "dot", "mermaid": "mmd"}.get(extension, extension)
    if shape not in _WRITERS:
        raise UsageError(f"{output}: a picture is .svg, .dot or .mmd; --format chooses one for another name")
    return shape


def _output(options: GraphOptions, project: Snapshot) -> str:
    """Return the file to write, ``""`` for standard output."""
    if options.output is None or options.json:
        return ""
    return path_of_output(options.output, options.cwd, project.root)
