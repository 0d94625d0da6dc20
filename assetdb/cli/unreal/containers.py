"""`assetdb unreal chunks`, `extract` and `verify`: what lies in containers, out of them, and whether it is whole."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import Progress, fail, not_found, print_json, printable, table
from assetdb.cli.unreal.facts import as_json
from assetdb.cli.unreal.options import (
    add_json_argument,
    add_key_argument,
    add_version_argument,
    assumed_version,
    key_of,
)
from assetdb.cli.unreal.reporting import say, say_problems
from assetdb.errors import UsageError
from formats.binary import FormatError
from formats.extraction import TargetFolder, UnsafeNameError
from formats.globs import name_matcher
from formats.unreal.container_contents import known_types, list_chunks, stored_files
from formats.unreal.container_verify import verify_container
from formats.unreal.containers import OpenBuild, chunk_paths, each_container
from formats.unreal.errors import FOR_ALL, reason_of, text_within
from formats.unreal.iostore.container import OpenContainer
from formats.unreal.legacy_conversion import LegacyConversion
from formats.unreal.locations import containers_in

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from formats.unreal.container_contents import ChunkInfo
    from formats.unreal.container_verify import VerificationReport
    from formats.unreal.containers import ChunkPaths
    from formats.unreal.iostore.toc import Block
    from formats.unreal.pak import OpenPak
    from formats.unreal.problems import Problem

_RIGHT: Final = frozenset({0, 1})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command that ``parser`` is for: chunks, extract or verify."""
    command = parser.prog.rsplit(" ", 1)[-1]
    parser.add_argument("container", metavar="PATH", help="a .utoc or .pak, or a folder of them")
    if command != "verify":
        parser.add_argument("--type", metavar="TYPE", help="only chunks of this type, as ExportBundleData")
    if command == "extract":
        parser.add_argument(
            "--only",
            metavar="PATTERN",
            action="append",
            default=[],
            help="only files like this, as *.umap; may be repeated",
        )
        parser.add_argument(
            "--to", metavar="FOLDER", required=True, help="folder to extract into; made if it is not there"
        )
        parser.add_argument("--all", action="store_true", help="also chunks without a file name, by their id")
        parser.add_argument(
            "--legacy",
            action="store_true",
            help="packages of a .utoc as the .uasset and .uexp they were cooked as",
        )
        add_version_argument(parser)
    if command == "chunks":
        parser.add_argument("--blocks", action="store_true", help="the compression blocks of each chunk too")
    add_key_argument(parser)
    add_json_argument(parser)
    parser.set_defaults(container_command=command)


def run(arguments: argparse.Namespace) -> int:
    """Run chunks, extract or verify."""
    paths = containers_in(arguments.container)
    if not paths:
        return fail(f"{arguments.container}: no .utoc or .pak here")
    run_one = {"chunks": _chunks, "extract": _extract, "verify": _verify}[arguments.container_command]
    return run_one(paths, key_of(arguments), arguments)


def _names_of(opened: OpenContainer | OpenPak) -> ChunkPaths | None:
    """Return the file names of a container's chunks; where its index is encrypted, say so."""
    if not isinstance(opened, OpenContainer):
        return None
    names = chunk_paths(opened)
    if names.locked:
        say(f"{opened.path}: {names.locked}")
    return names


# --- chunks -------------------------------------------------------------------------------------------------------


def _chunks(paths: list[str], key: bytes | None, arguments: argparse.Namespace) -> int:
    wanted: str | None = arguments.type
    found: list[ChunkInfo] = []
    problems: list[Problem] = []
    for opened in each_container(paths, key, problems):
        found += [
            chunk
            for chunk in list_chunks(opened, blocks=arguments.blocks, names=_names_of(opened))
            if wanted is None or chunk.type.lower() == wanted.lower()
        ]
    if arguments.json:
        print_json([_chunk_json(chunk) for chunk in found])
    elif found:
        rows: list[tuple[object, ...]] = [("offset", "length", "type", "flags", "id", "path")]
        for chunk in found:
            shown = (chunk.offset, chunk.length, chunk.type, " ".join(chunk.flags), chunk.id, chunk.path or "")
            rows += [shown, *((*_block_row(block), "") for block in chunk.blocks or ())]
        print(table(rows, right=_RIGHT))
    if say_problems(problems, every=arguments.verbose):
        return 2
    if found:
        return 0
    return not_found("there is no chunk or file here") if wanted is None else _no_type(wanted)


def _no_type(wanted: str) -> int:
    """Say that there is no chunk of a type, or no such type."""
    types = known_types()
    if wanted.lower() in map(str.lower, types):
        return not_found(f"there is no chunk of type {wanted} here")
    return not_found(f"there is no type {wanted} of chunks", wanted, types)


def _chunk_json(chunk: ChunkInfo) -> dict[str, Any]:
    """Return a chunk for programs; what only the other kind of container has is left out."""
    row: dict[str, Any] = as_json(chunk)
    return {name: value for name, value in row.items() if value is not None or name == "path"}


