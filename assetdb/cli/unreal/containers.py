"""Containers on the command line: `chunks`, `extract`, `verify`; and `info`, `ls`, `deps`, `usages`, `diff` of them."""

from __future__ import annotations

import base64
import binascii
import contextlib
import fnmatch
import json
import os
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import Progress, fail, printable, table
from assetdb.cli.unreal.extraction import TargetFolder, UnsafeNameError
from assetdb.errors import UsageError
from formats.binary import FormatError
from formats.unreal.errors import MissingKeyError
from formats.unreal.iostore.chunk_types import SUFFIXES
from formats.unreal.iostore.container import OpenContainer, open_container
from formats.unreal.iostore.package_graph import PackageGraph, mount_order, package_names
from formats.unreal.iostore.verify import Finding, Verification
from formats.unreal.pak import OpenPak, open_pak

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

SUFFIXES_OF_CONTAINERS: Final = (".utoc", ".pak")
_KEY_SIZE: Final = 32
_RIGHT: Final = frozenset({0, 1})


# --- what the other commands call -------------------------------------------------------------------------------


def containers_in(path: str) -> list[str]:
    """Return the .utoc and .pak files at ``path`` in mount order: itself, or all below a folder."""
    if os.path.splitext(path)[1].lower() == ".ucas":
        path = os.path.splitext(path)[0] + ".utoc"
    if os.path.splitext(path)[1].lower() in SUFFIXES_OF_CONTAINERS:
        return [path]
    found = [
        os.path.join(folder, name)
        for folder, _, names in os.walk(path)
        for name in names
        if os.path.splitext(name)[1].lower() in SUFFIXES_OF_CONTAINERS
    ]
    return mount_order(found)


