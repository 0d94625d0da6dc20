"""``assetdb build find``, ``deps`` and ``usages``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from assetdb.builds.build import MISSING_FILE, MISSING_OBJECT, Build, is_builtin
from assetdb.builds.objects.selection import Thing, known_words, lookup, search, select
from assetdb.builds.objects.streams import resolve_streams
from assetdb.builds.query.reasons import why
from assetdb.cli.build.inventory import find_items
from assetdb.cli.build.opened import (
    HERE,
    class_text,
    object_facts,
    opened,
    opening,
    refuse_other_engines,
    say_problems,
)
from assetdb.cli.build.options import Classes, InFiles, Inside, LookingInside  # noqa: TC001 - read at run time
from assetdb.cli.bundle.each import text_matcher, title
from assetdb.cli.terminal import not_found, plain, print_json, print_json_lines, printable, table, with_place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb.cli.options import Annotated, Argument, Option

_WORD = "An object (FILE#PATHID, a PathID, a container path, a name) or a file of the build."
_MANY: int = 20  # objects of one name that are answered


def find(
    options: LookingInside,
    text: Annotated[str, Argument(metavar="[TEXT]", help="A part of a name, path or script, in any case.")] = "",
    regex: Annotated[bool, Option("--regex", help="TEXT is a regular expression.")] = False,
    classes: Classes = None,
    files: InFiles = None,
) -> int:
    """List the objects with a text in name, path or script."""
    matches = text_matcher(text, regex=regex)
    places = options.inside or HERE
    with opening(places, options) as build:
        if not isinstance(build, Build):
            return find_items(build, text, matches, options, (classes or (), files or ()))
        return _find(build, text, matches, options, (classes or (), files or ()))


def _find(
    build: Build,
    text: str,
    matches: Callable[[str], object],
    options: LookingInside,
    chosen: tuple[Sequence[str], Sequence[str]],
) -> int:
    numbers = list(search(build, matches, select(build, *chosen)))
    code = say_problems(build)
    if options.json:
        print_json_lines(object_facts(build, item) for item in build.objects(numbers))
    elif numbers:
        rows: list[tuple[object, ...]] = [("file", "PathID", "class", "bytes", "name", "container")]
        for item in build.objects(numbers):
            bytes_of = f"{item.size + item.streamed:,}"
            name = build.files[item.file].name
            rows.append((name, item.path_id, class_text(item), bytes_of, item.name, ", ".join(item.container)))
        print(table(rows, right=frozenset((1, 3))))
    if numbers:
        return code
    return max(code, not_found(f"no object matches {text!r} in {', '.join(build.paths)}", text, known_words(build)))


def deps(options: Inside, words: Annotated[list[str], Argument(metavar="OBJECT|FILE", help=_WORD)]) -> int:
    """List the references of objects or files; 1 if one is broken."""
    refuse_other_engines(options.inside or HERE, "deps")
    return of_each(options, words, _print_deps, _print_file_deps)


def usages(
    options: Inside,
    words: Annotated[list[str], Argument(metavar="OBJECT|FILE", help=_WORD)],
    reason: Annotated[
        bool, Option("--why", help="The shortest way to it from what the build was told to include.")
    ] = False,
) -> int:
    """List the users of objects or files; 1 if there are none."""
    refuse_other_engines(options.inside or HERE, "usages")
    return of_each(options, words, _print_why if reason else _print_usages, _print_file_usages)


def of_each(
    options: Inside,
    words: list[str],
    of_object: Callable[[Build, int, bool], int],
    of_file: Callable[[Build, int, bool], int],
) -> int:
    """Open a build; act on each object or file of words."""
    places = options.inside or HERE
    build = opened(places, options)
    code = say_problems(build)
    for number, word in enumerate(words):
        found = lookup(build, word)
        if found is None:
            missed = f"no object or file {word!r} in {', '.join(places)}"
            if os.path.isdir(word):
                code = max(code, not_found(with_place(missed, word)))
            else:
                code = max(code, not_found(missed, word, known_words(build)))
            continue
        code = max(code, _check(build, word, found))
        for place, item in enumerate(found.objects[:_MANY]):
            if not options.json:
                title(object_line(build, item), number + place, several=True)
            code = max(code, of_object(build, item, options.json))
        for place, file in enumerate(found.files):
            if not options.json:
                title(build.files[file].name, number + place, several=True)
            code = max(code, of_file(build, file, options.json))
    return code


def _check(build: Build, word: str, found: Thing) -> int:
    if len(found.objects) <= _MANY:
        return 0
    shown = f"{build.file_label(found.objects[0])}#{build.path_ids[found.objects[0]]}"
    return not_found(
        f"{word!r} is the {found.by} of {len(found.objects):,} objects, {_MANY} are shown; name one as {shown}"
    )


def object_line(build: Build, number: int) -> str:
    """Return file, class and name of an object, for people."""
    item = build.object(number)
    title = build.title(number)
    return f"{build.files[item.file].name}#{item.path_id} {class_text(item)}{f' {title}' if title else ''}"


def _short(build: Build, number: int) -> dict[str, Any]:
    facts = object_facts(build, build.object(number))
    return {key: facts[key] for key in ("file", "path_id", "class", "name", "title", "script")}


def _print_deps(build: Build, number: int, as_json: bool) -> int:  # noqa: FBT001 - of the caller's options
    found = build.references(number)
    code = int(any(reference.target < 0 and not is_builtin(reference.file) for reference in found))
    if as_json:
        rows = []
        for reference in found:
            target = _short(build, reference.target) if reference.target >= 0 else None
            rows.append(
                {
                    "file": plain(reference.file),
                    "path_id": reference.path_id,
                    "verdict": _verdict(reference.target, reference.file),
                    "target": target,
                }
            )
        print_json({**_short(build, number), "references": rows})
        return code
    for reference in found:
        if reference.target >= 0:
            print(f"  {printable(object_line(build, reference.target))}")
        else:
            where = f"{reference.file}#{reference.path_id}" if reference.file else str(reference.path_id)
            print(f"  {printable(where)}: {_verdict(reference.target, reference.file)}")
    if not found:
        print("  refers to nothing that was read")
    return code


def _verdict(target: int, path: str) -> str:
    if target >= 0:
        return "found"
    if target == MISSING_FILE:
        return "Unity's own" if is_builtin(path) else "the build has no such file"
    return "no such object" if target == MISSING_OBJECT else "a file that is not declared"


def _print_usages(build: Build, number: int, as_json: bool) -> int:  # noqa: FBT001 - the same
    found = build.dependents(number)
    paths = build.containers.get(number, ())
    if as_json:
        users = [_short(build, user) for user in found]
        print_json({**_short(build, number), "container": [*map(plain, paths)], "usages": users})
    for path in paths if not as_json else ():
        print(f"  loaded as {printable(path)}")
    for user in found if not as_json else ():
        print(f"  {printable(object_line(build, user))}")
    if not found and not paths and not as_json:
        print("  nothing that was read refers to it")
    return int(not found and not paths)


def _print_why(build: Build, number: int, as_json: bool) -> int:  # noqa: FBT001 - the same
    found = why(build, number)
    if as_json:
        way = [_short(build, item) for item in found.way]
        print_json({**_short(build, number), "why": found.kind, "root": plain(found.root), "way": way})
    elif found.kind == "none":
        print("  nothing that was read refers to it")
    else:
        print(f"  {found.kind}: {printable(found.root)}")
        for depth, item in enumerate(found.way, 1):
            print(f"  {'  ' * depth}{printable(object_line(build, item))}")
    return int(found.kind == "none")


def _print_file_deps(build: Build, file: int, as_json: bool) -> int:  # noqa: FBT001 - the same
    externals = [build.external(file, place) for place in range(len(build.files[file].facts.externals))]
    code = int(any(item.file is None and not item.builtin for item in externals))
    rows: list[tuple[str, str, str]] = []
    for item in externals:
        verdict = "found" if item.file is not None else "Unity's own" if item.builtin else "missing"
        rows.append((verdict, item.path, build.files[item.file].name if item.file is not None else "-"))
    streamed = {item.path: item.file for item in resolve_streams(build) if build.file_of(item.object) == file}
    for path, place in streamed.items():
        rows.append(("missing" if place is None else "found", path, "-" if place is None else build.files[place].name))
    code = max(code, int(None in streamed.values()))
    if as_json:
        facts = [{"verdict": a, "path": plain(b), "in": plain(c) if c != "-" else None} for a, b, c in rows]
        print_json({"file": plain(build.files[file].name), "externals": facts})
    elif rows:
        print(table([("verdict", "refers to", "in"), *rows]))
    else:
        print("  refers to no file")
    return code


def _print_file_usages(build: Build, file: int, as_json: bool) -> int:  # noqa: FBT001 - the same
    streaming = {build.file_of(item.object) for item in resolve_streams(build) if item.file == file}
    users = [
        other.name
        for other in build.files
        if other.number != file
        and (
            other.number in streaming
            or any(build.external(other.number, n).file == file for n in range(len(other.facts.externals)))
        )
    ]
    if as_json:
        print_json({"file": plain(build.files[file].name), "usages": [*map(plain, users)]})
    for user in users if not as_json else ():
        print(f"  {printable(user)}")
    if not users and not as_json:
        print("  no file refers to it")
    return int(not users)
