"""``assetdb bundle extract`` and ``edit``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.arguments import JsonOptions  # noqa: TC001 - read at run time, from annotations
from assetdb.cli.bundle.each import each_file
from assetdb.cli.bundle.inputs import CASSET, HERE, find_bundles
from assetdb.cli.bundle.kinds import questions_to
from assetdb.cli.bundle.locate import Target, Targets, find_targets
from assetdb.cli.bundle.options import InOptions  # noqa: TC001 - read at run time, from annotations
from assetdb.cli.terminal import fail, print_json, printable

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, Argument, Option


_RETARGET: str = (
    "Redirect references to an object of this bundle, FILE, FILE#OBJECT or UUID@BUNDLE-UUID; TO may be none."
)


def extract(
    options: InOptions,
    to: Annotated[str, Option("--to", metavar="DIR", help="The folder to write to.")],
    things: Annotated[
        list[str] | None,
        Argument(metavar="[FILE|OBJECT]", help="Bundles; with --in objects or files of them (default: all there)."),
    ] = None,
) -> int:
    """Write the contents of bundles; 1 if one is not there."""
    if things:
        found = find_targets(things, options.inside)
        if found.code:  # nothing is written where a word is wrong
            return found.code
    else:
        held = find_bundles(options.inside or HERE)
        found = Targets([Target(file) for file in held.files], held.code)
    from assetdb.cli.bundle.folder import ExtractionFolder  # noqa: PLC0415 - it makes the folder's rules, which a miss does without

    folder = ExtractionFolder(to)

    def write(target: Target, _: int) -> int:
        written = questions_to(target.file.kind).extract(target.input, target.object, folder)
        if options.json:
            print_json({"path": target.input.name, "written": written})
        else:
            print("\n".join(map(printable, written)))
        return 0

    return max(found.code, each_file(found.targets, write, progress="bundles"))


def edit(
    options: JsonOptions,
    file: Annotated[str, Argument(metavar="FILE", help="The .casset bundle.")],
    rename: Annotated[
        list[tuple[str, str]] | None,
        Option("--rename", metavar="OBJECT NAME", help="Rename an object; the paths of its contents follow."),
    ] = None,
    retarget: Annotated[list[tuple[str, str]] | None, Option("--retarget", metavar="FROM TO", help=_RETARGET)] = None,
    set_: Annotated[
        list[tuple[str, str, str]] | None,
        Option(
            "--set",
            metavar="OBJECT FIELD VALUE",
            help="Change a value (JSON; @FILE for a blob) at a path such as tint[1].",
        ),
    ] = None,
    output: Annotated[str | None, Option("--output", "-o", metavar="FILE", help="The file to write.")] = None,
    in_place: Annotated[bool, Option("--in-place", help="Replace the file itself.")] = False,
) -> int:
    """Change a bundle and write it; 1 if a name is unknown."""
    from assetdb.cli.bundle.kinds.casset_edit import edit_bundle  # noqa: PLC0415 - the other commands only read
    from assetdb_formats.casset.editing.changes import Change, Rename, Retarget, SetValue  # noqa: PLC0415 - the same

    found = find_bundles([file])
    if found.code:
        return found.code
    if len(found.files) != 1 or found.files[0].input.path is None:
        return fail(f"{file}: name one file, not a folder or archive")
    if found.files[0].kind != CASSET:
        return fail(f"{file}: Unity's bundles are read, not written")
    changes: list[Change] = [
        *(Rename(*words) for words in rename or ()),
        *(Retarget(*words) for words in retarget or ()),
        *(SetValue(*words) for words in set_ or ()),
    ]
    return edit_bundle(file, changes, output=output, in_place=in_place, as_text=not options.json)
