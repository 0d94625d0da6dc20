"""Comparison of two packages, folders, or sets of containers."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, NamedTuple

from assetdb_formats.unreal.containers.opening import each_container, known_paths
from assetdb_formats.unreal.containers.pak import OpenPak
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.files.opening import open_package

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from assetdb_formats.unreal.containers.pak import PakEntry
    from assetdb_formats.unreal.iostore.container import OpenContainer
    from assetdb_formats.unreal.packages.package import Package
    from assetdb_formats.unreal.problems import Problem
    from assetdb_formats.unreal.scanning.database import AssetDatabase
    from assetdb_formats.unreal.versions import PackageVersion

    Tables = Mapping[str, Mapping[str, object]]  # table -> row -> value

_LONGEST_VALUE = 80  # characters of a value that are shown
_HEADER = "ContainerHeader of "  # no file of a .pak is called so: its mount point comes first


class Changes(NamedTuple):
    """The removed, added and changed rows of a table.

    ``changed`` are sentences with both values; of containers, names.
    """

    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def compare_packages(old: Package, new: Package) -> dict[str, Changes]:
    """Return the differences of two packages, by table.

    A table without differences is left out.

    Raises:
        UnrealError: one of them is damaged; ``path`` is not set.
    """
    return compare_tables(package_tables(old), package_tables(new))


def compare_package_files(old: str, new: str, assume: PackageVersion | None = None) -> dict[str, Changes]:
    """Compare two files; ``assume`` is the version if unstated."""
    return compare_tables(_tables_of_file(old, assume), _tables_of_file(new, assume))


def _tables_of_file(path: str, assume: PackageVersion | None) -> Tables:
    try:
        return package_tables(open_package(path, assume).package)
    except UnrealError as error:
        raise (error if error.path else error.at(path)) from None


def compare_databases(old: AssetDatabase, new: AssetDatabase) -> dict[str, Changes]:
    """Compare packages with classes, and dependencies with kinds."""
    return compare_tables(_database_tables(old), _database_tables(new))


def compare_tables(old: Tables, new: Tables) -> dict[str, Changes]:
    """Compare two sets of tables; equal ones are left out."""
    found = {name: _compare(table, new[name]) for name, table in old.items()}
    return {name: changes for name, changes in found.items() if any(changes)}


def _compare(old: Mapping[str, object], new: Mapping[str, object]) -> Changes:
    return Changes(
        tuple(sorted(old.keys() - new.keys())),
        tuple(sorted(new.keys() - old.keys())),
        tuple(
            f"{key}: {_shown(old[key])} -> {_shown(new[key])}"
            for key in sorted(old.keys() & new.keys())
            if old[key] != new[key]
        ),
    )


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST_VALUE else f"({len(text)} characters)"


def package_tables(package: Package) -> Tables:
    """Return a package as comparable tables: table -> row -> value."""
    summary = package.summary
    paths = package.paths
    return {
        "summary": {
            "file version": str(summary.version),
            "flags": f"0x{summary.package_flags:08X}",
            "package name": summary.package_name,
            "saved by": str(summary.saved_by),
        },
        "imports": {
            paths.path(-number): record.class_name for number, record in enumerate(package.imports.records(), 1)
        },
        "exports": {
            paths.path(number): f"{package.class_name(record.class_index)}, {record.serial_size} bytes"
            for number, record in enumerate(package.exports.records(), 1)
        },
        "soft references": dict.fromkeys(package.soft_packages),
        "tags": {
            f"{asset.object_path} {key}": value
            for asset in package.registry.assets
            for key, value in asset.tags.items()
        },
        "names": dict.fromkeys(package.names),
    }


def _database_tables(database: AssetDatabase) -> Tables:
    columns = database.columns
    return {
        "packages": {name: columns.classes[number] or "?" for number, name in enumerate(database.names)},
        "dependencies": {
            f"{name} -> {dependency.name}": ", ".join(dependency.words)
            for number, name in enumerate(database.names)
            for dependency in database.dependencies(number)
        },
    }


class _Content(NamedTuple):
    """The name of a chunk or file, and its comparable content."""

    name: str
    content: object


def compare_containers(
    old: Sequence[str],
    new: Sequence[str],
    key: bytes | None,
    problems: list[Problem],
    progress: Callable[[int, int], None] | None = None,
) -> Changes:
    """Compare containers chunk by chunk, patches applied.

    Of a .pak it is file by file. Only content counts, not how it is stored: chunks are compared by their hashes, files
    by their content.

    Args:
        old: containers in mount order.
        new: containers of the other side, in mount order too.
        key: AES-256 key.
        problems: collects unreadable content, which is not compared.
        progress: called with (containers done, containers).
    """
    total = len(old) + len(new)
    before = _contents(old, key, problems, None if progress is None else lambda done: progress(done, total))
    after = _contents(new, key, problems, None if progress is None else lambda done: progress(len(old) + done, total))
    headers = [[name for name in side if name.startswith(_HEADER)] for side in (before, after)]
    if len(headers[0]) == len(headers[1]) == 1:  # the only ones: the files may be named as they like
        after[headers[0][0]] = after.pop(headers[1][0])
    both = before.keys() & after.keys()
    return Changes(
        tuple(sorted(before[each].name for each in before.keys() - both)),
        tuple(sorted(after[each].name for each in after.keys() - both)),
        tuple(sorted(after[each].name for each in both if before[each].content != after[each].content)),
    )


def _contents(
    paths: Sequence[str], key: bytes | None, problems: list[Problem], progress: Callable[[int], None] | None
) -> dict[str, _Content]:
    contents: dict[str, _Content] = {}
    for number, opened in enumerate(each_container(paths, key, problems)):
        if progress is not None:
            progress(number)
        if isinstance(opened, OpenPak):
            for entry in opened.entries:
                name = opened.mount_point + entry.path
                if entry.deleted:  # by a patch
                    contents.pop(name, None)
                    continue
                contents[name] = _Content(name, (entry.size, _content_hash(opened, entry)))
        else:
            _add_chunks(opened, contents, problems)
    return contents


def _add_chunks(container: OpenContainer, contents: dict[str, _Content], problems: list[Problem]) -> None:
    paths, mount_point, _ = known_paths(container, problems)
    toc = container.toc
    # A container header names its container: its id differs between builds, so the file's name is the identity.
    stem = os.path.splitext(os.path.basename(container.path))[0]
    for index in range(len(toc)):
        identity = toc.chunk_id(index).hex()
        path = paths[index]
        kind = toc.chunk_type(index)
        matched = f"{_HEADER}{stem}" if kind == "ContainerHeader" else identity
        shown = f"{kind} {identity}" if path is None else mount_point + path
        contents[matched] = _Content(shown, (toc.lengths[index], toc.chunk_hash(index)[:20]))


def _content_hash(pak: OpenPak, entry: PakEntry) -> bytes:
    """Return the SHA-1 of a file's content.

    If it cannot be decompressed, return the SHA-1 of the stored bytes. A .pak keeps that hash, which differs between
    two ways of storing one content.
    """
    if entry.method == "None" and not entry.encrypted:
        return pak.stored_hash(entry)
    digest = hashlib.sha1(usedforsecurity=False)
    try:
        for piece in pak.pieces(entry):
            digest.update(piece)
    except UnrealError:
        return pak.stored_hash(entry)
    return digest.digest()
