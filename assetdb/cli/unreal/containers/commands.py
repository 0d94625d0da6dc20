"""``assetdb unreal chunks``, ``extract`` and ``verify``."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

from assetdb.cli.terminal import Progress, fail, not_found, print_json, print_json_lines, printable, table
from assetdb.cli.unreal.archives import displayed
from assetdb.cli.unreal.options import KeyOptions, PackageOptions
from assetdb.cli.unreal.reporting import as_json, glob_matcher, note, say, say_problems, unpacking
from assetdb.errors import UsageError
from assetdb_formats.binary import FormatError
from assetdb_formats.extraction import TargetFolder, UnsafeNameError
from assetdb_formats.unreal.containers.contents import deleted_files, known_types, list_chunks, stored_files
from assetdb_formats.unreal.containers.legacy_conversion import LegacyConversion
from assetdb_formats.unreal.containers.locations import containers_in
from assetdb_formats.unreal.containers.opening import OpenBuild, each_container, known_paths
from assetdb_formats.unreal.containers.verify import verify_container
from assetdb_formats.unreal.errors import FOR_ALL, UnrealError, reason_of, text_within
from assetdb_formats.unreal.iostore.container import OpenContainer

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, Argument, In, Option
    from assetdb_formats.unreal.containers.contents import ChunkInfo
    from assetdb_formats.unreal.containers.verify import VerificationReport
    from assetdb_formats.unreal.iostore.toc import Block
    from assetdb_formats.unreal.problems import Problem

_NEVER_KNOWN: Final = (
    "not known, as no container keeps it: GUIDs, source hashes, soft references, some flags of exports"
)
_NO_SCRIPTS: Final = (
    "no global.utoc beside the container or one folder up, so the engine's own classes have no names:"
    " give the folder that has it with --in"
)
_RIGHT: Final = frozenset({0, 1})
_PATH_HELP: Final = "A .utoc or .pak, or a folder of them."
_TYPE_HELP: Final = "Only chunks of this type, such as ExportBundleData."


class ExtractOptions(PackageOptions, KeyOptions):
    """The options of `extract`."""

    type: Annotated[str | None, Option("--type", metavar="TYPE", help=_TYPE_HELP)] = None
    only: Annotated[
        list[str] | None,
        Option("--only", metavar="PATTERN", help="Only files that match, such as *.umap; may be repeated."),
    ] = None
    all: Annotated[bool, Option("--all", help="Also chunks without a file name, by their id.")] = False
    legacy: Annotated[bool, Option("--legacy", help="Write packages of a .utoc as .uasset and .uexp files.")] = False


def containers_at(path: str) -> list[str]:
    """Return the containers at a path; raise UnrealError without any."""
    paths = containers_in(path)
    if not paths:
        raise UnrealError("no .utoc or .pak here", path=path)
    return paths


# --- chunks -------------------------------------------------------------------------------------------------------


@unpacking("container")
def chunks(
    options: KeyOptions,
    container: Annotated[str, Argument(metavar="PATH", help=_PATH_HELP)],
    wanted: Annotated[str | None, Option("--type", metavar="TYPE", help=_TYPE_HELP)] = None,
    blocks: Annotated[bool, Option("--blocks", help="Also the compression blocks of each chunk.")] = False,
) -> int:
    """List the contents of containers; 1 if there are none."""
    found: list[ChunkInfo] = []
    problems: list[Problem] = []
    for opened in each_container(containers_at(container), options.secret, problems):
        names = known_paths(opened, problems)
        note(names.locked and f"{opened.path}: {names.locked}", options)
        found += [
            chunk
            for chunk in list_chunks(opened, blocks=blocks, names=names)
            if wanted is None or chunk.type.lower() == wanted.lower()
        ]
    if options.json:
        facts = map(as_json, found)  # without fields that a chunk lacks
        print_json_lines(
            {key: value for key, value in row.items() if value is not None or key == "path"} for row in facts
        )
    elif found:
        rows: list[tuple[object, ...]] = [("offset", "length", "type", "flags", "id", "path")]
        for chunk in found:
            shown = (chunk.offset, chunk.length, chunk.type, " ".join(chunk.flags), chunk.id, chunk.path or "")
            rows += [shown, *((*_block_row(block), "") for block in chunk.blocks or ())]
        print(table(rows, right=_RIGHT))
    broken = say_problems(problems, every=options.verbose)
    if broken or found:
        return broken
    return not_found("there is no chunk or file here") if wanted is None else _no_type(wanted)


def _no_type(wanted: str) -> int:
    """Print that a type is unknown, or has no chunks."""
    types = known_types()
    if wanted.lower() in map(str.lower, types):
        return not_found(f"there is no chunk of type {wanted} here")
    return not_found(f"there is no type {wanted} of chunks", wanted, types)


def _block_row(block: Block) -> tuple[object, ...]:
    stored = f"{block.compressed} stored, {block.method}"
    where = f"partition {block.partition}" if block.partition else ""
    return block.offset, block.size, f"  block {block.number}", where, stored


# --- extract ------------------------------------------------------------------------------------------------------


@unpacking("container", "look_in")
def extract(
    options: ExtractOptions,
    container: Annotated[str, Argument(metavar="PATH", help=_PATH_HELP)],
    to: Annotated[str, Option("--to", metavar="FOLDER", help="The folder to write to; created if necessary.")],
    look_in: In = None,
) -> int:
    """Write chunks or files; 1 without any, 2 if some failed."""
    where, paths, key = look_in or [], containers_at(container), options.secret
    if where and not options.legacy:
        raise UsageError("--in names containers that --legacy takes names from: give both")
    if options.assume_version is not None and not options.legacy:
        raise UsageError("--assume-version is the version that --legacy writes packages for: give both")
    wanted = None if options.type is None else options.type.lower()
    if options.type is not None and options.type.lower() not in map(str.lower, known_types()):
        return _no_type(options.type)
    matches = glob_matcher(options.only or ["*"])
    target = TargetFolder(to)
    written: dict[str, int] = {}
    refused = 0
    problems: list[Problem] = []
    unread: Counter[str] = Counter()  # reason -> files; without Oodle it would be a line for each chunk of a game
    progress = Progress("extracting")
    with OpenBuild(container, *where, key=key) if options.legacy else nullcontext() as build:
        legacy = None if build is None else LegacyConversion(build, options.assumed)
        if build is not None:
            problems += build.problems
        for opened in each_container(paths, key, problems):
            names = known_paths(opened, problems)
            note(names.locked and f"{opened.path}: {names.locked}", options)
            for name in deleted_files(opened):
                if written.pop(name, None) is not None:  # of a container before, which this one patches
                    target.remove(name)
            files = [
                file
                for file in stored_files(opened, unnamed=options.all, names=names)
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
        if build is not None and build.scripts is None:
            note(_NO_SCRIPTS, options)
        _note_unknown(legacy, options)
    broken = say_problems(dict.fromkeys(problems), every=options.verbose)
    if options.json:
        rows = [{"path": name, "size": size} for name, size in written.items()]
        print_json({"written": rows, "refused": refused, "unread": as_json(unread)})
    else:
        print(f"{len(written)} files written, {sum(written.values())} bytes")
    for reason, count in unread.most_common():
        fail(displayed(f"{count} {'file' if count == 1 else 'files'} not extracted: {reason}"))
    if refused:
        return fail(f"{refused} files were refused or could not be read")
    if broken or unread:
        return 2
    if written:
        return 0
    if options.type is not None and not options.only:
        return _no_type(options.type)
    what = f"is like {' or '.join(options.only)}" if options.only else "has a name; --all extracts the others"
    return not_found(f"no chunk or file here {what}")


def _note_unknown(legacy: LegacyConversion, options: ExtractOptions) -> None:
    """Print the gaps in packages that were converted."""
    for version, count in legacy.versions.items():
        note(f"{count:,} packages state no version; they were written as of {version} (--assume-version)", options)
    for what, count in legacy.unknown.items():
        note(f"not known: {what} ({count:,})", options)
    if legacy.packages:
        note(_NEVER_KNOWN, options)


# --- verify -------------------------------------------------------------------------------------------------------


@unpacking("container")
def verify(options: KeyOptions, container: Annotated[str, Argument(metavar="PATH", help=_PATH_HELP)]) -> int:
    """Check containers; 1 if something is wrong or unreadable."""
    reports: list[VerificationReport] = []
    problems: list[Problem] = []
    for opened in each_container(containers_at(container), options.secret, problems):
        progress = Progress(os.path.basename(opened.path))
        reports.append(verify_container(opened, progress))
        progress.close()
        if options.json:
            print_json(as_json(reports[-1]))
        else:
            _print_report(reports[-1])
    broken = say_problems(problems, every=options.verbose)
    return broken or (0 if all(report.clean for report in reports) else 1)


def _print_report(report: VerificationReport) -> None:
    parts = [f"{report.packages} packages read"] if report.packages else []
    is_compared = report.hashed or any(finding.code == "hash" for finding in report.findings) or not report.unread
    parts.insert(0, f"{report.hashed} of {report.chunks} hashes right" if is_compared else "no hash was compared")
    if report.unhashed:
        parts.append(f"{report.unhashed} without a hash")
    count = len(report.findings)
    parts += [f"{count} finding{'s' * (count > 1)}"] * bool(count)
    print(f"{printable(displayed(report.container))}: {', '.join(parts)}")
    for finding in report.findings:
        print(f"  {finding.code}: {printable(displayed(finding.what))}")
    for reason, number in report.unread.items():
        print(f"  unread: {number} chunks: {printable(displayed(reason))}")