def _block_row(block: Block) -> tuple[object, ...]:
    stored = f"{block.compressed} stored, {block.method}"
    where = f"partition {block.partition}" if block.partition else ""
    return block.offset, block.size, f"  block {block.number}", where, stored


# --- extract ------------------------------------------------------------------------------------------------------


def _extract(paths: list[str], key: bytes | None, arguments: argparse.Namespace) -> int:
    if arguments.assume_version is not None and not arguments.legacy:
        raise UsageError("--assume-version says as what --legacy writes packages: give both")
    wanted = None if arguments.type is None else arguments.type.lower()
    if wanted is not None and wanted not in map(str.lower, known_types()):
        return _no_type(arguments.type)
    matches = _matcher(arguments.only)
    target = TargetFolder(arguments.to)
    written: dict[str, int] = {}
    refused = 0
    problems: list[Problem] = []
    unread: Counter[str] = Counter()  # reason -> files; without Oodle it would be a line for each chunk of a game
    progress = Progress("extracting")
    with OpenBuild(arguments.container, key=key) if arguments.legacy else nullcontext() as build:
        legacy = None if build is None else LegacyConversion(build, assumed_version(arguments))
        if build is not None:
            problems += build.problems
        for opened in each_container(paths, key, problems):
            files = [
                file
                for file in stored_files(opened, unnamed=arguments.all, names=_names_of(opened))
                if matches(file.name) and (wanted is None or file.type.lower() == wanted)
            ]
            for number, file in enumerate(files):
                progress(number, len(files))
                try:
                    if legacy is not None and isinstance(opened, OpenContainer) and legacy.takes(opened, file.chunk):
                        for name, content in legacy.files(file.name, opened, file.chunk or 0):
                            written[name] = target.write(name, [content])
                    else:
                        written[file.name] = target.write(file.name, file.pieces)
                except FOR_ALL as error:
                    unread[reason_of(error if error.path else error.at(opened.path))] += 1
                except (FormatError, UnsafeNameError) as error:
                    refused += 1
                    progress.close()
                    say(f"{opened.path}: {file.name}: {text_within(error, opened.path)}")
    progress.close()
    if legacy is not None:
        _say_unknown(legacy)
    broken = say_problems(dict.fromkeys(problems), every=arguments.verbose)
    if arguments.json:
        rows = [{"path": name, "size": size} for name, size in written.items()]
        print_json({"written": rows, "refused": refused, "unread": unread})
    else:
        print(f"{len(written)} files written, {sum(written.values())} bytes")
    for reason, count in unread.most_common():
        fail(f"{count} {'file' if count == 1 else 'files'} not extracted: {printable(reason)}")
    if refused:
        return fail(f"{refused} files were refused or could not be read")
    if broken or unread:
        return 2
    if written:
        return 0
    if wanted is not None and not arguments.only:
        return _no_type(arguments.type)
    what = f"is like {' or '.join(arguments.only)}" if arguments.only else "has a name; --all extracts the others"
    return not_found(f"no chunk or file here {what}")


def _matcher(patterns: list[str]) -> Callable[[str], bool]:
    """Return what says whether a name, its end from some folder on, or its last part is like one of the patterns."""
    if not patterns:
        return lambda _: True
    whole = [name_matcher(form) for pattern in patterns for form in (pattern.lower(), f"*/{pattern.lower()}")]
    return lambda name: any(matches(name.lower()) for matches in whole)


def _say_unknown(legacy: LegacyConversion) -> None:
    """Say what could not be known of packages that were converted."""
    for version, count in legacy.versions.items():
        say(f"{count:,} packages state no version; they were written as of {version} (--assume-version)")
    for what, count in legacy.unknown.items():
        say(f"not known: {what} ({count:,})")
    if legacy.packages:
        say("not known, as no container keeps it: GUIDs, source hashes, soft references, some flags of exports")


# --- verify -------------------------------------------------------------------------------------------------------


def _verify(paths: list[str], key: bytes | None, arguments: argparse.Namespace) -> int:
    reports: list[VerificationReport] = []
    problems: list[Problem] = []
    for opened in each_container(paths, key, problems):
        progress = Progress(os.path.basename(opened.path))
        reports.append(verify_container(opened, progress))
        progress.close()
        if arguments.json:
            print_json(as_json(reports[-1]))
        else:
            _print_report(reports[-1])
    if say_problems(problems, every=arguments.verbose):
        return 2
    return 0 if all(report.clean for report in reports) else 1


def _print_report(report: VerificationReport) -> None:
    parts = [f"{report.hashed} of {report.chunks} hashes right"]
    if report.packages:
        parts.append(f"{report.packages} packages read")
    if report.unhashed:
        parts.append(f"{report.unhashed} without a hash")
    count = len(report.findings)
    parts += [f"{count} finding{'s' * (count > 1)}"] * bool(count)
    print(f"{printable(report.container)}: {', '.join(parts)}")
    for finding in report.findings:
        print(f"  {finding.code}: {printable(finding.what)}")
    for reason, number in report.unread.items():
        print(f"  unread: {number} chunks: {printable(reason)}")
