"""``assetdb bundle info``, ``ls``, ``find``, ``get``, ``deps``, ``usages``, ``unused``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assetdb.cli.arguments import JsonOptions  # noqa: TC001 - read at run time, from annotations
from assetdb.cli.bundle.each import each_file, text_matcher
from assetdb.cli.bundle.inputs import HERE, UNITYFS, BundleFile, find_bundles, shown_files
from assetdb.cli.bundle.kinds import print_answer, questions_to
from assetdb.cli.bundle.locate import Target, find_targets
from assetdb.cli.bundle.neighbourhood import Neighbourhood
from assetdb.cli.bundle.options import (  # noqa: TC001 - read at run time, from annotations
    ClassOptions,
    FindOptions,
    InOptions,
    ReferenceOptions,
)
from assetdb.cli.terminal import not_found, print_json_lines, table
from assetdb.errors import UsageError

if TYPE_CHECKING:
    from assetdb.cli.bundle.kinds.questions import Answer
    from assetdb.cli.options import Annotated, Argument, Files, Option

_THING: str = "A bundle, a folder or archive of bundles, FILE#OBJECT, or with --in an OBJECT: its path, name or id."


def find(
    options: FindOptions,
    text: Annotated[str, Argument(metavar="[TEXT]", help="A part of a name or path, in any case.")] = "",
    regex: Annotated[bool, Option("--regex", help="TEXT is a regular expression.")] = False,
) -> int:
    """List the objects with a text in name or path."""
    is_wanted = text_matcher(text, regex=regex)
    found = find_bundles(options.inside or HERE)
    rows: list[tuple[tuple[str, ...], dict[str, Any]]] = []

    def collect(file: BundleFile, _: int) -> int:
        rows.extend(questions_to(file.kind).found(file.input, is_wanted, options.classes or ()))
        return 0

    code = max(found.code, each_file(found.files, collect, progress="bundles"))
    if options.json:
        print_json_lines(facts for _, facts in rows)
    elif rows:
        print(table([("bundle", "object", "class", "name", "container"), *(cells for cells, _ in rows)]))
    if rows or not found.files:
        return code
    what = f"no object of class {' or '.join(options.classes)}" if options.classes else "no object"
    matching = f" matches {text!r}" if text or not options.classes else ""
    return max(code, not_found(f"{what}{matching} in {shown_files(found.files)}"))


def get(
    options: InOptions,
    thing: Annotated[str, Argument(metavar="OBJECT", help="Its path, name or id, as ls shows them; or FILE#OBJECT.")],
) -> int:
    """Print the values of one object; 1 if there is none."""
    found = find_targets([thing], options.inside or HERE, only_objects=True)

    def show(target: Target, _: int) -> int:
        kind = questions_to(target.file.kind)
        return print_answer(kind.values(target.input, target.object, as_text=not options.json))

    return max(found.code, each_file(found.targets, show))


def deps(options: ReferenceOptions, things: Annotated[list[str], Argument(metavar="FILE|OBJECT", help=_THING)]) -> int:
    """List the references of bundles or objects; 1 if one is broken."""
    return _relations(options, things, users=False)


def usages(
    options: ReferenceOptions, things: Annotated[list[str], Argument(metavar="FILE|OBJECT", help=_THING)]
) -> int:
    """List the users of bundles or objects; 1 if there are none."""
    return _relations(options, things, users=True)


def _relations(options: ReferenceOptions, words: list[str], *, users: bool) -> int:
    found = find_targets(words, options.inside)
    if not found.targets:
        return found.code
    around = Neighbourhood(options.inside, options.engine)

    def show(target: Target, number: int) -> int:
        kind = questions_to(target.file.kind)
        ask = kind.users if users else kind.references
        answer = ask(target.input, target.object, around, as_text=not options.json)
        return print_answer(answer, number, several=len(found.targets) > 1)

    return max(found.code, each_file(found.targets, show))


def unused(options: ReferenceOptions) -> int:
    """List unused bundles; 1 if there are any."""
    places = options.inside or list(HERE)
    found = find_bundles(places)
    code = found.code
    if not found.files:
        return code
    around = Neighbourhood(places, options.engine)
    for kind in sorted({file.kind for file in found.files}):
        code = max(code, print_answer(questions_to(kind).unused(around, as_text=not options.json)))
    return code


def info(
    options: JsonOptions,
    files: Files,
    types: Annotated[
        bool, Option("--types", help="Print the type trees instead: the fields of each class, in their order.")
    ] = False,
) -> int:
    """Show the facts of each bundle; 1 if one is damaged."""
    found = find_bundles(files)

    def show(file: BundleFile, number: int) -> int:
        if types:
            return print_answer(_types(file, as_text=not options.json))
        answer = questions_to(file.kind).info(file.input, as_text=not options.json)
        if number and not options.json:
            print()
        return print_answer(answer)

    return max(found.code, each_file(found.files, show))


def _types(file: BundleFile, *, as_text: bool) -> Answer:
    """Return the type trees of a bundle.

    Raises:
        UsageError: it is none of Unity.
    """
    if file.kind != UNITYFS:
        raise UsageError(f"{file.input.name}: --types is for bundles of Unity; `info` lists the layouts of this one")
    from assetdb.cli.bundle.kinds.unityfs_types import types  # noqa: PLC0415 - few ask for them

    return types(file.input, as_text=as_text)


def ls(options: ClassOptions, files: Files) -> int:
    """List the objects of each bundle."""
    found = find_bundles(files)

    def show(file: BundleFile, number: int) -> int:
        answer = questions_to(file.kind).objects(file.input, options.classes or (), as_text=not options.json)
        return print_answer(answer, number, several=len(found.files) > 1)

    return max(found.code, each_file(found.files, show))
