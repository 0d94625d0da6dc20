"""Neighbours of a bundle: those beside it or in named places."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.cli.bundle.each import reason
from assetdb.cli.terminal import Progress, fail
from assetdb.errors import UsageError
from assetdb_formats.inputs import Archive, file_input, find_inputs, is_archive

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb_formats.binary import FormatError
    from assetdb_formats.casset.project import Graph, Project
    from assetdb_formats.inputs import Input
    from assetdb_formats.unityfs.queries.neighbours import BundleSet


class Neighbourhood:
    """The places in which references are followed, both ways.

    These are the named places if one of them is a folder or an archive; otherwise the folder of the bundle, and for a
    ``.casset`` the project around it.
    """

    def __init__(self, places: Sequence[str] | None, engine: str) -> None:
        """Read nothing yet; ``engine`` is the folder of CrystalEngine."""
        self.places = list(dict.fromkeys(places or ()))
        self._engine = engine
        self._is_wide = any(os.path.isdir(place) or _is_archive_file(place) for place in self.places)
        self._sets: dict[str, BundleSet] = {}
        self._projects: dict[tuple[str, ...], Project] = {}
        self._graphs: dict[tuple[str, ...], Graph] = {}
        self._said: set[str] = set()

    def bundles(self, file: Input | None) -> BundleSet:
        """Return the Unity bundles around one, or in all places."""
        from assetdb.cli.bundle.kinds.unityfs_values import class_name_of  # noqa: PLC0415 - a .casset needs none of it
        from assetdb_formats.unityfs.queries.neighbours import BundleSet  # noqa: PLC0415 - the same

        key = "" if file is None or self._is_wide else _folder_of(file)
        found = self._sets.get(key)
        if found is None:
            progress = Progress("bundles")
            inputs: dict[str, Input] = {}  # a file may be named, and lie in a folder that is named
            for item in self._inputs(None if key == "" else file):
                inputs.setdefault(os.path.abspath(item.path or item.name), item)
            found = BundleSet(inputs.values(), progress=progress, class_names=class_name_of)
            progress.close()
            self._sets[key] = found
        return found

    def _inputs(self, file: Input | None) -> Iterator[Input]:
        for place in self.places:
            yield from find_inputs(place, lambda _: True)
        if file is None:
            return
        if isinstance(file.container, Archive):
            yield from find_inputs(file.container.path, lambda _: True)
            return
        folder = os.path.dirname(file.name) or "."
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if os.path.isfile(path):  # no pipe, no socket
                yield file_input(path)

    def project(self, file: Input | None) -> Project:
        """Return the project of a ``.casset``."""
        from assetdb_formats.casset.files import scan  # noqa: PLC0415 - a bundle of Unity needs none of it

        folders = self._folders(file)
        found = self._projects.get(folders)
        if found is None:
            with Progress("scan") as progress:
                found = self._projects[folders] = scan(folders, self._engine, progress)
        return found

    def graph(self, file: Input | None) -> Graph:
        """Return the references in the project of a ``.casset``."""
        from assetdb_formats.casset.files import load_entry  # noqa: PLC0415 - the same
        from assetdb_formats.casset.project import Graph  # noqa: PLC0415 - the same

        folders = self._folders(file)
        found = self._graphs.get(folders)
        if found is None:
            with Progress("bundles") as progress:
                found = self._graphs[folders] = Graph(self.project(file), load_entry, progress=progress)
        return found

    def _folders(self, file: Input | None) -> tuple[str, ...]:
        from assetdb_formats.casset.files import project_of  # noqa: PLC0415 - the same

        places = tuple(place for place in self.places if not _is_archive_file(place))
        if file is None or any(map(os.path.isdir, places)):
            return places
        if file.path is None:
            raise UsageError(f"{file.name}: a .casset in an archive has no project around it; name one with --in DIR")
        return (project_of(file.path), *places)

    def say_unreadable(self, errors: Sequence[FormatError | OSError]) -> int:
        """Print the files that could not be read, each once."""
        for error in errors:
            text = reason("a bundle", error)
            if text not in self._said:
                self._said.add(text)
                fail(text)
        return 2 if errors else 0


def _is_archive_file(place: str) -> bool:
    return not os.path.isdir(place) and is_archive(place)


def _folder_of(file: Input) -> str:
    return file.container.path if isinstance(file.container, Archive) else os.path.dirname(file.name) or "."
