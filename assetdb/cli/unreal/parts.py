"""`assetdb unreal parts`: what a package is made of byte by byte, what lies behind its exports, and those bytes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import not_found, print_json, printable, table
from assetdb.cli.unreal.facts import as_json
from assetdb.cli.unreal.options import add_json_argument, add_version_argument, assumed_version, refuse_container
from assetdb.cli.unreal.reporting import progress_of, say_problems
from formats.binary import FormatError
from formats.extraction import TargetFolder
from formats.unreal.opening import each_package
from formats.unreal.parts import PartFiles
from formats.unreal.problems import problem_of

if TYPE_CHECKING:
    import argparse

    from formats.unreal.parts import Part
    from formats.unreal.problems import Problem

_WHOLE: Final = frozenset({"header", "exports", "file"})  # not written: they are files already, or the most of one


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `parts`."""
    parser.add_argument(
        "path", metavar="FILE", help="a .uasset or .umap, or a folder of them; files beside one are found by its name"
    )
    parser.add_argument(
        "--to", metavar="FOLDER", help="write what lies behind the exports into this folder, part by part"
    )
    add_version_argument(parser)
    add_json_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """List the parts; 1 if some of them are in no file at hand."""
    refuse_container(arguments.path)
    several = os.path.isdir(arguments.path)
    target = TargetFolder(arguments.to) if arguments.to else None
    problems: list[Problem] = []
    code = shown = 0
    with progress_of("packages") as progress:
        packages = each_package(arguments.path, problems, assume=assumed_version(arguments), progress=progress)
        for path, opened in packages:
            inside = os.path.relpath(os.path.dirname(path), arguments.path) if several else "."
            try:
                files = PartFiles(path, opened.package)
                written = _write(files, target, path, inside) if target is not None else {}
            except (FormatError, OSError) as error:
                if not several:
                    raise
                problems.append(problem_of(error, path))
                continue
            progress.close()
            shown += 1
            if arguments.json:
                print_json(
                    [_part_json(path, number, part, written, arguments.to) for number, part in enumerate(files.parts)]
                )
            else:
                if several:
                    print(printable(path))
                print(table([_row(path, part) for part in files.parts], right=frozenset({3, 4})))
            if not all(part.here or part.kind == "payload" for part in files.parts):
                code = 1
    if say_problems(problems, every=arguments.verbose):
        return 2
    return code if shown else not_found(f"{arguments.path}: there is no package here")


def _write(files: PartFiles, target: TargetFolder, path: str, inside: str) -> dict[int, str]:
    """Write the parts of a package that are no files yet; return their names by number."""
    stem = os.path.basename(os.path.splitext(path)[0])
    written = {}
    for number, part in enumerate(files.parts):
        if part.here and part.size and part.kind not in _WHOLE:
            name = f"{number:03d} {stem} {part.name}.bin"
            if inside != ".":
                name = f"{inside.replace(os.sep, '/')}/{name}"
            try:
                target.write(name, files.pieces(part))
            except FormatError as error:
                raise (error if error.path else error.at(path)) from None
            written[number] = name
    return written


def _part_json(path: str, number: int, part: Part, written: dict[int, str], folder: str) -> dict[str, Any]:
    where = {"written": os.path.join(folder, written[number])} if number in written else {}
    return {"package": path, **as_json(part), **where}


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
