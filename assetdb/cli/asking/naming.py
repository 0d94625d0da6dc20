"""``assetdb name``, ``guid`` and ``path``."""

from __future__ import annotations

import sys

from assetdb.cli.asking import STDIN, guid_text, opened, queries_of, say_cut, say_sharing, say_unmatched
from assetdb.cli.terminal import painter, print_json, printable, say_listed
from assetdb.errors import DaemonError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from assetdb.cli.arguments import QueryOptions
    from assetdb.history.git.questions import Held
    from assetdb.resolve.resolver import Name

    Cells = tuple[tuple[str, str], ...]
    """What is printed of a name: texts, each with its style; empty ones are left out."""


def name(options: QueryOptions, queries: list[str], *, texture_for_sprite: bool = False) -> int:
    """Print the meaning of each reference."""

    def cells(found: Name) -> Cells:
        kind = found.type if not found.name.endswith(")") else ""
        return (found.name, ""), (kind, "type"), (found.path, "path")

    return _answer(
        queries,
        options,
        cells,
        needs_name=True,
        texture_for_sprite=texture_for_sprite,
        with_labels=options.verbose,
    )


def guid(options: QueryOptions, queries: list[str], *, texture_for_sprite: bool = False) -> int:
    """Print the GUID of each path or name, with a sub-asset's fileID."""
    return _answer(
        queries,
        options,
        lambda found: ((guid_text(found.guid, found.file_id), ""),),
        texture_for_sprite=texture_for_sprite,
    )


def path(options: QueryOptions, queries: list[str], *, texture_for_sprite: bool = False) -> int:
    """Print the path of the asset of each GUID or name."""
    return _answer(queries, options, lambda found: ((found.path, "path"),), texture_for_sprite=texture_for_sprite)


def _answer(
    queries: list[str],
    options: QueryOptions,
    shown: Callable[[Name], Cells],
    *,
    needs_name: bool = False,
    texture_for_sprite: bool,
    with_labels: bool = False,
) -> int:
    """Answer all queries with cells that ``shown`` makes of a name.

    An asset that is known is enough, unless ``needs_name``; ``with_labels`` adds the labels of the asset.
    """
    from assetdb.query.selecting import selector  # noqa: PLC0415 - a check names nothing

    project = opened(options)
    missed = absent = False
    paint = painter()
    naming = selector.name_or_texture if texture_for_sprite else selector.name_of
    for query in queries_of(queries):
        project.expire()
        subject = selector.find_subject(query, project, options.cwd)
        if isinstance(subject, selector.Unmatched):
            missed = True
            say_unmatched(query, subject, as_json=options.json or STDIN in queries)
            continue
        name, former = naming(subject, project), None  # first: it may bring the database up to date
        if not options.quiet:
            say_sharing(subject, project)
        if not name.path and name.reason:
            if options.in_daemon and STDIN not in queries:
                raise DaemonError("the asset may have been added since the last update: this runs on the files")
            former = project.losses.held(name.guid)
        found = not name.reason if needs_name else bool(name.path)
        missed = missed or not found
        labels: Collection[str] = ()
        note = ""
        if with_labels:
            from assetdb.query.selecting.labels import labels_of, labels_text  # noqa: PLC0415 - a meta is read only if asked

            labels = labels_of(name.guid, name.path, project)
            note = labels_text(labels)
        if options.json or STDIN in queries:
            more = {"labels": labels} if with_labels else {}
            lost = {"was": former._asdict()} if former is not None else {}
            print_json({"query": query, **name._asdict(), **more, **lost})
            sys.stdout.flush()  # a program that asks line by line waits for it
        elif found:
            whole = (*shown(name), (note, ""))
            print("  ".join(paint(printable(cell), style) for cell, style in whole if cell))
        else:
            say_listed(_why(query, name, former, project.root))
        absent = absent or name.reason == "package-not-present"
    if absent and not options.quiet:
        say_cut(project, every=options.verbose)
    return 1 if missed else 0


def _why(query: str, name: Name, former: Held | None, root: str) -> str:
    """Return why a query has no answer, for people."""
    from assetdb.diagnostics.codes import REASONS  # noqa: PLC0415 - only on a miss

    if former is not None:
        from assetdb.history.lost_guids import former_holder  # noqa: PLC0415 - only on a miss

        return f"{query}: {name.reason}: {former_holder(former, root)}"
    where = f" in {name.path}" if name.path else ""
    return f"{query}: {name.reason}{where}: {REASONS[name.reason]}"
