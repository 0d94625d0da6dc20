"""`info`, `ls`, `deps`, `usages` and `diff` of containers: of a .utoc, of a .pak, or of a folder of them."""

from __future__ import annotations

import hashlib
import os
import sys
from collections import Counter
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

from assetdb.cli.terminal import Progress, fail, not_found, print_json, printable, table
from assetdb.cli.unreal.container_opening import open_one, opened_containers, parse_key, paths_of, within
from assetdb.cli.unreal.opening import containers_in, match_name
from assetdb.cli.unreal.zen_info import open_build
from formats.binary import FormatError
from formats.unreal.errors import MissingKeyError, MissingPartError, reason_of
from formats.unreal.iostore.build import Naming, main_class
from formats.unreal.iostore.chunk_types import CHUNK_ID_SIZE
from formats.unreal.iostore.container import OpenContainer, open_container
from formats.unreal.iostore.package_graph import PackageGraph, package_names
from formats.unreal.iostore.toc import PLACE_SIZE
from formats.unreal.pak import OpenPak
from formats.unreal.pak_packages import add_pak
from formats.unreal.summary import guid_text

if TYPE_CHECKING:
    from formats.unreal.pak import PakEntry


def info(path: str, *, key: str | None, as_json: bool) -> int:
    """Print what a .utoc or .pak is, or each of a folder; of a folder JSON is a list."""
    failed: list[str] = []
    documents = [
        {"path": opened.path, **(_pak_facts(opened) if isinstance(opened, OpenPak) else _container_facts(opened))}
        for opened in opened_containers(containers_in(path), parse_key(key), failed)
    ]
    if as_json and os.path.isdir(path):
        print_json(documents)
    elif as_json and documents:
        print_json(documents[0])
    elif documents:
        print("\n\n".join(map(_facts_text, documents)))
    return 2 if failed else 0


def list_packages(
    path: str, *, key: str | None, as_json: bool, class_name: str | None = None, classes: bool = False
) -> int:
    """Print the packages of a container, or of all containers of a folder, by name.

    ``classes`` adds the class of each, ``class_name`` keeps one class: both read the tables of every package.
    """
    graph = read_graph(path, key=key)
    rows = sorted((graph.name(each), each, package) for each, package in graph.packages.items())
    unknown: Counter[str] = Counter()
    if classes or class_name:
        unknown = _read_classes(graph, path, key)
    if class_name:
        rows = [row for row in rows if graph.classes.get(row[1], "").lower() == class_name.lower()]
    if as_json:
        print_json(
            [
                {
                    "name": graph.names.get(each),
                    "id": f"{each:016x}",
                    "container": package.container,
                    "size": graph.sizes.get(each),
                    **({"class": graph.classes.get(each)} if classes or class_name else {}),
                    "imports": None if package.container in graph.listed else len(package.entry.imports),
                }
                for _, each, package in rows
            ]
        )
    elif rows and (classes or class_name):
        shown = [(name, graph.classes.get(each, "?"), _size(graph.sizes.get(each))) for name, each, _ in rows]
        print(table(shown, right=frozenset({2})))
    else:
        for name, _, _ in rows:
            print(printable(name))
    for reason, count in unknown.most_common():
        print(f"assetdb: the class of {count:,} packages is not known: {printable(reason)}", file=sys.stderr)
    if class_name and not rows and graph.packages:
        known = set(filter(None, graph.classes.values()))
        among = " among those whose class is known" if unknown else ""
        code = not_found(f"there is no package of class {class_name}{among}", class_name, known)
        return _with_unread(graph, 2 if unknown and not known else code)
    return _with_unread(graph, 0 if rows or graph.unread else not_found(f"{path}: there is no package here"))


def _size(size: int | None) -> str:
    return "" if size is None else f"{size:,}"


def _read_classes(graph: PackageGraph, path: str, key: str | None) -> Counter[str]:
    """Read the class of every package into ``graph``; return why that of others is not known, with their number."""
    unknown: Counter[str] = Counter()
    if not any(each.lower().endswith(".utoc") for each in containers_in(path)):
        return unknown
    progress = Progress("packages")
    with ExitStack() as stack:
        build = open_build(path, key, stack)
        for number, identity in enumerate(build.places):
            progress(number, len(build.places))
            try:
                package = build.tables(identity)
                found = main_class(package, Naming(package, build.scripts))
                if found is None:
                    found = main_class(package, build.naming(package))
            except FormatError as error:
                unknown[reason_of(error)] += 1
                continue
            if found is None:
                unknown["no script objects here (the global container) name it"] += 1
            else:
                graph.classes[identity] = found
    progress.close()
    return unknown


