"""A build of CrystalEngine as an inventory: the objects of its bundles."""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from assetdb.builds.engines.detection import CRYSTAL
from assetdb.builds.engines.inventory import OBJECT, Copies, Inventory, InventoryFile, Item, Missing, Rest
from assetdb.builds.engines.listing import list_files, shown_name
from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.files import load_entry, scan
from assetdb_formats.casset.identity import uuid_text
from assetdb_formats.casset.model import Blob
from assetdb_formats.casset.project import MISSING
from assetdb_formats.casset.queries.references import walk
from assetdb_formats.processes import tracked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb_formats.casset.model import Bundle, BundleObject
    from assetdb_formats.casset.project import Entry, Project
    from assetdb_formats.processes import Progress

AROUND: Final = "(header and schema)"


def read_casset(paths: Sequence[str], *, contents: bool = True, progress: Progress = None) -> Inventory:
    """Read the contents of the bundles at some paths.

    ``contents``: whether to compare the objects' blobs and follow references, too.

    Raises:
        OSError: a path cannot be read.
    """
    problems: list[str] = []
    listed = list_files(paths, problems)
    project = scan(list(paths))  # folders that cannot be listed are among the problems already
    problems += [
        str(error.at(shown_name(error.path, listed))) for error in project.unreadable if not os.path.isdir(error.path)
    ]
    files: list[InventoryFile] = []
    items: list[Item] = []
    rest: list[Rest] = []
    needed: dict[str, dict[str, None]] = {}
    copies = Copies()
    for entry in tracked(project.entries, progress):
        name = shown_name(entry.file, listed)
        try:
            bundle = load_entry(entry)
        except CassetError as error:
            problems.append(str(error.at(name)))
            continue
        problems += [str(error.at(name)) for error in bundle.problems]
        size = listed[entry.file].size if entry.file in listed else 0
        for found in bundle.objects:
            if contents:
                _note_blobs(copies, len(items), found)
            items.append(_item(len(files), bundle, found))
        claimed = sum(found.size for found in bundle.objects)
        if size > claimed:
            rest.append(Rest(AROUND, len(files), size - claimed, size - claimed))
        files.append(InventoryFile(name, entry.file, f".casset {bundle.format_name}", size))
        if contents:
            for missing in _missing(project, entry, bundle):
                needed.setdefault(missing, {})[name] = None
    # A bundle that cannot be read is not a file of it: it is among the problems, and its bytes among the others.
    known = {file.path for file in files}
    others = [file for path, file in listed.items() if path not in known and file.size]
    return Inventory(
        CRYSTAL,
        tuple(paths),
        tuple(files),
        tuple(items),
        tuple(rest),
        (len(others), sum(file.size for file in others)),
        tuple(Missing(name, tuple(users)) for name, users in sorted(needed.items())),
        copies.find(items) if contents else (),
        tuple(problems),
        (),
        contents,
    )


def _item(file: int, bundle: Bundle, found: BundleObject) -> Item:
    name = found.path or found.name or f"({bundle.name})"
    return Item(file, OBJECT, name, uuid_text(found.uuid), found.class_name, found.size, 0, found.size)


def _missing(project: Project, entry: Entry, bundle: Bundle) -> list[str]:
    """Return the displayed names of missing targets."""
    found = []
    for edge in project.report(bundle).edges:
        if edge.verdict in MISSING:
            owner = project.name_of(edge.use.bundle)
            known = edge.use.bundle in project.by_uuid or edge.use.bundle == entry.contents.uuid
            found.append(f"object {uuid_text(edge.use.object)} of {owner}" if known else f"bundle {owner}")
    return found


def _note_blobs(copies: Copies, place: int, found: BundleObject) -> None:
    digest = blake2b(digest_size=16)
    size = 0
    for _, value in walk(found):
        if isinstance(value, Blob):
            digest.update(f"blob {value.flags} {len(value.data)}:".encode())
            digest.update(value.data)
            size += len(value.data)
    if size:
        copies.add(place, digest.digest(), size)
