"""``assetdb build get``: the values of an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.builds.objects.values import read_values
from assetdb.cli.build.ask import object_line, of_each
from assetdb.cli.build.opened import HERE, object_facts, refuse_other_engines
from assetdb.cli.build.options import Inside  # noqa: TC001 - read at run time
from assetdb.cli.bundle.kinds.unityfs_values import as_json, shown
from assetdb.cli.terminal import fail, print_json, printable, table
from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.serialized_files.tree_values import leaves

if TYPE_CHECKING:
    from assetdb.builds.build import Build
    from assetdb.cli.options import Annotated, Argument
    from assetdb_formats.unityfs.serialized_files.tree_values import PPtr


def get(
    options: Inside,
    words: Annotated[
        list[str], Argument(metavar="OBJECT", help="An object: FILE#PATHID, a PathID, a container path, a name.")
    ],
) -> int:
    """Print values of objects of a build; 1 if none match."""
    refuse_other_engines(options.inside or HERE, "get")
    return of_each(options, words, _print_values, _refuse_file)


def _print_values(build: Build, number: int, as_json_line: bool) -> int:  # noqa: FBT001 - of the caller's options
    file = build.file_of(number)
    try:
        value = read_values(build, number)
    except FormatError as error:
        return fail(str(error if error.path else error.at(build.files[file].name)))
    if as_json_line:
        print_json({**object_facts(build, build.object(number)), "value": as_json(value)})
        return 0

    def target(pointer: PPtr) -> str:
        found = build.resolve(file, pointer.file_id, pointer.path_id)
        return object_line(build, found.target) if found.target >= 0 else f"{found.file}#{found.path_id}"

    rows = [(f"  {path}", printable(shown(leaf, target))) for path, leaf in leaves(value)]
    if rows:
        print(table(rows))
    return 0


def _refuse_file(build: Build, file: int, _: bool) -> int:  # noqa: FBT001 - as for objects
    return fail(f"{build.files[file].name}: is a file of the build, not an object")
