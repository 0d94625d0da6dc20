"""`assetdb unreal parts`: what a package is made of byte by byte, what lies behind its exports, and those bytes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.cli.terminal import print_json, printable, table
from assetdb.cli.unreal.opening import add_version_argument, assumed_version, open_package, refuse_container
from assetdb.errors import UsageError
from formats.binary import FormatError
from formats.extraction import TargetFolder
from formats.unreal.opened import Allowance
from formats.unreal.package_file import FileSource
from formats.unreal.parts import SIDE_FILES, Part, package_parts

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from formats.unreal.package_file import Source

_PIECE = 1 << 20
_WHOLE = frozenset({"header", "exports", "file"})  # not written: they are files already, or the most of one


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `parts`."""
    parser.add_argument("path", metavar="FILE", help="a .uasset or .umap; the files beside it are found by its name")
    parser.add_argument(
        "--to", metavar="FOLDER", help="write what lies behind the exports into this folder, part by part"
    )
    add_version_argument(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """List the parts; 1 if some of them are in no file at hand."""
    refuse_container(arguments.path)
    if os.path.isdir(arguments.path):
        raise UsageError(f"{arguments.path} is a folder of packages: `assetdb unreal ls` lists them")
    package, _ = open_package(arguments.path, assumed_version(arguments))
    stem = os.path.splitext(arguments.path)[0]
    beside = {}
    for end in SIDE_FILES:
        try:
            beside[end] = FileSource(stem + end)
        except FileNotFoundError:
            continue
    sources: dict[str, Source] = {"": package.source, **beside}
    allowance = Allowance()  # parts that all lie in each other would be written out again and again
    for source in sources.values():
        allowance.add(source.size)
    allowance.limit()
    written: dict[int, str] = {}
    try:
        parts = package_parts(package, beside)
        if arguments.to:
            target = TargetFolder(arguments.to)
            for number, part in enumerate(parts):
                if part.here and part.size and part.kind not in _WHOLE:
                    allowance.spend(part.size, part.offset, arguments.path)
                    name = f"{number:03d} {os.path.basename(stem)} {part.name}.bin"
                    target.write(name, _pieces(sources[part.file], part))
                    written[number] = os.path.join(arguments.to, name)
    except FormatError as error:
        raise error.at(arguments.path) from None
    if arguments.json:
        document = [
            {**part._asdict(), **({"written": written[number]} if number in written else {})}
            for number, part in enumerate(parts)
        ]
        print_json(document)
    else:
        leaf = os.path.basename(stem)
        rows = [
            (
                part.kind,
                part.name if part.name != part.kind else "",
                f"{leaf}{part.file}" if part.file else os.path.basename(arguments.path),
                f"{part.offset:,}" if part.here else "-",
                f"{part.size:,}",
                printable(part.note),
            )
            for part in parts
        ]
        print(table(rows, right=frozenset({3, 4})))
    return 0 if all(part.here or part.kind == "payload" for part in parts) else 1


def _pieces(source: Source, part: Part) -> Iterator[bytes]:
    for offset in range(part.offset, part.offset + part.size, _PIECE):
        yield source.read(offset, min(_PIECE, part.offset + part.size - offset))