def list_missing(path: str, *, key: str | None, as_json: bool) -> int:
    """Print the packages that others import and that no container has, with those others; 1 if there are any."""
    graph = read_graph(path, key=key)
    missing = graph.missing()
    _name_imports(graph, {each for importers in missing.values() for each in importers}, parse_key(key))
    rows = sorted((graph.name(each), sorted(map(graph.name, importers))) for each, importers in missing.items())
    if as_json:
        print_json([{"package": name, "needed_by": importers} for name, importers in rows])
    else:
        for name, importers in rows:
            print(printable(name))
            for importer in importers:
                print(f"  needed by {printable(importer)}")
    return _with_unread(graph, 1 if rows else 0)


def list_dependencies(path: str, package: str, *, key: str | None, as_json: bool, deep: bool = False) -> int:
    """Print the packages that one imports (``deep``: and what those import, and so on)."""
    graph = read_graph(path, key=key)
    try:
        identity = _find(graph, package)
    except LookupError as error:
        return _not_found(graph, error)
    if identity in graph.packages and graph.packages[identity].container in graph.listed:
        return _with_unread(graph, fail(f"what {printable(graph.name(identity))} imports is not known"))
    needed = graph.all_dependencies(identity) if deep else list(graph.dependencies(identity))
    _name_imports(graph, {identity, *needed} if deep else {identity}, parse_key(key))
    _print_packages(graph, identity, needed, "dependencies", as_json=as_json)
    return _with_unread(graph, 0)


def list_usages(path: str, package: str, *, key: str | None, as_json: bool) -> int:
    """Print the packages that import one; 1 if none does."""
    graph = read_graph(path, key=key)
    try:
        identity = _find(graph, package)
    except LookupError as error:
        return _not_found(graph, error)
    found = sorted(graph.usages(identity), key=graph.name)
    _print_packages(graph, identity, found, "usages", as_json=as_json)
    return _with_unread(graph, 0 if found else not_found(f"no package here needs {graph.name(identity)}"))


def difference(old: str, new: str, *, key: str | None, as_json: bool) -> int:
    """Print which chunks (files of a .pak) of two containers, or folders of them, were added, removed, changed.

    Returns 1 if any was, 2 if a container of a folder could not be read.
    """
    secret = parse_key(key)
    failed: list[str] = []
    before, after = _contents(old, secret, failed), _contents(new, secret, failed)
    added = sorted(set(after) - set(before))
    removed = sorted(set(before) - set(after))
    changed = sorted(each for each in set(before) & set(after) if before[each][1] != after[each][1])
    if as_json:
        named = {
            "added": [after[each][0] for each in added],
            "removed": [before[each][0] for each in removed],
            "changed": [after[each][0] for each in changed],
        }
        print_json(named)
    else:
        for sign, source, chosen in (("-", before, removed), ("+", after, added), ("~", after, changed)):
            for each in sorted(chosen, key=lambda each: source[each][0]):
                print(f"{sign} {printable(source[each][0])}")
    if failed:
        return 2
    return 1 if added or removed or changed else 0


def read_graph(path: str, *, key: str | None) -> PackageGraph:
    """Return the package graph of the containers at ``path``; what cannot be read is in its ``unread``."""
    secret = parse_key(key)
    paths = containers_in(path)
    graph = PackageGraph()
    progress = Progress("containers")
    for number, each in enumerate(paths):
        progress(number, len(paths))
        try:
            with open_one(each, secret) as container:
                if isinstance(container, OpenPak):
                    add_pak(graph, each, container)
                    continue
                try:
                    graph.add(each, container)
                except MissingPartError as error:  # the packages are in the .utoc, who imports whom is not
                    graph.add_listed(each, container)
                    graph.unread.append((each, f"{within(error, each)}: what its packages import is not known"))
        except FormatError as error:
            graph.unread.append((each, within(error, each)))
        except OSError as error:  # a pipe, a permission that is not there
            if len(paths) == 1:
                raise
            graph.unread.append((error.filename or each, error.strerror or str(error)))
    progress.close()
    return graph


