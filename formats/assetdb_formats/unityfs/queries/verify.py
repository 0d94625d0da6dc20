"""Verification of a bundle: blocks, objects, unaccounted bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unityfs.archives.directory import Node
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.tree_values import references

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb_formats.unityfs.bundle import Bundle
    from assetdb_formats.unityfs.serialized_files.loaded import LoadedFile
    from assetdb_formats.unityfs.serialized_files.serialized import ObjectEntry

_MOST_PER_FILE: Final = 50
_ALIGNMENT: Final = 16


class Verification(NamedTuple):
    """The findings on a readable bundle, and its total CRC-32.

    ``unread`` is the number of objects without a type tree, whose values nobody checked; ``without_trees`` how many of
    the objects have a tree that was extracted, and not found.
    """

    findings: tuple[str, ...]
    crc32: int
    unread: int
    without_trees: int = 0


def verify_bundle(bundle: Bundle) -> Verification:
    """Decode every block, read every object. Raises UnityFSError if unreadable."""
    unread = sum(len(file.facts.objects) for file in bundle.files() if not file.facts.has_type_trees)
    without_trees = sum(file.without_trees() for file in bundle.files())
    return Verification(tuple(_findings(bundle)), bundle.crc32(), unread, without_trees)


def _findings(bundle: Bundle) -> Iterator[str]:
    archive = bundle.archive
    if archive is not None:
        if archive.trailing:
            yield f"{archive.trailing} bytes follow the bundle"
        if archive.gap:
            yield f"{archive.gap} bytes after the last block belong to none"
        at = archive.directory_size
        for node in [*sorted(bundle.nodes), Node(archive.decoded_size, 0, 0, "")]:
            if node.offset < at:
                yield f"file {node.path} overlaps the file before it"
            elif node.offset > at and not _is_padding(bundle, at, node.offset - at):
                yield f"{node.offset - at} decoded bytes at {at} belong to no file"
            at = max(at, node.offset + node.size)
    for file in bundle.files():
        for number, finding in enumerate(_file_findings(file)):
            if number == _MOST_PER_FILE:
                yield f"{file.node.path}: and more"
                break
            yield f"{file.node.path}: {finding}" if file.node.path else finding


def _is_padding(bundle: Bundle, offset: int, size: int) -> bool:
    # A bundle of 2022.3 ends with 4 zeros after its one file.
    return size < _ALIGNMENT and not any(b"".join(bundle.pieces(Node(offset, size, 0, ""))))


def _file_findings(file: LoadedFile) -> Iterator[str]:
    facts = file.facts
    if facts.header.file_size != file.node.size:
        yield f"declares {facts.header.file_size} bytes, the directory {file.node.size}"
    if facts.left_over:
        yield f"{facts.left_over} bytes of metadata are left over"
    seen: set[int] = set()
    at = 0
    for entry in sorted(facts.objects, key=lambda entry: entry.offset):
        if entry.path_id in seen:
            yield f"two objects have PathID {entry.path_id}"
        seen.add(entry.path_id)
        if entry.offset < at:
            yield f"object {entry.path_id} overlaps the one before it"
        at = entry.offset + entry.size
    found = file.asset_bundle()
    for asset in found.container if found else ():
        if asset.asset.path_id and not asset.asset.file_id and asset.asset.path_id not in seen:
            yield f"container: {asset.path} is object {asset.asset.path_id}, which is not there"
    for entry in sorted(facts.objects, key=lambda entry: entry.offset):
        yield from _object_findings(file, entry, seen)


def _object_findings(file: LoadedFile, entry: ObjectEntry, own: set[int]) -> Iterator[str]:
    try:
        value, left = file.checked_value(entry)
    except UnityFSError as error:
        yield str(error)
        return
    if left:
        yield f"object {entry.path_id} ({file.class_name(entry)}): {left} bytes are left over"
    externals = file.facts.externals
    for field, pointer in references(value):
        if pointer.file_id == 0 and pointer.path_id not in own:
            yield f"object {entry.path_id} ({file.class_name(entry)}): {field} is {pointer.path_id}, which is not there"
        elif not 0 <= pointer.file_id <= len(externals):
            yield f"object {entry.path_id}: {field} is in external {pointer.file_id} of {len(externals)}"
