"""``assetdb unreal parts``: the bytes of a package, part by part."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import print_json_lines, printable, table
from assetdb.cli.unreal.archives import displayed
from assetdb.cli.unreal.options import PackageOptions, refuse_container
from assetdb.cli.unreal.reporting import as_json, each_read, no_packages, say_problems, unpacking
from assetdb_formats.extraction import TargetFolder
from assetdb_formats.unreal.files.parts import PartFiles

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, Argument, Option
    from assetdb_formats.unreal.files.parts import Part
    from assetdb_formats.unreal.problems import Problem

_WHOLE: Final = frozenset({"header", "exports", "file"})  # not written: they are files already, or the most of one


@unpacking("path")
def parts(
    options: PackageOptions,
    path: Annotated[
        str,
        Argument(
            metavar="FILE", help="A .uasset or .umap, or a folder of them; the files beside one are found by its name."
        ),
    ],
    to: Annotated[
        str | None,
        Option("--to", metavar="FOLDER", help="Write the data behind the exports to this folder, part by part."),
    ] = None,
) -> int:
    """List the parts; 1 if some are in no file at hand."""
    refuse_container(path)
    several = os.path.isdir(path)
    target = TargetFolder(to) if to else None
    problems: list[Problem] = []
    taken: set[str] = set()
    code = shown = 0
    base = path if several else os.path.dirname(path)
    for file, _, (files, written) in each_read(
        path, problems, options, lambda file, package: _written(PartFiles(file, package), target, file, base, taken)
    ):
        shown += 1
        if options.json:
            rows = enumerate(files.parts)
            print_json_lines(_part_json(file, number, part, written, to or "") for number, part in rows)
        else:
            if several:
                print(printable(displayed(file)))
            print(table([_row(file, part) for part in files.parts], right=frozenset({3, 4})))
        if not all(part.here or part.kind == "payload" for part in files.parts):
            code = 1
    broken = say_problems(problems, every=options.verbose)
    return broken or (code if shown else no_packages(path))


def _written(
    files: PartFiles, target: TargetFolder | None, path: str, base: str, taken: set[str]
) -> tuple[PartFiles, dict[int, str]]:
    """Write the parts that are no files yet; return also their names.

    ``taken`` are stems of packages before: beside a map may lie an asset of its name, whose parts keep the extension.
    """
    inside = os.path.relpath(os.path.dirname(path) or ".", base or ".")
    stem = os.path.basename(os.path.splitext(path)[0])
    if os.path.splitext(path)[0] in taken:
        stem = os.path.basename(path)
    taken.add(os.path.splitext(path)[0])
    written: dict[int, str] = {}
    for number, part in enumerate(files.parts):
        if target is not None and part.here and part.size and part.kind not in _WHOLE:
            name = f"{number:03d} {stem} {part.name}.bin"
            if inside != ".":
                name = f"{inside.replace(os.sep, '/')}/{name}"
            target.write(name, files.pieces(part))
            written[number] = name
    return files, written


def _part_json(path: str, number: int, part: Part, written: dict[int, str], folder: str) -> dict[str, Any]:
    where = {"written": os.path.join(folder, written[number])} if number in written else {}
    return {"package": displayed(path), **as_json(part), **where}


def _row(path: str, part: Part) -> tuple[object, ...]:
    leaf = os.path.basename(os.path.splitext(path)[0])
    return (
        part.kind,
        part.name if part.name != part.kind else "",
        f"{leaf}{part.file}" if part.file else os.path.basename(path),
        f"{part.offset:,}" if part.here else "-",
        f"{part.size:,}",
        printable(part.note),
    )