def add_key_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--key`` as `parse_key` reads it."""
    parser.add_argument(
        "--key",
        metavar="KEY",
        help="AES-256 key of encrypted containers: 64 hexadecimal digits, base64, or @FILE with one",
    )


def parse_key(text: str | None) -> bytes | None:
    """Return the 32 bytes of a key given in hexadecimal, in base64, as 32 characters, or as @FILE with any of these."""
    if text is None:
        return None
    word = text
    if text.startswith("@"):
        with open(text[1:], encoding="utf-8") as file:
            word = file.read().strip()
    with contextlib.suppress(ValueError):
        key = bytes.fromhex(word.removeprefix("0x"))
        if len(key) == _KEY_SIZE:
            return key
    with contextlib.suppress(binascii.Error, ValueError):
        key = base64.b64decode(word, validate=True)
        if len(key) == _KEY_SIZE:
            return key
    if len(word.encode()) == _KEY_SIZE:
        return word.encode()
    raise UsageError("--key is none of: 64 hexadecimal digits, base64 of 32 bytes, @FILE with one of these")


def info(path: str, *, key: str | None, as_json: bool) -> int:
    """Print what a .utoc or .pak is."""
    secret = parse_key(key)
    with _open(path, secret) as opened:
        facts = _pak_facts(opened) if isinstance(opened, OpenPak) else _container_facts(opened)
    _print_facts({"path": path, **facts}, as_json=as_json)
    return 0


def list_packages(path: str, *, key: str | None, as_json: bool) -> int:
    """Print the packages of a container, or of all containers of a folder, by name."""
    graph = read_graph(path, key=key)
    rows = sorted((graph.name(each), each, package) for each, package in graph.packages.items())
    if as_json:
        _print_json(
            [
                {
                    "name": graph.names.get(each),
                    "id": f"{each:016x}",
                    "container": package.container,
                    "imports": len(package.entry.imports),
                }
                for _, each, package in rows
            ]
        )
    else:
        for name, _, _ in rows:
            print(printable(name))
    return _with_unread(graph, 0 if rows else 1)


def list_dependencies(path: str, package: str, *, key: str | None, as_json: bool, deep: bool = False) -> int:
    """Print the packages that one imports (``deep``: and what those import, and so on)."""
    graph = read_graph(path, key=key)
    identity = graph.find(package)
    if identity is None:
        return _not_found(graph, package)
    needed = graph.all_dependencies(identity) if deep else list(graph.dependencies(identity))
    _name_imports(graph, {identity, *needed} if deep else {identity}, parse_key(key))
    return _print_packages(graph, identity, needed, "dependencies", as_json=as_json)


def list_usages(path: str, package: str, *, key: str | None, as_json: bool) -> int:
    """Print the packages that import one."""
    graph = read_graph(path, key=key)
    identity = graph.find(package)
    if identity is None:
        return _not_found(graph, package)
    return _print_packages(graph, identity, sorted(graph.usages(identity), key=graph.name), "usages", as_json=as_json)


def difference(old: str, new: str, *, key: str | None, as_json: bool) -> int:
    """Print which chunks (files of a .pak) of two containers differ: added, removed, changed; 1 if any."""
    secret = parse_key(key)
    before, after = _contents(old, secret), _contents(new, secret)
    added = sorted(set(after) - set(before))
    removed = sorted(set(before) - set(after))
    changed = sorted(each for each in set(before) & set(after) if before[each][1] != after[each][1])
    if as_json:
        named = {
            "added": [after[each][0] for each in added],
            "removed": [before[each][0] for each in removed],
            "changed": [after[each][0] for each in changed],
        }
        _print_json(named)
    else:
        for sign, source, chosen in (("-", before, removed), ("+", after, added), ("~", after, changed)):
            for each in chosen:
                print(f"{sign} {printable(source[each][0])}")
    return 1 if added or removed or changed else 0


def read_graph(path: str, *, key: str | None) -> PackageGraph:
    """Return the package graph of the .utoc at ``path`` or of all in a folder; what cannot be read is in ``unread``."""
    secret = parse_key(key)
    paths = [each for each in containers_in(path) if each.lower().endswith(".utoc")]
    if not paths:
        raise UsageError(f"{path}: no .utoc here")
    graph = PackageGraph()
    progress = Progress("containers")
    for number, each in enumerate(paths):
        progress(number, len(paths))
        try:
            with open_container(each, key=secret) as container:
                graph.add(each, container)
        except FormatError as error:
            graph.unread.append((each, str(error)))
    progress.close()
    return graph


# --- chunks, extract, verify ------------------------------------------------------------------------------------


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
    if command == "chunks":
        parser.add_argument("--type", metavar="TYPE", help="only chunks of this type, as ExportBundleData")
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
        return _chunks(paths, secret, arguments.type, as_json=arguments.json)
    if arguments.container_command == "extract":
        return _extract(paths, secret, arguments)
    return _verify(paths, secret, as_json=arguments.json)


def _opened(paths: list[str], key: bytes | None, failed: list[str]) -> Iterator[OpenContainer | OpenPak]:
    """Open each container in turn; of several, those that cannot be opened are said and left out."""
    for path in paths:
        try:
            opened = _open(path, key)
        except FormatError as error:
            print(f"assetdb: error: {printable(str(error if error.path else error.at(path)))}", file=sys.stderr)
            failed.append(path)
            continue
        with opened:
            yield opened


def _chunks(paths: list[str], key: bytes | None, wanted: str | None, *, as_json: bool) -> int:
    documents = []
    rows: list[tuple[object, ...]] = []
    failed: list[str] = []
    for opened in _opened(paths, key, failed):
        listed = [entry for entry in _listing(opened) if wanted is None or entry["type"].lower() == wanted.lower()]
        documents.append({"container": opened.path, "chunks": listed})
        rows += [
            (entry["offset"], entry["length"], entry["type"], entry["id"], entry["path"] or "") for entry in listed
        ]
    if as_json:
        _print_json(documents)
    elif rows:
        print(table([("offset", "length", "type", "id", "path"), *rows], right=_RIGHT))
    if failed:
        return 2
    return 0 if rows else 1


def _listing(opened: OpenContainer | OpenPak) -> Iterator[dict[str, Any]]:
    if isinstance(opened, OpenPak):
        for entry in opened.entries:
            yield {
                "id": "deleted" if entry.deleted else entry.method,
                "type": "File",
                "offset": entry.offset,
                "length": entry.size,
                "compressed": entry.compressed,
                "path": opened.mount_point + entry.path,
            }
        return
    paths, mount_point = _paths(opened)
    toc = opened.toc
    for index in range(len(toc)):
        chunk = toc.chunk(index)
        path = paths[index]
        yield {
            "id": chunk.id.hex(),
            "type": chunk.type,
            "offset": chunk.offset,
            "length": chunk.length,
            "hash": chunk.hash[:20].hex(),
            "path": None if path is None else mount_point + path,
        }


def _extract(paths: list[str], key: bytes | None, arguments: argparse.Namespace) -> int:
    target = TargetFolder(arguments.to)
    written: dict[str, int] = {}
    refused = 0
    failed: list[str] = []
    progress = Progress("extracting")
    for opened in _opened(paths, key, failed):
        jobs = [job for job in _jobs(opened, unnamed=arguments.all) if _matches(job[0], arguments.only)]
        for number, (name, pieces) in enumerate(jobs):
            progress(number, len(jobs))
            try:
                written[name] = target.write(name, pieces)
            except (FormatError, UnsafeNameError) as error:
                refused += 1
                progress.close()
                print(f"assetdb: {printable(opened.path)}: {printable(name)}: {printable(str(error))}", file=sys.stderr)
    progress.close()
    if arguments.json:
        files = [{"path": name, "size": size} for name, size in written.items()]
        _print_json({"written": files, "refused": refused})
    else:
        print(f"{len(written)} files written, {sum(written.values())} bytes")
    if refused:
        return fail(f"{refused} files were refused or could not be read")
    if failed:
        return 2
    return 0 if written else 1


def _jobs(opened: OpenContainer | OpenPak, *, unnamed: bool) -> Iterator[tuple[str, Iterable[bytes]]]:
    if isinstance(opened, OpenPak):
        for entry in opened.entries:
            if not entry.deleted:
                yield opened.mount_point + entry.path, opened.pieces(entry)
        return
    paths, mount_point = _paths(opened)
    stem = os.path.splitext(os.path.basename(opened.path))[0]
    for index, path in enumerate(paths):
        if path is not None:
            yield mount_point + path, opened.blocks(index)
        elif unnamed:
            kind = opened.toc.chunk_type(index)
            suffix = SUFFIXES.get(kind, ".bin")
            yield f"{stem}.chunks/{kind}/{opened.toc.chunk_id(index).hex()}{suffix}", opened.blocks(index)


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
    for opened in _opened(paths, key, failed):
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
        _print_json(documents)
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
        except FormatError as error:
            findings.append(Finding("data", f"{entry.path}: {error}"))
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


# --- pieces -----------------------------------------------------------------------------------------------------


def _open(path: str, key: bytes | None) -> OpenContainer | OpenPak:
    return open_pak(path, key=key) if path.lower().endswith(".pak") else open_container(path, key=key)


def _paths(container: OpenContainer) -> tuple[list[str | None], str]:
    """Return the paths and the mount point; without the key of an encrypted index, chunks have their ids alone."""
    try:
        index = container.directory_index()
    except MissingKeyError as error:
        print(f"assetdb: {printable(container.path)}: {printable(str(error))}", file=sys.stderr)
        return [None] * len(container.toc), ""
    except FormatError as error:
        raise error.at(container.path) from None
    if index is None:
        return [None] * len(container.toc), ""
    return index.by_chunk(len(container.toc)), index.mount_point


def _contents(path: str, key: bytes | None) -> dict[str, tuple[str, object]]:
    """Return key -> (name, what differs when the content does) of a container."""
    with _open(path, key) as opened:
        if isinstance(opened, OpenPak):
            return {
                entry.path: (opened.mount_point + entry.path, (entry.size, opened.stored_hash(entry)))
                for entry in opened.entries
            }
        paths, mount_point = _paths(opened)
        toc = opened.toc
        contents: dict[str, tuple[str, object]] = {}
        for index in range(len(toc)):
            identity = toc.chunk_id(index).hex()
            name = paths[index]
            shown = f"{toc.chunk_type(index)} {identity}" if name is None else mount_point + name
            # A container header names its container; by its type alone it can be compared with another's.
            matched = "ContainerHeader" if toc.chunk_type(index) == "ContainerHeader" else identity
            contents[matched] = (shown, (toc.lengths[index], toc.chunk_hash(index)[:20]))
        return contents


def _container_facts(container: OpenContainer) -> dict[str, Any]:
    toc = container.toc
    header = toc.header
    types = Counter(toc.chunk_type(index) for index in range(len(toc)))
    facts: dict[str, Any] = {
        "format": "IoStore container",
        "version": header.version,
        "container_id": f"{header.container_id:016x}",
        "chunks": len(toc),
        "types": dict(sorted(types.items())),
        "size": sum(toc.lengths),
        "stored": sum(toc.block_compressed),
        "blocks": header.block_count,
        "block_size": header.compression_block_size,
        "methods": list(toc.methods[1:]),
        "partitions": header.partition_count,
        "encryption": header.encryption.name.replace("_", "-"),
        "signed": toc.signature is not None,
    }
    try:
        index = container.directory_index()
    except MissingKeyError as error:
        facts["files"] = str(error)
    else:
        facts["mount_point"] = index.mount_point if index is not None else None
        facts["files"] = len(index.paths) if index is not None else 0
        facts["named_packages"] = len(package_names(container))
    return facts


def _pak_facts(pak: OpenPak) -> dict[str, Any]:
    return {
        "format": "pak",
        "version": pak.footer.version,
        "mount_point": pak.mount_point,
        "files": len(pak.entries),
        "unnamed": pak.unnamed,
        "size": sum(entry.size for entry in pak.entries),
        "stored": sum(entry.compressed for entry in pak.entries),
        "methods": dict(sorted(Counter(entry.method for entry in pak.entries).items())),
        "encrypted_index": pak.footer.encrypted_index,
        "encrypted_files": sum(entry.encrypted for entry in pak.entries),
    }


def _print_facts(facts: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        _print_json(facts)
        return
    rows = []
    for name, value in facts.items():
        if isinstance(value, dict):
            shown = ", ".join(f"{count} {key}" for key, count in value.items())
        elif isinstance(value, list):
            shown = ", ".join(map(str, value)) or "none"
        else:
            shown = (
                {True: "yes", False: "no", None: "none"}.get(value, value) if not isinstance(value, int) else str(value)
            )
        if isinstance(value, bool):
            shown = "yes" if value else "no"
        rows.append((name.replace("_", " "), shown))
    print(table(rows))


def _print_packages(graph: PackageGraph, identity: int, found: list[int], label: str, *, as_json: bool) -> int:
    if as_json:
        _print_json(
            {
                "package": graph.name(identity),
                label: [
                    {
                        "name": graph.names.get(each),
                        "id": f"{each:016x}",
                        "missing": graph.resolve(each) not in graph.packages,
                    }
                    for each in found
                ],
                "soft": [graph.name(each) for each in graph.soft_references.get(identity, ())],
            }
        )
    else:
        for each in found:
            missing = "" if graph.resolve(each) in graph.packages else "  (in none of these containers)"
            print(f"{printable(graph.name(each))}{missing}")
    return _with_unread(graph, 0 if found else 1)


def _name_imports(graph: PackageGraph, importers: set[int], key: bytes | None) -> None:
    """Name what no container's files name (the engine's own packages, say) by reading who imports it."""
    by_container: dict[str, list[int]] = {}
    for each in importers & set(graph.packages):
        by_container.setdefault(graph.packages[each].container, []).append(each)
    for path, packages in by_container.items():
        # A name stays an id where the package cannot be read, for want of a decompressor say.
        with contextlib.suppress(FormatError), open_container(path, key=key) as container:
            for each in sorted(packages):
                if not all(target in graph.names for target in graph.dependencies(each)):
                    graph.name_imports(each, container)


def _not_found(graph: PackageGraph, package: str) -> int:
    from difflib import get_close_matches  # noqa: PLC0415 - only on this error

    close = get_close_matches(package, list(graph.names.values()), n=1)
    hint = f"; did you mean {printable(close[0])}?" if close else ""
    print(f"assetdb: no package {printable(package)}{hint}", file=sys.stderr)
    return _with_unread(graph, 1)


def _with_unread(graph: PackageGraph, code: int) -> int:
    """Say which containers could not be read; without any package that is an error."""
    for path, reason in graph.unread:
        print(f"assetdb: {printable(path)}: {printable(reason)}", file=sys.stderr)
    return 2 if graph.unread and not graph.packages else code


def _print_json(document: object) -> None:
    json.dump(document, sys.stdout, indent=2)
    print()
