"""`assetdb unreal chunks`, `extract` and `verify`: what lies in containers, out of them, and whether it is whole."""

from __future__ import annotations

import fnmatch
import os
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import Progress, fail, not_found, print_json, printable, table
from assetdb.cli.unreal.container_opening import opened_containers, parse_key, paths_of, within
from assetdb.cli.unreal.legacy import Conversion
from assetdb.cli.unreal.opening import add_key_argument, add_version_argument, assumed_version, containers_in
from assetdb.errors import UsageError
from formats.binary import FormatError
from formats.extraction import TargetFolder, UnsafeNameError
from formats.unreal.errors import FOR_ALL, OverlapError, reason_of
from formats.unreal.iostore.chunk_types import SUFFIXES, type_names
from formats.unreal.iostore.toc import NEWEST_VERSION, PLACE_SIZE, ChunkFlags
from formats.unreal.iostore.verify import Finding, Verification
from formats.unreal.pak import OpenPak

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from formats.unreal.iostore.container import OpenContainer

_RIGHT: Final = frozenset({0, 1})
_SHARED_BLOCKS: Final = 4  # in sound containers every block is one chunk's


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command that ``parser`` is for: chunks, extract or verify."""
    command = parser.prog.rsplit(" ", 1)[-1]
    parser.add_argument("container", metavar="PATH", help="a .utoc or .pak, or a folder of them")
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
        parser.add_argument("--type", metavar="TYPE", help="only chunks of this type, as ExportBundleData")
        parser.add_argument("--blocks", action="store_true", help="the compression blocks of each chunk too")
    add_key_argument(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(container_command=command)


def run(arguments: argparse.Namespace) -> int:
    """Run chunks, extract or verify."""
    paths = containers_in(arguments.container)
    if not paths:
        return fail(f"{arguments.container}: no .utoc or .pak here")
    secret = parse_key(arguments.key)
    if arguments.container_command == "chunks":
        return _chunks(paths, secret, arguments.type, blocks=arguments.blocks, as_json=arguments.json)
    if arguments.container_command == "extract":
        return _extract(paths, secret, arguments)
    return _verify(paths, secret, as_json=arguments.json)


def _chunks(paths: list[str], key: bytes | None, wanted: str | None, *, blocks: bool, as_json: bool) -> int:
    documents = []
    rows: list[tuple[object, ...]] = []
    failed: list[str] = []
    types = {name.lower(): name for name in ("File", *type_names(0).values(), *type_names(NEWEST_VERSION).values())}
    for opened in opened_containers(paths, key, failed):
        listed = [
            entry
            for entry in _listing(opened, blocks=blocks)
            if wanted is None or entry["type"].lower() == wanted.lower()
        ]
        documents.append({"container": opened.path, "chunks": listed})
        for entry in listed:
            shown = (entry["offset"], entry["length"], entry["type"], " ".join(entry["flags"]))
            rows.append((*shown, entry["id"], entry["path"] or ""))
            rows += [(*_block_row(block), "") for block in entry.get("blocks", ())]
    if as_json:
        print_json(documents)
    elif rows:
        print(table([("offset", "length", "type", "flags", "id", "path"), *rows], right=_RIGHT))
    if failed:
        return 2
    if rows:
        return 0
    if wanted is None:
        return not_found("there is no chunk or file here")
    if wanted.lower() in types:
        return not_found(f"there is no chunk of type {wanted} here")
    return not_found(f"there is no type {wanted} of chunks", wanted, types.values())


def _block_row(block: dict[str, Any]) -> tuple[object, ...]:
    stored = f"{block['compressed']} stored, {block['method']}"
    where = f"partition {block['partition']}" if block["partition"] else ""
    return block["offset"], block["size"], f"  block {block['number']}", where, stored


def _listing(opened: OpenContainer | OpenPak, *, blocks: bool) -> Iterator[dict[str, Any]]:
    if isinstance(opened, OpenPak):
        for entry in opened.entries:
            yield {
                "id": "deleted" if entry.deleted else entry.method,
                "type": "File",
                "offset": entry.offset,
                "length": entry.size,
                "compressed": entry.compressed,
                "flags": ["encrypted"] if entry.encrypted else [],
                "path": opened.mount_point + entry.path,
            }
        return
    paths, mount_point = paths_of(opened)
    toc = opened.toc
    spare = _SHARED_BLOCKS * toc.header.block_count
    for index in range(len(toc)):
        chunk = toc.chunk(index)
        path = paths[index]
        lies_in = toc.blocks_of(index) if blocks else range(0)
        spare -= len(lies_in)
        if spare < 0:
            what = (
                f"chunks share their blocks: up to this one they have {_SHARED_BLOCKS} times the blocks that there are"
            )
            place = toc.places_offset + PLACE_SIZE * index
            raise OverlapError(what, offset=place, field=f"chunks[{index}]", path=opened.path)
        yield {
            "id": chunk.id.hex(),
            "type": chunk.type,
            "offset": chunk.offset,
            "length": chunk.length,
            "hash": chunk.hash[:20].hex(),
            "flags": _flag_words(chunk.flags),
            "path": None if path is None else mount_point + path,
            **({"blocks": [toc.block(each)._asdict() for each in lies_in]} if blocks else {}),
        }


def _flag_words(flags: int) -> list[str]:
    known = [flag.name.lower().replace("_", "-") for flag in ChunkFlags if flags & flag and flag.name]
    return known + ([f"0x{flags:02x}"] if flags & ~int(ChunkFlags.COMPRESSED | ChunkFlags.MEMORY_MAPPED) else [])


def _extract(paths: list[str], key: bytes | None, arguments: argparse.Namespace) -> int:
    if arguments.assume_version is not None and not arguments.legacy:
        raise UsageError("--assume-version says as what --legacy writes packages: give both")
    target = TargetFolder(arguments.to)
    written: dict[str, int] = {}
    refused = 0
    failed: list[str] = []
    unread: Counter[str] = Counter()  # reason -> files; without Oodle it would be a line for each chunk of a game
    progress = Progress("extracting")
    legacy = Conversion(arguments.container, arguments.key, assumed_version(arguments)) if arguments.legacy else None
    for opened in opened_containers(paths, key, failed):
        jobs = [job for job in _jobs(opened, unnamed=arguments.all) if _matches(job[0], arguments.only)]
        for number, (name, pieces, chunk) in enumerate(jobs):
            progress(number, len(jobs))
            try:
                if legacy is not None and chunk is not None and legacy.takes(opened, chunk):
                    for file_name, content in legacy.files(name, opened, chunk):
                        written[file_name] = target.write(file_name, [content])
                else:
                    written[name] = target.write(name, pieces)
            except FOR_ALL as error:
                unread[reason_of(error if error.path else error.at(opened.path))] += 1
            except (FormatError, UnsafeNameError) as error:
                refused += 1
                progress.close()
                what = within(error, opened.path) if isinstance(error, FormatError) else str(error)
                print(f"assetdb: {printable(opened.path)}: {printable(name)}: {printable(what)}", file=sys.stderr)
    progress.close()
    if legacy is not None:
        legacy.close()
        legacy.say()
    if arguments.json:
        files = [{"path": name, "size": size} for name, size in written.items()]
        print_json({"written": files, "refused": refused, "unread": unread})
    else:
        print(f"{len(written)} files written, {sum(written.values())} bytes")
    for reason, count in unread.most_common():
        fail(f"{count} {'file' if count == 1 else 'files'} not extracted: {printable(reason)}")
    if refused:
        return fail(f"{refused} files were refused or could not be read")
    if failed or unread:
        return 2
    if written:
        return 0
    what = f"is like {' or '.join(arguments.only)}" if arguments.only else "has a name; --all extracts the others"
    return not_found(f"no chunk or file here {what}")


def _jobs(opened: OpenContainer | OpenPak, *, unnamed: bool) -> Iterator[tuple[str, Iterable[bytes], int | None]]:
    """Yield the name, the content and the chunk (of a .pak None) of every file to write."""
    if isinstance(opened, OpenPak):
        for entry in opened.entries:
            if not entry.deleted:
                yield opened.mount_point + entry.path, opened.pieces(entry), None
        return
    paths, mount_point = paths_of(opened)
    stem = os.path.splitext(os.path.basename(opened.path))[0]
    for index, path in enumerate(paths):
        if path is not None:
            yield mount_point + path, opened.blocks(index), index
        elif unnamed:
            kind = opened.toc.chunk_type(index)
            suffix = SUFFIXES.get(kind, ".bin")
            yield f"{stem}.chunks/{kind}/{opened.toc.chunk_id(index).hex()}{suffix}", opened.blocks(index), index


def _matches(name: str, patterns: list[str]) -> bool:
    """Whether a name, its end from some folder on, or its last part is like one of the patterns."""
    if not patterns:
        return True
    low = name.lower()
    last = low.rsplit("/", 1)[-1]
    return any(
        fnmatch.fnmatchcase(last, pattern.lower())
        or fnmatch.fnmatchcase(low, pattern.lower())
        or fnmatch.fnmatchcase(low, f"*/{pattern.lower()}")
        for pattern in patterns
    )


def _verify(paths: list[str], key: bytes | None, *, as_json: bool) -> int:
    documents: list[dict[str, object]] = []
    clean = True
    failed: list[str] = []
    for opened in opened_containers(paths, key, failed):
        progress = Progress(os.path.basename(opened.path))
        if isinstance(opened, OpenPak):
            findings, facts = _verify_pak(opened, progress)
        else:
            verification = Verification(opened)
            findings = list(verification.findings(progress))
            facts = {
                "chunks": verification.chunks,
                "hashed": verification.hashed,
                "unhashed": verification.unhashed,
                "packages": verification.packages,
                "unread": verification.unread,
            }
        progress.close()
        clean = clean and not findings and not facts["unread"]
        documents.append({"container": opened.path, **facts, "findings": [finding._asdict() for finding in findings]})
        if not as_json:
            _print_verification(opened.path, facts, findings)
    if as_json:
        print_json(documents)
    if failed:
        return 2
    return 0 if clean else 1


def _verify_pak(pak: OpenPak, progress: Progress) -> tuple[list[Finding], dict[str, Any]]:
    findings = []
    hashed = 0
    entries = [entry for entry in pak.entries if not entry.deleted]
    for number, entry in enumerate(entries):
        progress(number, len(entries))
        try:
            if pak.is_intact(entry):
                hashed += 1
            else:
                findings.append(
                    Finding("hash", f"{entry.path}: its data does not have the SHA-1 that is stored for it")
                )
        except OverlapError as error:  # as would all that follow
            findings.append(Finding("overlap", within(error, pak.path)))
            break
        except FormatError as error:
            findings.append(Finding("data", f"{entry.path}: {within(error, pak.path)}"))
    return findings, {"chunks": len(entries), "hashed": hashed, "unhashed": 0, "packages": 0, "unread": {}}


def _print_verification(path: str, facts: dict[str, Any], findings: list[Finding]) -> None:
    parts = [f"{facts['hashed']} of {facts['chunks']} hashes right"]
    if facts["packages"]:
        parts.append(f"{facts['packages']} packages read")
    if facts["unhashed"]:
        parts.append(f"{facts['unhashed']} without a hash")
    count = len(findings)
    print(f"{printable(path)}: {', '.join(parts)}" + (f", {count} finding{'s' * (count > 1)}" if count else ""))
    for finding in findings:
        print(f"  {finding.code}: {printable(finding.what)}")
    for reason, number in facts["unread"].items():
        print(f"  unread: {number} chunks: {printable(reason)}")
