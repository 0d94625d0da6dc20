"""``assetdb build find``, ``get``, ``deps`` and ``usages``."""

from __future__ import annotations

import os
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from assetdb.builds.build import MISSING_FILE, MISSING_OBJECT, Build, is_builtin, resolve_streams
from assetdb.builds.objects.selection import Thing, known_words, lookup, search, select
from assetdb.builds.objects.values import read_values
from assetdb.builds.query.reasons import why
from assetdb.cli.build.inventory import find_items
from assetdb.cli.build.opened import HERE, class_text, object_facts, opened, opening, refuse_other_engines, say_problems
from assetdb.cli.build.options import AnyEngineInOptions, BuildInOptions, Classes, InFiles  # noqa: TC001 - read at run time
from assetdb.cli.bundle.each import text_matcher, title
from assetdb.cli.bundle.kinds.unityfs_values import as_json, shown
from assetdb.cli.terminal import fail, not_found, plain, print_json, print_rows, printable, table_lines, with_place
from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.serialized_files.tree_values import leaves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from assetdb.builds.build import BuildObject, Reference
    from assetdb.cli.options import Annotated, Argument, Option
    from assetdb_formats.unityfs.serialized_files.tree_values import PPtr

_WORD = "An object (FILE#PATHID, a PathID, a container path, a name) or a file of the build."
_UNUSED = "nothing that was read refers to it"
_MANY: int = 20  # objects of one name that are answered


def find(
    options: AnyEngineInOptions,
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
    options: AnyEngineInOptions,
    chosen: tuple[Sequence[str], Sequence[str]],
) -> int:
    numbers = list(search(build, matches, select(build, *chosen)))
    code = say_problems(build)

    def cells(item: BuildObject) -> tuple[object, ...]:
        size = f"{item.size + item.streamed:,}"
        place = build.files[item.file].name, item.path_id
        return *place, class_text(item), size, item.name, ", ".join(item.container)

    head = ("file", "PathID", "class", "bytes", "name", "container")
    rows, facts = build.objects(numbers), partial(object_facts, build)
    print_rows(rows, facts, cells, as_json=options.json, head=head, right=frozenset((1, 3)))
    if numbers:
        return code
    return max(code, not_found(f"no object matches {text!r} in {', '.join(build.paths)}", text, known_words(build)))


def get(
    options: BuildInOptions,
    words: Annotated[
        list[str], Argument(metavar="OBJECT", help="An object: FILE#PATHID, a PathID, a container path, a name.")
    ],
) -> int:
    """Print values of objects of a build; 1 if none match."""
    return _of_each("get", options, words, _values, None)


def deps(options: BuildInOptions, words: Annotated[list[str], Argument(metavar="OBJECT|FILE", help=_WORD)]) -> int:
    """List the references of objects or files; 1 if one is broken."""
    return _of_each("deps", options, words, _deps, _file_deps)


def usages(
    options: BuildInOptions,
    words: Annotated[list[str], Argument(metavar="OBJECT|FILE", help=_WORD)],
    reason: Annotated[
        bool, Option("--why", help="Show why the build has it: the shortest chain from what it includes.")
    ] = False,
) -> int:
    """List the users of objects or files; 1 if there are none."""
    return _of_each("usages", options, words, _why if reason else _usages, _file_usages)


class _Answer(NamedTuple):
    """Exit code, JSON and lines of an answer; ``nothing`` without lines."""

    code: int
    facts: Callable[[], dict[str, Any]]
    lines: Iterable[str] = ()
    nothing: str = ""


def _of_each(
    command: str,
    options: BuildInOptions,
    words: list[str],
    of_object: Callable[[Build, int], _Answer],
    of_file: Callable[[Build, int], _Answer] | None,
) -> int:
    """Open a build; answer about each object or file of words."""
    places = options.inside or HERE
    refuse_other_engines(places, command)
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
            code = max(code, _print(build, item, of_object, as_json=options.json))
        for place, file in enumerate(found.files):
            name = build.files[file].name
            if not options.json:
                title(name, number + place, several=True)
            if of_file is None:
                code = fail(f"{name}: is a file of the build, not an object")
            else:
                code = max(code, _print(build, file, of_file, as_json=options.json))
    return code


