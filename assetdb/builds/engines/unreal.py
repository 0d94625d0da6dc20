"""Inventory of an Unreal Engine build: containers and loose packages.

The bytes of a package are its exports, its streamed bytes are its bulk data; on disk it takes the compressed blocks of
both.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from assetdb.builds.engines.detection import UNREAL
from assetdb.builds.engines.inventory import PACKAGE, Copies, Inventory, InventoryFile, Item, Missing, Rest
from assetdb.builds.engines.listing import ListedFile, list_files, shown_name
from assetdb.builds.engines.unreal_containers import chunk_items, pak_items
from assetdb_formats.files import open_file, words_of
from assetdb_formats.unreal.containers.locations import containers_in, table_of
from assetdb_formats.unreal.containers.opening import chunk_paths, each_container
from assetdb_formats.unreal.containers.packed import add_container, missing_packages, read_classes
from assetdb_formats.unreal.containers.pak import OpenPak
from assetdb_formats.unreal.containers.pak_packages import add_pak, pak_packages
from assetdb_formats.unreal.errors import UnrealError, text_within
from assetdb_formats.unreal.files.package_file import spellings
from assetdb_formats.unreal.files.parts import EXPORTS, SIDE_FILES
from assetdb_formats.unreal.iostore.package_graph import PackageGraph
from assetdb_formats.unreal.iostore.toc import Encryption
from assetdb_formats.unreal.scanning.mounts import EXTENSIONS
from assetdb_formats.unreal.scanning.package_folder import scan_folder
from assetdb_formats.unreal.scanning.records import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb_formats.processes import Progress
    from assetdb_formats.unreal.iostore.container import OpenContainer
    from assetdb_formats.unreal.problems import Problem

_PIECE: Final = 1 << 20


def read_unreal(
    paths: Sequence[str], *, key: bytes | None = None, contents: bool = True, progress: Progress = None
) -> Inventory:
    """Read the contents of a build of Unreal Engine.

    Args:
        paths: folders, containers, or several of them.
        key: of encrypted containers; without it their packages have sizes, and no names and classes.
        contents: whether to read the packages' tables, which takes most of the time; without, classes, missing and
            duplicate packages are unknown.
        progress: called with the number of containers or packages read and the total.

    Raises:
        UnrealError: the only container cannot be read.
        OSError: a path cannot be read.
    """
    reading = _Reading(paths, key, contents=contents)
    reading.read_containers(progress)
    reading.read_loose()
    return reading.inventory(progress)


class _Reading:
    """An inventory as it fills."""

    def __init__(self, paths: Sequence[str], key: bytes | None, *, contents: bool) -> None:
        self.paths = tuple(paths)
        self.key = key
        self.contents = contents
        self.problems: list[str] = []
        self.unread: list[str] = []
        self.found = list_files(paths, self.problems)
        self.used: set[str] = set()
        self.files: list[InventoryFile] = []
        self.items: list[Item] = []
        self.rest: list[Rest] = []
        self.missing: list[Missing] = []
        self.copies = Copies()
        self.graph = PackageGraph()
        self.tocs: list[str] = []

    def _said(self, path: str, reason: str) -> str:
        return f"{shown_name(path, self.found)}: {reason}"

    # --- containers ------------------------------------------------------------------------------------------------

    def read_containers(self, progress: Progress) -> None:
        """Read the containers in the order in which the engine mounts them."""
        found = containers_in(*self.paths)
        for path in found:  # a container that was named by its .ucas
            self.found.setdefault(path, ListedFile(path, os.path.basename(path), 0))
        refused: list[Problem] = []
        for number, opened in enumerate(each_container(found, self.key, refused)):
            if progress is not None:
                progress(number, len(found))
            try:
                self._read_container(opened)
            except UnrealError as error:
                if len(found) == 1:
                    raise
                self.problems.append(self._said(opened.path, text_within(error, opened.path)))
        if len(found) == 1 and refused:
            raise UnrealError(refused[0].reason, path=found[0])
        self.problems += [self._said(problem.path, problem.reason) for problem in refused]
        tables = {path.casefold() for path in self.found}
        for path in sorted(self.found.keys() - self.used):
            table = table_of(path, lambda own: own.casefold() in tables)
            if table is not None and table.casefold() not in tables:
                what = f"its table {os.path.basename(table)} is not there, so nothing in it can be read"
                self.problems.append(self._said(path, what))

    def _read_container(self, opened: OpenContainer | OpenPak) -> None:
        number, first = len(self.files), len(self.items)
        if isinstance(opened, OpenPak):
            packages = (
                add_pak(self.graph, opened.path, opened)
                if self.contents
                else tuple(pak_packages(opened, headers=False))
            )
            own = pak_items(opened, packages, number, digests=self.contents)
            info = f".pak {opened.footer.version}"
            is_locked = opened.footer.encrypted_index or any(entry.encrypted for entry in opened.entries)
            methods = {entry.method for entry in opened.entries} - {"None"}
            if opened.unnamed:
                self.unread.append(self._said(opened.path, f"{opened.unnamed:,} files, whose names are not stored"))
        else:
            names = chunk_paths(opened)
            self._add_to_graph(opened)
            own = chunk_items(opened, names, number, self.graph.names)
            info = f".utoc {opened.toc.header.version}"
            is_locked = opened.toc.header.encryption is not Encryption.NONE
            methods = {*opened.toc.methods[1:]}
            self.tocs.append(opened.path)
        self.problems += [self._said(path, "is not there") for path in own.absent]
        self.items += own.items
        self.rest += own.rest
        for place, digest, size in own.prints:
            self.copies.add(first + place, digest, size)
        self.used.update(own.files)
        name = shown_name(opened.path, self.found)
        self.files.append(InventoryFile(name, opened.path, info, own.disk, tuple(sorted(methods)), is_locked))

    def _add_to_graph(self, container: OpenContainer) -> None:
        try:
            if self.contents:
                add_container(self.graph, container)
            else:
                self.graph.add_listed(container.path, container)
        except UnrealError as error:
            self.graph.unread.append((container.path, text_within(error, container.path)))

    # --- loose packages --------------------------------------------------------------------------------------------

    def read_loose(self) -> None:
        """Read packages in files of their own, with their side files."""
        if not any(path.lower().endswith(EXTENSIONS) for path in self.found):
            return
        folder = scan_folder(*(path for path in self.paths if os.path.isdir(path)))
        columns = folder.database.columns
        self.problems += [self._said(problem.path, problem.reason) for problem in folder.problems]
        self.problems += folder.conflicts
        listed = self._as_scanned()
        candidates: dict[int, list[tuple[int, str]]] = {}  # size -> items and their files of it
        for number, error in columns.errors.items():
            self.problems.append(f"{columns.files[number]}: {error}")
        for number in range(len(columns.files)):
            path = os.path.normpath(folder.file(number))
            if path not in listed or columns.flags[number] & UNREADABLE:
                continue
            stem = os.path.splitext(path)[0]
            beside = (stem + each for side in SIDE_FILES for each in spellings(side))
            own = [listed[each] for each in (path, *beside) if each in listed]
            exports = sum(file.size for file in own if file.path.lower().endswith((*EXTENSIONS, EXPORTS)))
            disk = sum(file.size for file in own)
            for file in own:
                candidates.setdefault(file.size, []).append((len(self.items), file.path))
            self.used.update(file.path for file in own)
            suffix = os.path.splitext(path)[1].lower()
            name, class_name = columns.names[number], columns.classes[number]
            self.items.append(Item(len(self.files), PACKAGE, name, "", class_name, exports, disk - exports, disk))
            self.files.append(InventoryFile(listed[path].name, path, suffix, disk))
        self.missing += [Missing(name, tuple(who)) for name, who in folder.database.missing()]
        if self.contents:
            self._compare_loose(candidates)

    def _as_scanned(self) -> dict[str, ListedFile]:
        """Return files by their real paths, by which a scan knows them."""
        found = {}
        for folder in self.paths:
            prefix, real = os.path.join(folder, ""), os.path.realpath(folder)
            for path, file in self.found.items():
                if path.startswith(prefix):
                    found[os.path.normpath(os.path.join(real, path[len(prefix) :]))] = file
        return found

    def _compare_loose(self, candidates: dict[int, list[tuple[int, str]]]) -> None:
        for size, files in candidates.items():
            for item, path in files if len(files) > 1 else ():
                try:
                    self.copies.add(item, _digest(path), size)
                except OSError as error:
                    self.problems.append(self._said(path, words_of(error)))

    # --- the whole -------------------------------------------------------------------------------------------------

    def inventory(self, progress: Progress) -> Inventory:
        """Return the inventory, with classes and missing targets."""
        self.problems += [self._said(path, reason) for path, reason in self.graph.unread]
        if self.contents:
            if self.tocs:
                self._read_classes(progress)
            self.missing += [Missing(*found) for found in missing_packages(self.graph, self.key)]
        self._name_classes()
        others = [file for path, file in self.found.items() if path not in self.used and file.size]
        return Inventory(
            UNREAL,
            self.paths,
            tuple(self.files),
            tuple(self.items),
            tuple(self.rest),
            (len(others), sum(file.size for file in others)),
            tuple(self.missing),
            self.copies.find(self.items) if self.contents else (),
            tuple(self.problems),
            tuple(self.unread),
            self.contents,
        )

    def _read_classes(self, progress: Progress) -> None:
        try:
            unknown = read_classes(self.graph, self.paths, self.key, progress)
        except UnrealError as error:  # an unreadable container was already reported
            self.unread.append(f"classes of packages: {error}")
            return
        self.unread += [f"classes of {count:,} packages: {reason}" for reason, count in unknown.items()]

    def _name_classes(self) -> None:
        classes = self.graph.classes
        for place, item in enumerate(self.items):
            if item.kind == PACKAGE and item.identity and not item.class_name:
                found = classes.get(int(item.identity, 16))
                self.items[place] = item._replace(class_name=found or "")


def _digest(path: str) -> bytes:
    found = blake2b(digest_size=16)
    with open_file(path) as stream:
        while piece := stream.read(_PIECE):
            found.update(piece)
    return found.digest()