def _contents(path: str, key: bytes | None, failed: list[str]) -> dict[str, tuple[str, object]]:
    """Return key -> (name, what differs when the content does) of containers, of a patch over what it patches."""
    contents: dict[str, tuple[str, object]] = {}
    headers: list[str] = []
    for opened in opened_containers(containers_in(path), key, failed):
        if isinstance(opened, OpenPak):
            for entry in opened.entries:
                name = opened.mount_point + entry.path
                contents[name] = (name, (entry.size, _content_hash(opened, entry)))
            continue
        paths, mount_point = paths_of(opened)
        toc = opened.toc
        # A container header names its container: in another build it has another id, so the file's name tells it.
        stem = os.path.splitext(os.path.basename(opened.path))[0]
        for index in range(len(toc)):
            identity = toc.chunk_id(index).hex()
            name_in_index = paths[index]
            kind = toc.chunk_type(index)
            shown = f"{kind} {identity}" if name_in_index is None else mount_point + name_in_index
            matched = identity
            if kind == "ContainerHeader":
                matched = f"ContainerHeader {stem}"
                headers.append(matched)
            contents[matched] = (shown, (toc.lengths[index], toc.chunk_hash(index)[:20]))
    if len(headers) == 1:  # the only one: the file may be named as it likes
        contents["ContainerHeader"] = contents.pop(headers[0])
    return contents


def _content_hash(pak: OpenPak, entry: PakEntry) -> bytes:
    """Return the SHA-1 of a file's content; of one that cannot be decompressed, the one of what is stored.

    A .pak keeps the hash of what it stores, which differs between two ways of storing the same.
    """
    if entry.deleted or (entry.method == "None" and not entry.encrypted):
        return pak.stored_hash(entry)
    digest = hashlib.sha1(usedforsecurity=False)
    try:
        for piece in pak.pieces(entry):
            digest.update(piece)
    except FormatError:
        return pak.stored_hash(entry)
    return digest.digest()


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
        "encryption_key_guid": guid_text(header.encryption_key_guid),
        "signed": toc.signature is not None,
        "flags": [flag.name for flag in header.flags],
        "header_size": header.header_size,
        "partition_size": header.partition_size if header.version >= 3 else None,
        "perfect_hash_seeds": header.seed_count,
        "chunks_without_perfect_hash": header.overflow_count,
        "encryption_ivs": header.iv_count,
        "entry_sizes": {
            "chunk_id": CHUNK_ID_SIZE,
            "offset_and_length": PLACE_SIZE,
            "block": header.block_entry_size,
            "method_name": header.method_name_size,
            "meta": toc.meta_size,
        },
        "directory_index_size": header.directory_index_size,
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


def _facts_text(facts: dict[str, Any]) -> str:
    rows = []
    for name, value in facts.items():
        if isinstance(value, dict):
            shown = ", ".join(f"{count} {key.replace('_', ' ')}" for key, count in value.items())
        elif isinstance(value, list):
            shown = ", ".join(map(str, value))
        elif isinstance(value, bool):
            shown = "yes" if value else "no"
        else:
            shown = "" if value is None else str(value)
        rows.append((name.replace("_", " "), shown or "none"))
    return table(rows)


def _print_packages(graph: PackageGraph, identity: int, found: list[int], label: str, *, as_json: bool) -> None:
    soft = graph.soft_references.get(identity, ()) if label == "dependencies" else ()
    if as_json:
        print_json(
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
                **({"soft": [graph.name(each) for each in soft]} if label == "dependencies" else {}),
            }
        )
    else:
        for each in found:
            missing = "" if graph.resolve(each) in graph.packages else "  (in none of these containers)"
            print(f"{printable(graph.name(each))}{missing}")
        for each in soft:
            print(f"{printable(graph.name(each))}  (soft)")


def _name_imports(graph: PackageGraph, importers: set[int], key: bytes | None) -> None:
    """Name what no container's files name (the engine's own packages, say) by reading who imports it."""
    by_container: dict[str, list[int]] = {}
    for each in importers & set(graph.packages):
        container_path = graph.packages[each].container
        if not container_path.lower().endswith(".pak"):  # there the imports came with their names
            by_container.setdefault(container_path, []).append(each)
    for path, packages in by_container.items():
        # A name stays an id where the package cannot be read, for want of a decompressor say.
        with suppress(FormatError), open_container(path, key=key) as container:
            container.limit_reading()
            for each in sorted(packages):
                if not all(target in graph.names for target in graph.dependencies(each)):
                    graph.name_imports(each, container)


def _find(graph: PackageGraph, text: str) -> int:
    """Return the id of a package by its name, the end of it, an object path in it, or its id in hexadecimal."""
    for name in (text, text.partition(".")[0]):
        identity = graph.find(name)
        if identity is not None:
            return identity
    known = sorted((name, identity) for identity, name in graph.names.items())
    return known[match_name(text, [name for name, _ in known])][1]


def _not_found(graph: PackageGraph, error: LookupError) -> int:
    return _with_unread(graph, not_found(str(error.args[0])))


def _with_unread(graph: PackageGraph, code: int) -> int:
    """Say which containers could not be read; without any package that is an error."""
    for path, reason in graph.unread:
        print(f"assetdb: {printable(path)}: {printable(reason)}", file=sys.stderr)
    return 2 if graph.unread and not graph.packages else code
