"""A project as Python programs ask it.

>>> import assetdb
>>> project = assetdb.open_project("fixtures/unity_project")
>>> sorted(asset.path for asset in project.usages("Base.prefab"))
['Assets/Prefabs/Nested.prefab', 'Assets/Prefabs/Variant.prefab']
>>> project.name("Nested.prefab").name
'Nested.prefab'
>>> [row.name for row in project.ls("Nested.prefab").objects]
['Nested', 'Renamed Root']
>>> {row.path: row.value.text for row in project.get("Base.prefab").properties if row.value}["m_Name"]
'Base'
>>> project.find("Item", types=["MonoScript"])[0].path
'Assets/Scripts/Item.cs'
>>> project.deps("Nested.prefab")[0].path
'Assets/Prefabs/Base.prefab'
>>> project.close()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.errors import UsageError
from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.relations import dependencies_of, usages_of
from assetdb.query.graph.ways import MOST_WAYS, find_ways, find_ways_from_roots, one_asset
from assetdb.query.inspecting import values_of
from assetdb.query.listing import contents_of
from assetdb.query.objects import find_objects
from assetdb.query.selecting.labels import find_labelled
from assetdb.query.selecting.selector import Unmatched, find_sorted, find_subject, name_of
from assetdb.query.snapshots import snapshot

if TYPE_CHECKING:
    import os
    from collections.abc import Collection
    from types import TracebackType
    from typing import Self

    from assetdb.query.graph.references import Site
    from assetdb.query.graph.relations import AssetInfo
    from assetdb.query.graph.ways import Way
    from assetdb.query.inspecting import ObjectValues
    from assetdb.query.listing import Contents
    from assetdb.query.objects import ObjectMatch
    from assetdb.query.selecting.labels import LabelledMatch
    from assetdb.query.selecting.selector import Match, Subject
    from assetdb.resolve.resolver import Name


def open_project(
    path: str | os.PathLike[str] | None = None, out_dir: str | os.PathLike[str] | None = None, *, refresh: bool = True
) -> Project:
    """Open a project, baked the first time, current with its files.

    Args:
        path: the project's root, or anything in it; by default the working directory.
        out_dir: where its database is; by default as in ``assetdb.toml``, else ``Library/assetdb``.
        refresh: whether answers reflect the current files; else they are as of the last bake.

    Raises:
        ProjectError: there is no project, or its output folder cannot be made.
        AssetdbError, OSError: the files cannot be read.
    """
    root = None if path is None else str(path)
    opened = snapshot.open_project(root, None if out_dir is None else str(out_dir), refresh=refresh)
    return Project(opened, refresh=refresh)


class Project:
    """An open project; a context manager.

    A query is whatever the commands take: a GUID, ``GUID:fileID``, a pasted reference, a path or the end of one, a
    name, or an answer as it is printed (``Main.unity / Canvas / Popup (Image)``). Paths are relative to the project.
    Every answer reflects the current files, scanned at most once a second, and is an immutable named tuple.
    """

    def __init__(self, opened: snapshot.Snapshot, *, refresh: bool = True) -> None:
        """Take an open snapshot, and whether it follows the files."""
        self._snapshot = opened
        self._refresh = refresh

    def __repr__(self) -> str:
        return f"Project({self.root!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def root(self) -> str:
        """The folder of the project, absolute."""
        return self._snapshot.root

    def close(self) -> None:
        """Close the files of the database."""
        self._snapshot.close()

    def name(self, query: str) -> Name:
        """Return the name of an asset or object, or a reason.

        Raises:
            UsageError: the query matches nothing, or several things.
        """
        return name_of(self._subject(query), self._snapshot)

    def find(
        self,
        pattern: str = "",
        *,
        types: Collection[str] = (),
        labels: Collection[str] = (),
        inside: str = "",
        component: str = "",
    ) -> list[Match] | list[LabelledMatch] | list[ObjectMatch]:
        """Return assets by name, or objects with ``inside`` or ``component``.

        Args:
            pattern: text in a name or path, in any case; with ``*``, ``?`` or ``[`` a pattern for all of it.
            types: only assets of the listed classes or scripts.
            labels: only assets with a label of the list; then each match has the labels of its asset.
            inside: only objects of this prefab, scene or model, nested prefabs opened.
            component: only objects with a component of this class or script.

        Raises:
            UsageError: the pattern is invalid, or nothing is named ``inside`` or ``component``.
            FileError: the asset of ``inside`` cannot be opened.
        """
        self._look()
        if inside or component:
            return list(find_objects(self._snapshot, self.root, pattern, inside, component).rows)
        if labels:
            return find_labelled(pattern, self._snapshot, types, labels)
        return find_sorted(pattern, self._snapshot, types)

    def ls(
        self,
        query: str,
        *,
        nested: bool = True,
        depth: int | None = None,
        classes: Collection[str] = (),
        inside: str = "",
        deep: bool = False,
    ) -> Contents:
        """Return the contents of a folder, prefab, scene or other asset.

        Args:
            query: which.
            nested: whether nested prefabs are opened.
            depth: number of levels of a hierarchy.
            classes: only objects with a component of a listed class.
            inside: only this object and what is below it: a fileID, or its name.
            deep: of a folder, also the assets in its folders.

        Raises:
            UsageError: the query matches nothing, or several things.
            FileError: the asset cannot be opened; the message gives the reason.
        """
        subject = self._subject(query, folders=True)
        return contents_of(
            subject, self._snapshot, self.root, nested=nested, depth=depth, classes=classes, inside=inside, deep=deep
        )

    def get(self, query: str) -> ObjectValues:
        """Return the values of an object, or an asset's main object.

        Raises:
            UsageError: the query matches nothing, or several things.
            FileError: it has no readable values; the message gives the reason.
        """
        return values_of(self._subject(query), self._snapshot)

    def usages(self, query: str, *, deep: bool = False) -> list[AssetInfo]:
        """Return the assets that refer to an asset or a folder's assets.

        With ``deep`` also those that refer to these, and so on.

        Raises:
            UsageError: the query matches nothing, or several things.
        """
        subject = self._subject(query, folders=True)
        return usages_of(subject, self._snapshot, AssetGraph(self._snapshot), deep=deep, objects=False)[0]

    def places(self, query: str) -> list[Site]:
        """Return file, line, object and property of references to an asset.

        Raises:
            UsageError: the query matches nothing, or several things.
        """
        subject = self._subject(query, folders=True)
        return usages_of(subject, self._snapshot, AssetGraph(self._snapshot), deep=False, objects=True)[1]

    def deps(self, query: str, *, deep: bool = False) -> list[AssetInfo]:
        """Return the assets that an asset refers to.

        With ``deep`` also those that these refer to, and so on.

        Raises:
            UsageError: the query matches nothing, or several things.
        """
        subject = self._subject(query, folders=True)
        return dependencies_of(subject, self._snapshot, AssetGraph(self._snapshot), deep=deep)

    def ways(self, query: str, to: str = "", *, most: int = MOST_WAYS) -> list[Way]:
        """Return the chains of references between two assets, shortest first.

        Args:
            query: the first asset; without ``to`` the last one, and the chains are those from the roots of a build.
            to: the last asset.
            most: so many chains at most.

        Raises:
            UsageError: a query matches nothing, several things, or a folder.
        """
        first = one_asset(query, self._subject(query, folders=True), self._snapshot)
        graph = AssetGraph(self._snapshot)
        if not to:
            return find_ways_from_roots(first.guid, self._snapshot, graph, most=most).ways
        last = one_asset(to, self._subject(to, folders=True), self._snapshot)
        return find_ways([first.guid], last.guid, self._snapshot, graph, most=most).ways

    def _look(self) -> None:
        if self._refresh:
            self._snapshot.expire()

    def _subject(self, query: str, *, folders: bool = False) -> Subject:
        self._look()
        found = find_subject(query, self._snapshot, self.root, folders=folders)
        if isinstance(found, Unmatched):
            raise UsageError(found.why)
        return found