def _print(build: Build, number: int, ask: Callable[[Build, int], _Answer], *, as_json: bool) -> int:
    try:
        answer = ask(build, number)
    except FormatError as error:  # the others have answers
        return fail(str(error))
    if as_json:
        print_json(answer.facts())
    else:
        text = "\n".join(answer.lines) or (answer.nothing and f"  {answer.nothing}")
        print(text, end="\n" if text else "")
    return answer.code


def _line(text: str) -> str:
    return f"  {printable(text)}"


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


def _values(build: Build, number: int) -> _Answer:
    file = build.file_of(number)
    try:
        value = read_values(build, number)
    except FormatError as error:
        raise error if error.path else error.at(build.files[file].name) from None

    def target(pointer: PPtr) -> str:
        found = build.resolve(file, pointer.file_id, pointer.path_id)
        return object_line(build, found.target) if found.target >= 0 else f"{found.file}#{found.path_id}"

    rows = ((f"  {path}", printable(shown(leaf, target))) for path, leaf in leaves(value))
    return _Answer(0, lambda: {**object_facts(build, build.object(number)), "value": as_json(value)}, table_lines(rows))


def _deps(build: Build, number: int) -> _Answer:
    found = build.references(number)

    def facts() -> dict[str, Any]:
        rows = [
            {
                "file": plain(reference.file),
                "path_id": reference.path_id,
                "verdict": _verdict(reference.target, reference.file),
                "target": _short(build, reference.target) if reference.target >= 0 else None,
            }
            for reference in found
        ]
        return {**_short(build, number), "references": rows}

    def line(reference: Reference) -> str:
        if reference.target >= 0:
            return _line(object_line(build, reference.target))
        where = f"{reference.file}#{reference.path_id}" if reference.file else str(reference.path_id)
        return f"{_line(where)}: {_verdict(reference.target, reference.file)}"

    code = int(any(reference.target < 0 and not is_builtin(reference.file) for reference in found))
    return _Answer(code, facts, map(line, found), "refers to nothing that was read")


def _verdict(target: int, path: str) -> str:
    if target >= 0:
        return "found"
    if target == MISSING_FILE:
        return "Unity's own" if is_builtin(path) else "the build has no such file"
    return "no such object" if target == MISSING_OBJECT else "a file that is not declared"


def _usages(build: Build, number: int) -> _Answer:
    found = build.dependents(number)
    paths = build.containers.get(number, ())

    def facts() -> dict[str, Any]:
        users = [_short(build, user) for user in found]
        return {**_short(build, number), "container": [*map(plain, paths)], "usages": users}

    lines = chain((f"loaded as {path}" for path in paths), (object_line(build, user) for user in found))
    return _Answer(int(not found and not paths), facts, map(_line, lines), _UNUSED)


def _why(build: Build, number: int) -> _Answer:
    found = why(build, number)

    def facts() -> dict[str, Any]:
        way = [_short(build, item) for item in found.way]
        return {**_short(build, number), "why": found.kind, "root": plain(found.root), "way": way}

    if found.kind == "none":
        return _Answer(1, facts, (), _UNUSED)
    way = ("  " * depth + object_line(build, item) for depth, item in enumerate(found.way, 1))
    return _Answer(0, facts, map(_line, chain((f"{found.kind}: {found.root}",), way)))


def _file_deps(build: Build, file: int) -> _Answer:
    externals = [build.external(file, place) for place in range(len(build.files[file].facts.externals))]
    rows: list[tuple[str, str, str]] = []
    for item in externals:
        verdict = "found" if item.file is not None else "Unity's own" if item.builtin else "missing"
        rows.append((verdict, item.path, build.files[item.file].name if item.file is not None else "-"))
    streamed = {item.path: item.file for item in resolve_streams(build) if build.file_of(item.object) == file}
    for path, place in streamed.items():
        rows.append(("missing" if place is None else "found", path, "-" if place is None else build.files[place].name))

    def facts() -> dict[str, Any]:
        found = [{"verdict": a, "path": plain(b), "in": plain(c) if c != "-" else None} for a, b, c in rows]
        return {"file": plain(build.files[file].name), "externals": found}

    code = int(any(verdict == "missing" for verdict, _, _ in rows))
    lines = table_lines([("verdict", "refers to", "in"), *rows]) if rows else ()
    return _Answer(code, facts, lines, "refers to no file")


def _file_usages(build: Build, file: int) -> _Answer:
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
    name = plain(build.files[file].name)
    facts = {"file": name, "usages": [*map(plain, users)]}
    return _Answer(int(not users), lambda: facts, map(_line, users), "no file refers to it")
