"""``assetdb trace``."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Final

from assetdb.builds.opening import open_build
from assetdb.builds.reports.tying import reports_of
from assetdb.builds.served.cache import builds_lock, cached_plan, cached_tracer
from assetdb.builds.trace.question import Back, Forward, ask_each
from assetdb.builds.trace.rows import LISTS, answer_rows, list_rows
from assetdb.builds.trace.traced import CERTAINTIES, NONE
from assetdb.builds.trace.tracer import Tracer
from assetdb.checks.counting import counted
from assetdb.cli.asking import opened
from assetdb.cli.build.report import say_unused
from assetdb.cli.terminal import Progress, fail, print_json_lines, printable, say, say_listed, table
from assetdb.errors import UsageError
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.builds.groups.plan import Plan
    from assetdb.builds.trace.question import Entry
    from assetdb.builds.trace.traced import Shipped, Traced
    from assetdb.cli.arguments import QueryOptions
    from assetdb.query.snapshots.snapshot import Snapshot

NOT_OF_PROJECT: Final = (
    "this build is not of this project (the product GUIDs differ): matches by name and path are candidates"
)
_NUMBERS: Final = ("wasted", "bytes", "objects")
_MORE: Final = {  # by list: what objects without a certain match mean for it
    "unshipped": "so more may be shipped",
    "implicit": "so more may be shipped",
    "duplicates": "`assetdb build size --duplicates` compares them, too",
}


def trace(
    options: QueryOptions,
    words: list[str] | None = None,
    inside: list[str] | None = None,
    report: str | None = None,
    *,
    missing: bool = False,
    unshipped: bool = False,
    implicit: bool = False,
    duplicates: bool = False,
    mixed: bool = False,
) -> int:
    """Follow assets to builds and back; 1 if something is nowhere."""
    if not inside:
        raise UsageError("trace needs a build to look in: --in BUILD")
    lists = [
        name for name, wanted in zip(LISTS, (missing, unshipped, implicit, duplicates, mixed), strict=True) if wanted
    ]
    if not words and not lists:
        raise UsageError(f"trace needs something to follow, or one of --{', --'.join(LISTS)}")
    project = opened(options)
    project.refresh()
    with builds_lock(project):
        return _trace(words or (), inside, lists, report or "", project, options)


def _trace(
    words: Sequence[str],
    inside: Sequence[str],
    lists: Sequence[str],
    report: str,
    project: Snapshot,
    options: QueryOptions,
) -> int:
    """Print where each word leads, then the lists."""
    if options.in_daemon:  # which keeps builds open
        given = os.path.join(options.cwd, report) if report else ""
        tracer = cached_tracer([os.path.join(options.cwd, path) for path in inside], project, given)
    else:
        with Progress("files") as progress:
            build = open_build(inside, progress=progress, project=project.root)
        tracer = Tracer(build, project, reports=reports_of(build, inside, project.root, report))
    code = say_unused(tracer.reports, is_given=bool(report), quiet=options.quiet)
    if tracer.is_of_project is False and not options.quiet:
        say(NOT_OF_PROJECT)
    for problem in (*tracer.build.problems, *tracer.catalogs.problems):
        code = fail(problem)
    try:
        plan = cached_plan(project)
    except FormatError as error:
        plan, code = None, fail(str(error))
    for word in words:
        code = max(code, _answer(word, options, tracer, plan))
    for name in lists:
        code = max(code, _report(name, tracer, plan, options))
    if not tracer.complete and not options.quiet:
        say("the project is too large to be searched whole; more may be traceable")
    return code


def _answer(word: str, options: QueryOptions, tracer: Tracer, plan: Plan | None) -> int:
    with Progress("assets") as progress:  # 47,135 of a folder of Unitystation's take half a minute
        answers = list(ask_each(word, tracer, options.cwd, plan, progress=progress))
    if len(answers) > 1:
        return _print_folder([one for one in answers if isinstance(one, Forward)], options, tracer)
    answer = answers[0]
    if isinstance(answer, Forward):
        return _print_forward(answer, tracer, as_json=options.json)
    if isinstance(answer, Back):
        return _print_back(answer, tracer, as_json=options.json)
    if options.json:
        print_json_lines(answer_rows(word, answer, tracer))
    else:
        say_listed(answer.why)
    return 1


def _print_folder(answers: list[Forward], options: QueryOptions, tracer: Tracer) -> int:
    """Print where the assets of a folder went."""
    found = sum(answer.is_found for answer in answers)
    for answer in answers:
        if options.json or options.verbose or answer.is_found:
            _print_forward(answer, tracer, as_json=options.json)
    if not options.json:
        hint = "" if found == len(answers) or options.verbose else " (-v lists the others)"
        print(printable(f"{found:,} of {len(answers):,} assets in {answers[0].query} are in the build{hint}"))
    return 0 if found else 1


# --- forward --------------------------------------------------------------------------------------------------------


def _print_forward(answer: Forward, tracer: Tracer, *, as_json: bool) -> int:
    if as_json:
        print_json_lines(answer_rows(answer.query, answer, tracer))
        return 0 if answer.is_found else 1
    print(printable(f"{answer.path or answer.guid}: {'' if answer.path else 'not in the project; '}guid {answer.guid}"))
    if answer.group:
        planned = f", in {', '.join(answer.planned)}" if answer.planned else ""
        print(printable(f"  group    {answer.group}{planned}"))
    # A catalog has a location for each type that an asset is loaded as: a texture and its sprite are one line.
    for line in dict.fromkeys(map(_entry_line, answer.entries)):
        print(printable(f"  catalog  {line}"))
    rows = []
    for row in answer.shipped:
        kinds = Counter(item.certainty for item in row.objects)
        certainty = ", ".join(name for name in CERTAINTIES if kinds[name])
        objects = counted(len(row.objects), "object")
        rows.append(("  file", tracer.build.parts[row.part].name, objects, f"{row.size:,} bytes", certainty, _why(row)))
    if rows:
        print(table(rows))
        for row in answer.shipped:
            if len(row.objects) == 1:
                print(printable(f"  object   {_label(row.objects[0], tracer)}"))
    for laid in answer.laid_out:
        by = f", by {', '.join(laid.used_by)}" if laid.used_by else ""
        print(printable(f"  layout   pulled into {laid.bundle} ({laid.size:,} bytes){by}"))
    for stated in answer.stated:
        group = f", group {stated.group}" if stated.group else ""
        print(printable(f"  state    in {stated.bundle} ({stated.size:,} bytes, CRC {stated.crc:08x}){group}"))
    if not answer.is_found:
        lost = tracer.untied
        have = f"{lost:,} object{'s have' if lost > 1 else ' has'}"
        print(f"  not found; {have} no match" if lost else "  in no build")
    return 0 if answer.is_found else 1


def _entry_line(entry: Entry) -> str:
    key = f"key {entry.address}" + (f", labels {', '.join(entry.labels)}" if entry.labels else "")
    where = f", in {entry.bundle} ({entry.bundle_size:,} bytes, CRC {entry.crc:08x})" if entry.bundle else ""
    more = f", needs {entry.needs - 1} more" if entry.needs > 1 else ""
    return f"{key}{where}{more}"


def _why(row: Shipped) -> str:
    if row.why == "none":
        return "nothing that loads it was read"
    begin = {
        "container": "loaded by",
        "Resources": "Resources:",
        "scene": "scene",
        "player settings": "settings of",
        "list": "listed in",
    }
    way = "" if len(row.way) < 2 else f": {' > '.join(row.way)}"
    return f"{begin[row.why]} {row.root}{way}"


# --- back -----------------------------------------------------------------------------------------------------------


def _print_back(answer: Back, tracer: Tracer, *, as_json: bool) -> int:
    tied = Counter(row.certainty for row in answer.objects)
    if as_json:
        print_json_lines(answer_rows(answer.query, answer, tracer))
    else:
        if answer.bundle:
            print(printable(f"{answer.query}: bundle {answer.bundle}"))
        rows = [
            (
                _label(row, tracer),
                tracer.build.class_name(tracer.build.class_ids[row.number]),
                _how(row, tracer),
                _sources(row),
            )
            for row in answer.objects
        ]
        if rows:
            print(table(rows))
        elif not answer.bundle:
            inside = "what was read of it" if tracer.build.problems else "it"
            print(printable(f"{answer.query}: no object is in {inside}, and none has data in it"))
        if len(rows) > 1:
            counts = ", ".join(f"{tied[name]:,} {name}" for name in CERTAINTIES if tied[name])
            print(f"{len(rows):,} objects: {counts}")
    found = sum(tied[name] for name in CERTAINTIES if name != NONE)
    return 0 if found or answer.bundle else 1


def _how(row: Traced, tracer: Tracer) -> str:
    """Return the certainty of a match and its evidence."""
    script = tracer.build.script(row.number) if row.certainty == NONE else None
    by = row.by or (f"of {script.assembly}" if script is not None else "")
    return row.certainty + (f": {by}" if by else "")


def _label(row: Traced, tracer: Tracer) -> str:
    build = tracer.build
    name = build.title(row.number)
    return f"{build.file_label(row.number)}#{build.path_ids[row.number]}" + (f" {name}" if name else "")


def _sources(row: Traced) -> str:
    shown = [
        source.path + (f" ({source.guid}:{source.file_id})" if source.file_id is not None and source.guid else "")
        for source in row.sources[:3]
    ]
    more = f" and {len(row.sources) - 3} more" if len(row.sources) > 3 else ""
    return ", ".join(shown) + more


# --- lists ----------------------------------------------------------------------------------------------------------


def _report(name: str, tracer: Tracer, plan: Plan | None, options: QueryOptions) -> int:
    rows = list_rows(name, tracer, plan)
    if options.json:
        print_json_lines({"list": name, **row} for row in rows)
    elif rows:
        keys = list(rows[0])
        right = frozenset(number for number, key in enumerate(keys) if key in _NUMBERS)
        print(table([keys, *([_cell(row[key], key) for key in keys] for row in rows)], right=right))
    note = "" if rows else f"--{name}: nothing found"
    if name in ("unshipped", "implicit", "duplicates") and len(tracer.build):
        lost = tracer.untied
        if lost and (rows or name == "duplicates"):
            more = _MORE[name]
            note += f"{'; ' if note else ''}{lost:,} of {len(tracer.build):,} objects have no certain match, {more}"
    if note and not options.quiet:
        say(note)
    return 1 if rows else 0


def _cell(value: object, key: str) -> str:
    if value is None:
        return ""
    if key in _NUMBERS and isinstance(value, int):
        return f"{value:,}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
